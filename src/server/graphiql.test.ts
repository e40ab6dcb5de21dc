/** GraphiQL: the page that a browser gets at the endpoint, all of it from here. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createMock } from '../index.js'

const mock = createMock({ freeze: true, token: 't0ken' })

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const get = (headers: Record<string, string>) => mock.fetch('http://mock.test/api/v2', { headers })
const textOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('A browser gets the page compressed where it can read that, and plain where it cannot.', async () => {
  const zipped = await get({ accept: browser, 'accept-encoding': 'gzip, deflate, br' })
  const plain = await get({ accept: browser })
  for (const { status, headers } of [zipped, plain]) {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('vary')).toBe('accept, accept-encoding')
  }
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  const bytes = await textOf(zipped)
  const page = gunzipSync(bytes).toString('utf8')
  expect(page).toBe((await textOf(plain)).toString('utf8'))
  expect(bytes.length).toBeLessThan(page.length / 2)
  expect(page).toMatch(/^\s*<!doctype html>/i)
  expect(page).toContain('"/api/v2"')
})

test.each([
  ['gzip', true],
  ['GZIP', true],
  ['deflate, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['identity', false],
  ['br', false],
  ['', false],
])('Who takes the encoding %j gets it compressed: %j.', async (encoding, compressed) => {
  const { headers } = await get({ accept: browser, 'accept-encoding': encoding })
  expect(headers.get('content-encoding')).toBe(compressed ? 'gzip' : null)
})

test('The page loads nothing from another origin.', async () => {
  const page = (await textOf(await get({ accept: browser }))).toString('utf8')
  // What stands in scripts and styles is text, so only the tags of the page itself are looked at.
  const markup = page.replace(/(<(script|style)\b[^>]*>)[^]*?(<\/\2>)/gi, '$1$3')
  const addresses = [...markup.matchAll(/<[a-z][^>]*?\s(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi)].map((it) => it[1] ?? '')
  expect(addresses.filter((it) => !/^(data:|\/(?!\/)|#)/.test(it))).toEqual([])
  expect(addresses.length).toBeGreaterThan(0)
})

test('Who has the page already is told so in a few bytes, as long as it is the same.', async () => {
  const first = await get({ accept: browser, 'accept-encoding': 'gzip' })
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w+/=]+"$/)
  expect(first.headers.get('cache-control')).toBe('no-cache')
  const again = await get({ accept: browser, 'accept-encoding': 'gzip', 'if-none-match': etag })
  expect([again.status, (await textOf(again)).length]).toEqual([304, 0])
  expect(again.headers.get('etag')).toBe(etag)
  expect(again.headers.get('vary')).toBe('accept, accept-encoding')
  expect(again.headers.get('content-encoding')).toBeNull()
  expect((await get({ accept: browser, 'if-none-match': '"another"' })).status).toBe(200)
  // The page is told by its content, so every mock of this version has the same.
  const other = await createMock({ freeze: true, seed: 2 }).fetch('http://mock.test/api/v2', {
    headers: { accept: browser, 'if-none-match': etag },
  })
  expect(other.status).toBe(304)
})

test('The policy of the page allows its own scripts by their hash, and no other origin.', async () => {
  const response = await get({ accept: browser })
  const page = (await textOf(response)).toString('utf8')
  const policy: Record<string, string[]> = Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '')
      .split('; ')
      .map((it) => [it.split(' ')[0] as string, it.split(' ').slice(1)]),
  )
  const { 'script-src': scripts = [], ...others } = policy
  expect(others).toEqual({
    'default-src': ["'none'"],
    'style-src': ["'unsafe-inline'"],
    'img-src': ['data:'],
    'font-src': ['data:'],
    'worker-src': ['blob:'],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  const inline = [...page.matchAll(/<script(?:\s[^>]*)?>([^]*?)<\/script>/g)].map(([, code]) => code ?? '')
  const hashes = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  expect(hashes.length).toBeGreaterThan(0)
  expect(scripts.filter((it) => it !== 'blob:').toSorted()).toEqual(hashes.toSorted())
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
})

test('The page is for browsers: who asks for JSON, for anything, or for a query does not get it.', async () => {
  for (const accept of [
    'application/json',
    '*/*',
    'application/json, text/html',
    'text/html;q=0.1, application/json',
  ]) {
    expect((await get({ accept })).headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
  const query = await mock.fetch('http://mock.test/api/v2?query={a}', { headers: { accept: browser } })
  expect(query.headers.get('content-type')).toBe('application/json; charset=utf-8')
})
