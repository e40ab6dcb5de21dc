/** What is sent again, how often and after how long: counted at real servers. */
import { afterAll, describe, expect, test } from 'vitest'
import { serveBody, serveHttp, serveTcp } from './bad-server.testkit.js'
import { createHttpTarget, type HttpTargetOptions, type Retry } from './http-target.js'
import { mayRepeat, onlyReads, waitBefore } from './retries.js'
import type { Target } from './target.js'

const good = '{"data":{"it":1}}'
const query = '{ it }'
const mutation = 'mutation { it }'

const targets: Target[] = []
afterAll(() => Promise.all(targets.map((it) => it.close())))

function targetAt(baseUrl: URL, options: Partial<HttpTargetOptions> = {}) {
  const told: Retry[] = []
  const target = createHttpTarget({ baseUrl, timeoutMs: 1000, onRetry: (retry) => told.push(retry), ...options })
  targets.push(target)
  return Object.assign(target, { told })
}

/** Answers with these statuses, then well. */
async function wavering(statuses: readonly number[], headers: Readonly<Record<string, string>> = {}) {
  const counted = { requests: 0 }
  const server = await serveHttp((_, response) => {
    const status = statuses[counted.requests] ?? 200
    counted.requests += 1
    response.writeHead(status, headers).end(good)
  })
  return Object.assign(server, { counted })
}

describe('A query is sent again', () => {
  test.concurrent.each([[429], [502], [503], [504]])('after %i', async (status) => {
    await using server = await wavering([status])
    const answer = await targetAt(server.baseUrl).send({ query })
    expect(answer).toMatchObject({ status: 200, retries: 1 })
    expect(answer.ms).toBeGreaterThan(195)
    expect(answer.ms).toBeLessThan(1000)
    expect(server.counted.requests).toBe(2)
  })

  test('up to three times, ever later', async () => {
    await using server = await wavering([503, 502, 504, 503])
    const target = targetAt(server.baseUrl)
    const began = performance.now()
    await expect(target.send({ query })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[TargetError: The target, or what stands before it, answered 503: it is not available now. Try again later. It was tried 4 times.]`,
    )
    expect(performance.now() - began).toBeGreaterThan(1390)
    expect(server.counted.requests).toBe(4)
    expect(target.told.map((it) => [it.retry, it.waitMs])).toEqual([
      [1, 200],
      [2, 400],
      [3, 800],
    ])
    expect(target.told[0]?.reason).toMatchInlineSnapshot(
      `"The target, or what stands before it, answered 503: it is not available now. Try again later."`,
    )
  })

  test.concurrent('as often as is allowed', async () => {
    await using server = await wavering([503, 503])
    await expect(targetAt(server.baseUrl, { retries: 1 }).send({ query })).rejects.toThrow('It was tried 2 times.')
    expect(server.counted.requests).toBe(2)
  })

  test.concurrent('not before Retry-After', async () => {
    await using server = await wavering([429], { 'retry-after': '1' })
    const answer = await targetAt(server.baseUrl).send({ query })
    expect(answer.ms).toBeGreaterThan(995)
    expect(answer.ms).toBeLessThan(3000)
  })

  test.concurrent('after a connection that broke', async () => {
    let requests = 0
    await using server = await serveTcp((socket) => {
      socket.once('data', () => {
        requests += 1
        if (requests === 1) socket.resetAndDestroy()
        else if (requests === 2) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{')
        else socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${good.length}\r\n\r\n${good}`)
      })
    })
    await expect(targetAt(server.baseUrl).send({ query })).resolves.toMatchObject({ retries: 2 })
  })

  test.concurrent.each([['a certificate', 'https'] as const, ['silence', 'http'] as const])(
    'but not after %s',
    async (_, protocol) => {
      await using server = await serveTcp((socket) => {
        if (protocol === 'https') socket.end('no TLS')
      }, protocol)
      await expect(targetAt(server.baseUrl).send({ query })).rejects.toThrow(/./)
      expect(server.connections()).toBe(1)
    },
  )

  test.concurrent('each time with a deadline of its own', async () => {
    let requests = 0
    await using server = await serveHttp((_, response) => {
      requests += 1
      setTimeout(() => response.writeHead(requests < 3 ? 503 : 200).end(good), 350)
    })
    await expect(targetAt(server.baseUrl, { timeoutMs: 600 }).send({ query })).resolves.toMatchObject({ retries: 2 })
  })
})

describe('A mutation is sent again', () => {
  test.concurrent('never where it may have arrived', async () => {
    await using busy = await wavering([503])
    let requests = 0
    await using broken = await serveTcp(
      (socket) => void socket.once('data', () => ((requests += 1), socket.resetAndDestroy())),
    )
    await expect(targetAt(busy.baseUrl).send({ query: mutation })).rejects.toThrow('503')
    await expect(targetAt(broken.baseUrl).send({ query: mutation })).rejects.toThrow('closed the connection')
    await expect(targetAt(busy.baseUrl).send({ query: mutation })).resolves.toMatchObject({ status: 200 })
    expect([busy.counted.requests, requests]).toEqual([2, 1])
  })

  test.concurrent('where there was no connection', async () => {
    const gone = await serveBody('')
    await gone[Symbol.asyncDispose]()
    let back: Promise<AsyncDisposable> | undefined
    const onRetry = () => void (back ??= serveHttp((_, response) => void response.end(good), gone.port))
    const target = targetAt(gone.baseUrl, { onRetry })
    await expect(target.send({ query: mutation })).resolves.toMatchObject({ retries: 1 })
    await (await back)?.[Symbol.asyncDispose]()
  })
})

test.each([
  ['{ a }', true],
  ['query A { a } query B { b }', true],
  ['query A { a } mutation B { b }', false],
  ['fragment F on Query { a }', true],
  ['mutation {', false],
])('%s only reads: %s', (document, reads) => {
  expect(onlyReads(document)).toBe(reads)
  expect(mayRepeat(document, { unsent: false, status: 503 })).toBe(reads)
  expect(mayRepeat(document, { unsent: true, status: undefined })).toBe(true)
  expect(mayRepeat(document, { unsent: false, status: 429 })).toBe(true)
})

const now = Date.UTC(2026, 0, 1)
test.each([
  [1, undefined, 200],
  [2, undefined, 400],
  [3, undefined, 800],
  [9, undefined, 10_000],
  [1, '0', 200],
  [1, ' 3 ', 3000],
  [3, '0.5', 800],
  [1, '-5', 200],
  [1, '99999999999999999999', 10_000],
  [1, 'soon', 200],
  [1, 'Thu, 01 Jan 2026 00:00:04 GMT', 4000],
  [1, 'Thu, 01 Jan 2026 01:00:00 GMT', 10_000],
  [1, 'Wed, 31 Dec 2025 00:00:00 GMT', 200],
])('Before retry %i with Retry-After %s come %i ms.', (retry, retryAfter, ms) => {
  expect(waitBefore(retry, retryAfter, now)).toBe(ms)
})
