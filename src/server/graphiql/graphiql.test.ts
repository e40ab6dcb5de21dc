/** GraphiQL: the page that a browser gets at the endpoint. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request as open } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../index.js'

const mock = createMock({ freeze: true, token: 't0ken' })

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const get = (headers: Record<string, string>) => mock.fetch('http://mock.test/api/v2', { headers })
const textOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('A browser gets the page compressed if it accepts that, and else uncompressed.', async () => {
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
])('With Accept-Encoding %j, the page is compressed: %j.', async (encoding, compressed) => {
  const { headers } = await get({ accept: browser, 'accept-encoding': encoding })
  expect(headers.get('content-encoding')).toBe(compressed ? 'gzip' : null)
})

test('The page loads nothing from another origin.', async () => {
  const page = (await textOf(await get({ accept: browser }))).toString('utf8')
  // Scripts and styles are text, so only tags outside of them count.
  const markup = page.replace(/(<(script|style)\b[^>]*>)[^]*?(<\/\2>)/gi, '$1$3')
  const addresses = [...markup.matchAll(/<[a-z][^>]*?\s(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi)].map((it) => it[1] ?? '')
  expect(addresses.filter((it) => !/^(data:|\/(?!\/)|#)/.test(it))).toEqual([])
  expect(addresses.length).toBeGreaterThan(0)
})

test('A client that has the current page gets a 304.', async () => {
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
  // The ETag depends on the content, so every mock of this version has the same.
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

describe('Over a socket', () => {
  const agent = new Agent({ keepAlive: true })
  const html = { accept: browser, 'accept-encoding': 'gzip' }

  /** The status and the number of bytes, which are not kept: client and server share a thread here. */
  const ask = (url: string, method: string, headers: Record<string, string>, body = '') =>
    new Promise<{ status: number | undefined; bytes: number }>((resolve, reject) => {
      const request = open(url, { method, headers, agent }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('end', () => resolve({ status: response.statusCode, bytes }))
      })
      request.on('error', reject).end(body)
    })

  async function served(onUnexpected?: (line: string) => void) {
    const own = createMock({ freeze: true, counts: { customers: 3 }, onUnexpected })
    const { url } = await own.listen({ port: 0 })
    return { url, [Symbol.asyncDispose]: () => own.close() }
  }

  const stat = `/proc/self/task/${process.pid}/schedstat`
  /** CPU time of this thread in ms, which does not depend on the load of the machine. */
  const worked = () => (existsSync(stat) ? Number(readFileSync(stat, 'utf8').split(' ')[0]) / 1e6 : performance.now())

  test('Rendering the page does not delay other requests.', async () => {
    await using own = await served()
    const other = () => ask(own.url, 'POST', { 'content-type': 'application/json' }, '{"query":"{ __typename }"}')
    await other()
    const waits: number[] = []
    const made: string[] = []
    const page = ask(own.url, 'GET', html).finally(() => made.push('page'))
    while (made.length === 0) {
      const before = worked()
      expect((await other()).status).toBe(200)
      waits.push(worked() - before)
    }
    expect((await page).bytes).toBeGreaterThan(1_000_000)
    expect(waits.length).toBeGreaterThan(10)
    expect(Math.max(...waits)).toBeLessThan(50)
  })

  /** Calls a function with each worker that is started. */
  async function withThreads(each: (worker: Worker) => void, run: () => Promise<void>): Promise<void> {
    process.on('worker', each)
    await run().finally(() => process.off('worker', each))
  }

  test('Concurrent requests render the page once.', async () => {
    await using own = await served()
    let threads = 0
    await withThreads(
      () => (threads += 1),
      async () => {
        const [one, two] = await Promise.all([ask(own.url, 'GET', html), ask(own.url, 'GET', html)])
        expect(one).toEqual({ status: 200, bytes: expect.any(Number) as number })
        expect([two, await ask(own.url, 'GET', html)]).toEqual([one, one])
      },
    )
    expect(threads).toBe(1)
  })

  test('After a failure, the next request renders the page again.', async () => {
    const unexpected: string[] = []
    await using own = await served((line) => unexpected.push(line))
    await withThreads(
      (worker) => void worker.terminate(),
      async () => expect((await ask(own.url, 'GET', html)).status).toBe(500),
    )
    expect(unexpected).toEqual(['Unexpected error 1: Error: The worker that renders GraphiQL ended without a page.'])
    expect((await ask(own.url, 'GET', html)).status).toBe(200)
  })
})
