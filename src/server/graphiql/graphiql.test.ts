/** GraphiQL: the page that a browser gets at the endpoint. */
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request as open } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
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
  expect(headers.get('vary')).toBe('accept')
  const page = gunzipSync(response.bytes).toString('utf8')
  expect(response.bytes.length).toBeLessThan(page.length / 2)
  expect(page).toMatch(/^\s*<!doctype html>/i)
  expect(page).toContain('"/api/v2"')
})

test('The page loads nothing from another origin.', async () => {
  const { bytes, headers } = await responseOf({ accept: browser })
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'",
  )
  const page = gunzipSync(bytes).toString('utf8')
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
