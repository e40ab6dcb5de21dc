/** Which hosts a request may name. */
import { expect, test } from 'vitest'
import { hostProblem, isAllowedHost, isPrivate, loopbackOnly, originProblem, readAuthority } from './hosts.js'

test.each([
  ['localhost', 'localhost', undefined],
  ['LocalHost:4000', 'localhost', '4000'],
  ['mock.test:0', 'mock.test', '0'],
  ['under_score.test', 'under_score.test', undefined],
  ['127.0.0.1:65535', '127.0.0.1', '65535'],
  ['[::1]', '::1', undefined],
  ['[::1]:4000', '::1', '4000'],
  ['[FE80::1]:1', 'fe80::1', '1'],
  ['[0:0:0:0:0:0:0:1]:4000', '::1', '4000'],
  ['[FD00:0::0001]', 'fd00::1', undefined],
  ['[::ffff:127.0.0.1]', '::ffff:7f00:1', undefined],
  ['mock.test.', 'mock.test.', undefined],
])('The Host header %j is read.', (text, name, port) => {
  expect(readAuthority(text)).toEqual({ name, port })
})

test.each([
  '',
  ' ',
  ':4000',
  'mock:',
  'mock:port',
  'mock:123456',
  'mock:65536',
  'localhost:99999',
  '[::1]:70000',
  'mock:-1',
  'mock:4000:4000',
  'mock test',
  ' mock',
  'mock ',
  'mock\n',
  'mock\0',
  'mock/path',
  'mock?query',
  'mock#hash',
  'user@mock',
  'localhost@evil.example',
  'localhost:4000@evil.example',
  'localhost, evil.example',
  'http://localhost',
  '::1',
  '[::1',
  '::1]',
  '[]',
  '[x]',
  '[127.0.0.1]',
  '[::1%25lo]',
  '[::1]x',
  '[::1]:',
  'bücher.test',
  'mock\u3002test',
  '"><script>',
  '%6Cocalhost',
  '*',
])('The Host header %j is malformed.', (text) => {
  expect(readAuthority(text)).toBeUndefined()
  expect(isAllowedHost(text, { hosts: [text], origins: [], lan: true })).toBe(false)
})

const atOnePort = { hosts: ['mock:4000', '[fd00::1]:4000'], origins: [], lan: false }
const atAnyPort = { hosts: ['Mock.Test', '[fd00::1]', '203.0.113.7'], origins: [], lan: false }
const network = { ...loopbackOnly, lan: true }

test.each([
  ['localhost', loopbackOnly, true],
  ['LOCALHOST:4000', loopbackOnly, true],
  ['app.localhost:1', loopbackOnly, true],
  ['127.0.0.1', loopbackOnly, true],
  ['127.255.255.254:80', loopbackOnly, true],
  ['[::1]:4000', loopbackOnly, true],
  ['localhost.', loopbackOnly, true],
  ['app.localhost.:4000', loopbackOnly, true],
  ['[0:0:0:0:0:0:0:1]', loopbackOnly, true],
  ['[0000:0000:0000:0000:0000:0000:0000:0001]:4000', loopbackOnly, true],
  ['[0::1]', loopbackOnly, true],
  ['[::0.0.0.1]', loopbackOnly, true],
  [`${'a'.repeat(243)}.localhost`, loopbackOnly, true],
  // Names that only resemble this machine, or that a browser would write differently.
  ['localhost..', loopbackOnly, false],
  ['localhost.evil.example', loopbackOnly, false],
  ['notlocalhost', loopbackOnly, false],
  ['.localhost', loopbackOnly, false],
  ['127.0.0.1.evil.example', loopbackOnly, false],
  ['127.0.0.1.', loopbackOnly, false],
  ['127.1', loopbackOnly, false],
  ['0.0.0.0', loopbackOnly, false],
  ['0', loopbackOnly, false],
  ['2130706433', loopbackOnly, false],
  ['[::]', loopbackOnly, false],
  ['[::2]', loopbackOnly, false],
  ['[::ffff:127.0.0.1]', loopbackOnly, true],
  ['evil.example', loopbackOnly, false],
  // A rule with a port.
  ['mock:4000', atOnePort, true],
  ['MOCK:4000', atOnePort, true],
  ['mock', atOnePort, false],
  ['mock:4001', atOnePort, false],
  ['mock:400', atOnePort, false],
  ['mock.:4000', atOnePort, false],
  ['[fd00::1]:4000', atOnePort, true],
  ['[FD00::1]:4000', atOnePort, true],
  ['[fd00:0:0::1]:4000', atOnePort, true],
  ['[fd00::1]', atOnePort, false],
  ['localhost:5', atOnePort, true],
  // A rule without one.
  ['mock.test', atAnyPort, true],
  ['MOCK.TEST:1', atAnyPort, true],
  ['mock.test.', atAnyPort, false],
  ['a.mock.test', atAnyPort, false],
  ['mock.test.evil.example', atAnyPort, false],
  ['mockxtest', atAnyPort, false],
  ['203.0.113.7:4000', atAnyPort, true],
  ['203.0.113.77', atAnyPort, false],
  ['[fd00::1]:9', atAnyPort, true],
  ['[fd00::2]', atAnyPort, false],
  // Private addresses, with and without `lan`.
  ['192.168.1.5:4000', loopbackOnly, false],
  ['192.168.1.5:4000', network, true],
  ['[fe80::1]', loopbackOnly, false],
  ['[fe80::1]:4000', network, true],
  ['8.8.8.8', network, false],
  ['192.168.1.5.evil.example', network, false],
  ['fd00.evil.example', network, false],
  ['localhost', network, true],
])('The host %j with the rules %j is allowed: %j.', (host, rules, answer) => {
  expect(isAllowedHost(host, rules)).toBe(answer)
})

