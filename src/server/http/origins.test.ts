/** Which web pages may call, and the headers for browsers. */
import { expect, test } from 'vitest'
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
  'http://localhost.:3000',
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
  // Names of this machine, but not origins of web pages.
  'ws://localhost',
  'ftp://localhost',
  'capacitor://localhost',
  'http://u@localhost',
  'http://u:p@localhost:3000',
  'http://localhost/',
  'http://localhost/path',
  'http://localhost?query',
  'http://localhost#hash',
  'http://localhost\\path',
  'http://localhost:99999',
  'http://localhost:',
  'http://local\thost',
  ' http://localhost',
  'http:localhost',
  'http://u@mock.test:4000',
  'http://mock.test:4000/',
  'ws://mock.test:4000',
])('A page of %j may not call.', (origin) => {
  expect(isAllowedOrigin(origin, host)).toBe(false)
})

test('An origin that is not http may call if it is allowed by name.', () => {
  const rules = { hosts: [], origins: ['capacitor://localhost'], lan: false }
  expect(isAllowedOrigin('capacitor://localhost', host, rules)).toBe(true)
  expect(isAllowedOrigin('capacitor://localhost:1', host, rules)).toBe(false)
})

test.each([
  ['https://*.example.dev', 'https://pr-7.example.dev', true],
  ['https://*.example.dev', 'https://a.b.example.dev', true],
  ['https://*.example.dev', 'https://example.dev', false],
  ['https://*.example.dev', 'https://.example.dev', false],
  ['https://*.example.dev', 'https://evilexample.dev', false],
  ['https://*.example.dev', 'https://evil.com/.example.dev', false],
  ['https://*.example.dev', 'https://evil.com#.example.dev', false],
  ['https://*.example.dev', 'https://evil.com:443.example.dev', false],
  ['https://*.example.dev', 'https://u@evil.example.dev', false],
  ['https://*.example.dev', 'https://pr-7.example.dev.evil.com', false],
  ['https://*.example.dev', 'https://pr-7.example.dev:8443', false],
  ['https://*.example.dev', 'http://pr-7.example.dev', false],
  ['https://*.example.dev:8443', 'https://pr-7.example.dev:8443', true],
  ['null', 'null', true],
])('With the rule %s, a page of %s may call: %j.', (rule, origin, allowed) => {
  expect(isAllowedOrigin(origin, host, { hosts: [], origins: [rule], lan: false })).toBe(allowed)
})

test('Without a Host header, only pages of this machine may call.', () => {
  expect(isAllowedOrigin('http://localhost:1', undefined)).toBe(true)
  expect(isAllowedOrigin('http://mock.test:4000', undefined)).toBe(false)
})

test('The default port of a scheme in the Host header is optional.', () => {
  expect(isAllowedOrigin('http://mock.test', 'mock.test')).toBe(true)
  expect(isAllowedOrigin('https://mock.test', 'mock.test')).toBe(true)
  expect(isAllowedOrigin('http://mock.test', 'mock.test:80')).toBe(true)
  expect(isAllowedOrigin('https://mock.test', 'mock.test:443')).toBe(true)
  expect(isAllowedOrigin('http://mock.test', 'mock.test:443')).toBe(false)
  expect(isAllowedOrigin('https://mock.test:8443', 'MOCK.TEST:8443')).toBe(true)
})

test('A response names the origin that may read it, and no other.', () => {
  expect(originHeaders('http://localhost:3000')).toEqual({
    'access-control-allow-origin': 'http://localhost:3000',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
    vary: 'origin',
  })
})

test('A preflight allows the requested headers.', () => {
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
