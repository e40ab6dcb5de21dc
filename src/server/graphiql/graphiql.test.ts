/** GraphiQL: the page that a browser gets at the endpoint. */
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createMock } from '../../index.js'

const mock = createMock({ freeze: true, token: 't0ken' })

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const get = (headers: Record<string, string>) => mock.fetch('http://mock.test/api/v2', { headers })
const responseOf = async (sent: Record<string, string>) => {
  const response = await get(sent)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('A browser gets the page, compressed.', async () => {
  const { status, headers, ...response } = await responseOf({ accept: browser, 'accept-encoding': 'gzip, deflate, br' })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-encoding')).toBe('gzip')
  expect(headers.get('vary')).toBe('accept, accept-encoding')
  const page = gunzipSync(response.bytes).toString('utf8')
  expect(response.bytes.length).toBeLessThan(page.length / 2)
  expect(page).toMatch(/^\s*<!doctype html>/i)
})

test.each([undefined, 'identity', 'br, deflate', 'gzip;q=0, identity'])(
  'A client that accepts %s gets the page, not compressed.',
  async (codings) => {
    const { headers, bytes } = await responseOf({ accept: browser, ...(codings && { 'accept-encoding': codings }) })
    expect(headers.get('content-encoding')).toBeNull()
    expect(bytes.toString('utf8')).toMatch(/^\s*<!doctype html>/i)
  },
)

test('The page loads nothing from another origin.', async () => {
  const { bytes, headers } = await responseOf({ accept: browser })
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'",
  )
  const page = bytes.toString('utf8')
  // Scripts and styles are text, so only tags outside of them count.
  const markup = page.replace(/(<(script|style)\b[^>]*>)[^]*?(<\/\2>)/gi, '$1$3')
  const addresses = [...markup.matchAll(/<[a-z][^>]*?\s(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi)].map((it) => it[1] ?? '')
  expect(addresses.filter((it) => !/^(data:|\/(?!\/)|#)/.test(it))).toEqual([])
  expect(addresses.length).toBeGreaterThan(0)
})

test('Only a browser gets the page, not a request for JSON, for any type, or with a query.', async () => {
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
