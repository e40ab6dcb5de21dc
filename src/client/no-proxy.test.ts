import { expect, test } from 'vitest'
import { bypassesProxy } from './no-proxy.js'

const https = 'https://api.example.com/api/v2'

test.each([
  [https, 'example.com'],
  [https, '.example.com'],
  [https, '*.example.com'],
  [https, 'API.example.com'],
  [https, 'other.test, api.example.com:443'],
  [https, 'api.*'],
  [https, 'localhost *'],
  ['http://api.example.com:8080/', 'example.com:8080'],
  ['http://10.1.2.3/', '10.0.0.0/8'],
  ['http://10.1.2.3/', '10.1.2.3'],
  ['http://10.1.2.3/', '10.*'],
  ['http://[fd00::7]/', 'fd00::/8'],
  ['http://[fd00::7]/', '[fd00::7]'],
  ['http://[fd00::7]:81/', '[fd00:0::7]:81'],
  ['http://[fd00::7]/', 'fd00::7'],
])('%s is direct with NO_PROXY=%s', (url, noProxy) => {
  expect(bypassesProxy(new URL(url), noProxy)).toBe(true)
})

test.each([
  [https, ''],
  [https, ' , '],
  [https, 'ple.com'],
  [https, 'example.com:80'],
  [https, 'apixexample.com'],
  [https, '10.0.0.0/8'],
  ['http://11.1.2.3/', '10.0.0.0/8'],
  ['http://10.1.2.3/', '10.0.0.0/99'],
  ['http://10.1.2.3/', '10.0.0.0/x'],
  ['http://[fd00::7]/', '10.0.0.0/8,fd00::8'],
])('%s is not direct with NO_PROXY=%s', (url, noProxy) => {
  expect(bypassesProxy(new URL(url), noProxy)).toBe(false)
})
