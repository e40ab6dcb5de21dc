import { expect, onTestFinished, test } from 'vitest'
import { serveBody, serveHttp, serveTcp } from './bad-server.testkit.js'
import { createHttpTarget, type HttpTargetOptions } from './http-target.js'
import { mayRepeat, onlyReads, waitBefore, withRetries } from './retries.js'
import { TargetError, type Attempt } from './target.js'

const good = '{"data":{"it":1}}'
const query = '{ it }'
const mutation = 'mutation { it }'
const unavailable = new TargetError('Unavailable.', { transient: true, status: 503 })

/** Fails with these errors, then succeeds. Waits are recorded instead of waited for. */
async function run(errors: readonly Error[], document = query, maxRetries = 3) {
  const waits: number[] = []
  let attempts = 0
  const attempt = async () => {
    const error = errors[attempts++]
    if (error) throw error
    return { status: 200 }
  }
  const sleep = async (ms: number) => void waits.push(ms)
  const result = await withRetries(attempt, { query: document, maxRetries, sleep }).catch((it: unknown) => it)
  return { result, attempts, waits }
}

test('a query is repeated until it succeeds', async () => {
  const { result, waits } = await run([unavailable, unavailable])
  expect(result).toEqual({ status: 200, retriedAfter: ['status 503', 'status 503'] })
  expect(waits).toEqual([200, 400])
})

test('the last error says how often it was tried', async () => {
  const { result, attempts, waits } = await run([unavailable, unavailable, unavailable, unavailable])
  expect(result).toMatchObject({ message: 'Unavailable. Tried 4 times.', status: 503 })
  expect([attempts, waits]).toEqual([4, [200, 400, 800]])
  expect(await run([unavailable, unavailable], query, 1)).toMatchObject({ attempts: 2 })
  expect((await run([unavailable], query, 0)).result).toBe(unavailable)
})

test('Retry-After is respected', async () => {
  const throttled = new TargetError('Too many.', { transient: true, status: 429, retryAfter: '1' })
  expect((await run([throttled])).waits).toEqual([1000])
})

test.each([
  ['an error that is not transient', query, new TargetError('Broken.')],
  ['an error of another kind', query, new Error('x')],
  ['a mutation that may have arrived', mutation, unavailable],
])('%s is not retried', async (_, document, error) => {
  expect(await run([error], document)).toMatchObject({ result: error, attempts: 1 })
})

test.each([
  ['was not sent', { unsent: true }],
  ['was throttled', { unsent: true, status: 429 }],
])('a mutation that %s is retried', async (_, options) => {
  expect(await run([new TargetError('x', { ...options, transient: true })], mutation)).toMatchObject({ attempts: 2 })
})

function targetAt(baseUrl: URL, options: Partial<HttpTargetOptions> = {}) {
  const target = createHttpTarget({ baseUrl, timeoutMs: 1000, ...options })
  onTestFinished(() => target.close())
  return target
}

test.each([[408], [425], [429], [502], [503], [504], [520], [524]])(
  'over HTTP, a query is repeated after %i',
  async (status) => {
    let requests = 0
    await using server = await serveHttp((_, response) => {
      requests += 1
      response.writeHead(requests === 1 ? status : 200).end(good)
    })
    const [began, attempts]: [number, Attempt[]] = [performance.now(), []]
    const response = await targetAt(server.baseUrl).send({ query }, { onAttempt: (it) => void attempts.push(it) })
    expect(response).toMatchObject({ status: 200, retriedAfter: [`status ${status}`] })
    expect(attempts.map((it) => it.response?.status)).toEqual([status, 200])
    // Without the wait between the two.
    expect(response.ms).toBeLessThan(performance.now() - began - 195)
  },
)

test('over HTTP, a broken connection repeats a query, and no mutation', async () => {
  let requests = 0
  await using server = await serveTcp((socket) => {
    socket.once('data', () => {
      requests += 1
      if (requests < 3) socket.resetAndDestroy()
      else socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${good.length}\r\n\r\n${good}`)
    })
  })
  await expect(targetAt(server.baseUrl).send({ query: mutation })).rejects.toThrow('closed the connection')
  expect(requests).toBe(1)
  await expect(targetAt(server.baseUrl).send({ query })).resolves.toMatchObject({ retriedAfter: ['no response'] })
})

test('over HTTP, each attempt has its own deadline', async () => {
  let requests = 0
  await using server = await serveHttp((_, response) => {
    requests += 1
    setTimeout(() => response.writeHead(requests < 3 ? 503 : 200).end(good), 350)
  })
  await expect(targetAt(server.baseUrl, { timeoutMs: 600 }).send({ query })).resolves.toMatchObject({
    retriedAfter: ['status 503', 'status 503'],
  })
})

test('over HTTP, a refused connection repeats a mutation', async () => {
  const gone = await serveBody('')
  await gone[Symbol.asyncDispose]()
  const target = targetAt(gone.baseUrl)
  const answer = target.send({ query: mutation })
  // The first attempt fails at once, the second comes 200 ms later.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await using _back = await serveHttp((_, response) => void response.end(good), gone.port)
  expect((await answer).retriedAfter?.[0]).toBe('no response')
})

test.each([
  ['{ a }', true],
  ['query A { a } query B { b }', true],
  ['query A { a } mutation B { b }', false],
  ['fragment F on Query { a }', true],
  ['mutation {', false],
])('%s: may be repeated: %s', (document, reads) => {
  expect(onlyReads(document)).toBe(reads)
  expect(mayRepeat(document, { unsent: false })).toBe(reads)
  expect(mayRepeat(document, { unsent: true })).toBe(true)
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
])('before retry %i, with Retry-After %s: %i ms', (retry, retryAfter, ms) => {
  expect(waitBefore(retry, retryAfter, now)).toBe(ms)
})