test.each([
  ['10.0.0.0', true],
  ['10.255.255.255', true],
  ['11.0.0.1', false],
  ['9.255.255.255', false],
  ['172.15.255.255', false],
  ['172.16.0.0', true],
  ['172.31.255.255', true],
  ['172.32.0.0', false],
  ['192.167.255.255', false],
  ['192.168.0.0', true],
  ['192.168.255.255', true],
  ['192.169.0.0', false],
  ['169.253.255.255', false],
  ['169.254.1.1', true],
  ['169.255.0.0', false],
  ['100.63.0.1', false],
  ['100.64.0.1', true],
  ['100.127.255.1', true],
  ['100.128.0.1', false],
  ['127.0.0.1', false],
  ['10.0.0', false],
  ['10.0.0.1.evil.example', false],
  ['fc00::', true],
  ['fdff:ffff::1', true],
  ['FD12:3456:789a::1', true],
  ['[fd00::1]', true],
  ['fbff::1', false],
  ['fe00::1', false],
  ['fe7f::1', false],
  ['fe80::1', true],
  ['febf::1', true],
  ['fec0::1', false],
  ['fc::1', false],
  ['fe8::1', false],
  ['::ffff:10.0.0.1', false],
  ['fd00', false],
  ['fc00.example', false],
  ['', false],
])('%j is a private address: %j.', (name, answer) => {
  expect(isPrivate(name)).toBe(answer)
})

test.each(['mock', 'mock:4000', '[::1]', '[::1]:4000', '10.0.0.1', 'MOCK.test'])('%j is a host.', (rule) => {
  expect(hostProblem(rule)).toBeUndefined()
})

test.each(['http://mock', 'mock/', '*', '*.mock.test', 'a b', '::1', 'mock:99999', ''])('%j is not a host.', (rule) => {
  expect(hostProblem(rule)).toBe(`"${rule}" is not a host. Write a name, optionally with a port: mock:4000.`)
})

test.each([
  'https://app.example',
  'http://app.example:8080',
  'http://[fd00::1]:3000',
  'https://xn--bcher-kva.example',
  'https://*.example.dev',
  'https://*.example.dev:8443',
  'null',
  // Applications with pages of their own.
  'capacitor://localhost',
  'chrome-extension://abcdefgh',
])('%j is an origin.', (rule) => {
  expect(originProblem(rule)).toBeUndefined()
})

test.each([
  'https://app.example/',
  'https://app.example:443',
  'https://App.Example',
  'https://*.example',
  'https://*',
  'https://*.*.example.dev',
  'https://app-*.example.dev',
  'https://*.example.dev/',
  'https://user@app.example',
  'https://app.example:99999',
  'https://app.example,https://b.example',
  'capacitor://localhost/',
  'Capacitor://localhost',
  'capacitor://user@localhost',
  'app.example',
  '*',
  '',
  'file://',
])('The rule %j is not an origin that a browser sends.', (rule) => {
  expect(originProblem(rule)).toBe(
    `"${rule}" is not an origin. Write scheme, host and port without a final slash: https://app.example.`,
  )
})
