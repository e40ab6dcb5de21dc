/** Which web pages may call, and what a browser is told. */
import { expect, test } from 'vitest'
import { isLoopback } from './hosts.js'
import { isAllowedOrigin, originHeaders, preflightHeaders } from './origins.js'

const host = 'mock.test:4000'

test.each([
  'http://localhost',
  'http://localhost:3000',
  'https://localhost:3000',
  'HTTP://LOCALHOST:3000',
  'http://app.localhost:5173',
  'http://127.0.0.1:8080',
  'http://127.8.9.10',
  'http://[::1]:3000',
  'http://mock.test:4000',
  'http://MOCK.test:4000',
  'capacitor://localhost',
])('A page of %s may call.', (origin) => {
  expect(isAllowedOrigin(origin, host)).toBe(true)
})

test.each([
  'https://example.com',
  'http://mock.test',
  'http://mock.test:4001',
  'http://localhost.example.com',
  'http://localhost@example.com',
  'http://notlocalhost',
  'http://.localhost.',
  'http://127.0.0.1.example.com',
  'http://1127.0.0.1',
  'http://[::2]',
  'http://192.168.1.5:4000',
  'file://',
  'null',
  '',
  'localhost',
  'http://',
  'chrome-extension://abcdef',
])('A page of %j may not call.', (origin) => {
  expect(isAllowedOrigin(origin, host)).toBe(false)
})

test('Without a Host header only pages of this machine may call.', () => {
  expect(isAllowedOrigin('http://localhost:1', undefined)).toBe(true)
  expect(isAllowedOrigin('http://mock.test:4000', undefined)).toBe(false)
})

test('The port that a scheme implies may stand in the Host header or not.', () => {
  expect(isAllowedOrigin('http://mock.test', 'mock.test')).toBe(true)
  expect(isAllowedOrigin('https://mock.test', 'mock.test')).toBe(true)
  expect(isAllowedOrigin('https://mock.test:8443', 'MOCK.TEST:8443')).toBe(true)
})

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['a.b.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['localhost.com', false],
  ['localhost:4000', false],
  ['', false],
])('Whether %j means this machine: %j.', (name, answer) => {
  expect(isLoopback(name)).toBe(answer)
})

test('An answer names the origin that may read it, and no other.', () => {
  expect(originHeaders(undefined)).toEqual({})
  expect(originHeaders('http://localhost:3000')).toEqual({
    'access-control-allow-origin': 'http://localhost:3000',
    'access-control-allow-credentials': 'true',
    vary: 'origin',
  })
})

test('A preflight grants the headers that were asked for.', () => {
  expect(preflightHeaders('x-trace, authorization', 'POST')).toEqual({
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'x-trace, authorization',
    'access-control-max-age': '600',
  })
  expect(preflightHeaders(undefined, 'GET, HEAD')).toMatchObject({
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'content-type, authorization',
  })
})
