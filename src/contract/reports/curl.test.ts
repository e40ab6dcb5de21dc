/** A curl line in a real bash sends the same request. */
import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlLine } from './curl.js'
import { exchangeOf } from './report.testkit.js'
import type { SentHeader } from '../report.js'

const baseUrl = 'https://letters.example/api/v2'

/** The arguments that curl gets, by a function that takes its place. */
function argumentsOf(line: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\0')
    .slice(0, -1)
}

const json = ['-H', 'content-type: application/json', '--data-binary']

test('A request by POST', () => {
  const exchange = exchangeOf()
  const [silent, ...args] = argumentsOf(curlLine(exchange, baseUrl, []))
  expect([silent, ...args.slice(0, 3), args[4]]).toEqual(['-sS', ...json, baseUrl])
  expect(JSON.parse(args[3] ?? '')).toEqual(exchange.request)
})

test('Any request is the same on the other side of the shell.', () => {
  const texts = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...`'"\\\`$!{}()#&;|<>*?~ \n\r\t\0\u202e\ud800é😀`),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })
  fc.assert(
    fc.property(texts, texts, (query, text) => {
      const request = { query, variables: { text, [text]: [text] }, operationName: text }
      const line = curlLine(exchangeOf({ request }), baseUrl, [])
      expect(line).not.toMatch(/[\n\p{Cc}\p{Cf}\p{Cs}]/u)
      expect(JSON.parse(argumentsOf(line)[4] ?? '')).toEqual(request)
    }),
    { numRuns: 30 },
  )
})

test('A GET request has everything in its URL.', () => {
  const request = { query: '{ a(b: "it\'s 100 % + &") }', variables: { a: ['é'] } }
  const args = argumentsOf(curlLine(exchangeOf({ request, method: 'GET', accept: 'text/html' }), baseUrl, []))
  expect(args.slice(0, -1)).toEqual(['-sS', '-H', 'accept: text/html'])
  const { origin, pathname, searchParams } = new URL(args.at(-1) ?? '')
  expect(origin + pathname).toBe(baseUrl)
  expect([...searchParams]).toEqual([
    ['query', request.query],
    ['variables', '{"a":["é"]}'],
  ])
})

test.each<[string, SentHeader, string]>([
  ['a value', { name: 'x-tenant', value: "o'neill $HOME" }, "x-tenant: o'neill $HOME"],
  ['a secret', { name: 'x-key', variable: 'KEY' }, 'x-key: k $1'],
  ['a token', { name: 'authorization', variable: 'KEY', scheme: 'Bearer ' }, 'authorization: Bearer k $1'],
  ['a name that bash would read', { name: 'x-`id`$KEY', variable: 'KEY' }, 'x-`id`$KEY: k $1'],
])('A header with %s', (_, header, expected) => {
  const line = curlLine(exchangeOf({ request: { query: '{ a }' } }), baseUrl, [header])
  expect(argumentsOf(line, { KEY: 'k $1' }).slice(5, 7)).toEqual(['-H', expected])
})

test('A comment replaces a line that is too long.', () => {
  const long = exchangeOf({ request: { query: 'x'.repeat(5000) } })
  expect(curlLine(long, baseUrl, [])).toMatch(/^# The curl line is too long: \d+ characters\.$/)
})
