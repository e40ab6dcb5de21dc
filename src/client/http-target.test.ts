import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveBody, serveHttp, serveTcp, type Listening } from './bad-server.testkit.js'
import { createHttpTarget, type HttpTargetOptions } from './http-target.js'
import type { Target } from './target.js'

const good = '{"data":{"it":1}}'
const query = '{ it }'

function targetAt({ baseUrl }: Pick<Listening, 'baseUrl'>, options: Partial<HttpTargetOptions> = {}): Target {
  const target = createHttpTarget({ baseUrl, timeoutMs: 2000, retries: 0, ...options })
  onTestFinished(() => target.close())
  return target
}

interface Heard extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly body: string
}

/** A server that records its requests. */
async function listener() {
  const heard: Heard[] = []
  const server = await serveHttp((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      heard.push({ method: request.method, url: request.url, headers: request.headers, body })
      response.end(good)
    })
  })
  return Object.assign(server, { heard })
}

describe('a request', () => {
  test('is a POST of JSON', async () => {
    await using server = await listener()
    const target = targetAt(server, {
      headers: [{ name: 'X-Shop', value: 'one' }],
      secrets: [{ name: 'Authorization', value: 'Bearer abcdef' }],
    })
    await target.send({ query, variables: { a: [null] }, operationName: 'A' })
    await target.send({ query })
    expect(server.heard.map((it) => it.body)).toEqual([
      '{"query":"{ it }","variables":{"a":[null]},"operationName":"A"}',
      '{"query":"{ it }"}',
    ])
    const { host, ...headers } = server.heard[0]?.headers ?? {}
    expect(host).toBe(`127.0.0.1:${server.port}`)
    expect(headers).toMatchInlineSnapshot(`
      {
        "accept": "application/json, application/graphql-response+json;q=0.9",
        "accept-encoding": "gzip, deflate, br",
        "authorization": "Bearer abcdef",
        "connection": "keep-alive",
        "content-length": "63",
        "content-type": "application/json",
        "user-agent": "commerce-mock",
        "x-shop": "one",
      }
    `)
    expect(server.heard[0]).toMatchObject({ method: 'POST', url: '/api/v2' })
  })

  test('can be a GET with everything in the URL', async () => {
    await using server = await listener()
    await targetAt(server).send(
      { query: '{ a(b: "&=%") }', variables: { a: 'ä&' } },
      { method: 'GET', accept: 'text/x' },
    )
    const { method, url = '', headers, body } = server.heard[0] as Heard
    expect([method, headers.accept, headers['content-type'], body]).toEqual(['GET', 'text/x', undefined, ''])
    const { pathname, searchParams } = new URL(url, server.baseUrl)
    expect(pathname).toBe('/api/v2')
    expect([...searchParams]).toEqual([
      ['query', '{ a(b: "&=%") }'],
      ['variables', '{"a":"ä&"}'],
    ])
  })

  test('is refused with an invalid header, whose value the error does not repeat', () => {
    const baseUrl = new URL('http://127.0.0.1:1/api/v2')
    const secrets = [{ name: 'Authorization', value: 'Bearer canary\r\nX: y' }]
    expect(() => createHttpTarget({ baseUrl, secrets })).toThrowErrorMatchingInlineSnapshot(
      `[Error: The value of the header Authorization contains an invalid character.]`,
    )
  })
})

test('connections are reused, and closed with the target', async () => {
  await using server = await listener()
  const target = targetAt(server)
  for (let sent = 0; sent < 10; sent += 1) await target.send({ query })
  // undici opens a second one now and then.
  expect(server.connections()).toBeLessThan(4)
  await target.close()
  await expect.poll(server.open, { timeout: 500, interval: 10 }).toBe(0)
})

describe('a response can be', () => {
  const json = { 'content-type': 'application/json' }
  test.each([
    { what: '200', status: 200, body: good, data: { it: 1 } },
    { what: '294', status: 294, body: '{"data":null,"errors":[{"message":"a"}]}', data: null, errors: ['a'] },
    { what: '400', status: 400, body: '{"errors":[{"message":"a"}]}', errors: ['a'] },
    { what: '404', status: 404, body: '{"errors":[{"message":"a"}]}', errors: ['a'] },
    { what: '422', status: 422, body: '{"errors":[{"message":"a","x":1}]}', errors: ['a'] },
    { what: '500', status: 500, body: '{"errors":[{"message":"a"}]}', errors: ['a'] },
    { what: 'plain text', headers: { 'content-type': 'text/plain' }, body: good, data: { it: 1 } },
    { what: 'labeled as HTML', headers: { 'content-type': 'text/html' }, body: good, data: { it: 1 } },
    { what: 'without a media type', headers: {}, body: good, data: { it: 1 } },
    { what: 'after a byte order mark', body: `\ufeff ${good}`, data: { it: 1 } },
    { what: 'with errors: null', body: '{"data":{"it":1},"errors":null}', data: { it: 1 } },
    { what: 'with errors: []', body: '{"data":{"it":1},"errors":[]}', data: { it: 1 }, errors: [] },
    { what: 'brackets in a string', body: `{"data":{"it":"${'[\\"{'.repeat(300)}"}}`, data: { it: '["{'.repeat(300) } },
    { what: 'gzip', body: gzipSync(good), headers: { ...json, 'content-encoding': 'gzip' }, data: { it: 1 } },
    { what: 'br', body: brotliCompressSync(good), headers: { ...json, 'content-encoding': 'br' }, data: { it: 1 } },
    { what: 'deflate', body: deflateSync(good), headers: { 'content-encoding': 'deflate' }, data: { it: 1 } },
    { what: 'identity', body: good, headers: { 'content-encoding': 'identity' }, data: { it: 1 } },
  ])('$what', async ({ status = 200, headers = json, body, data, errors }) => {
    await using server = await serveBody(body, { status, headers })
    const answer = await targetAt(server).send({ query })
    expect(answer).toMatchObject({ status, retriedAfter: [] })
    if (data !== undefined) expect(answer.body.data).toEqual(data)
    expect('errors' in answer.body).toBe(errors !== undefined)
    expect(answer.body.errors?.map((it) => it.message)).toEqual(errors)
    expect(answer.ms).toBeGreaterThan(0)
  })

  test('data with any keys', async () => {
    const text = '{"data":{"__proto__":{"a":1},"constructor":2},"extensions":{"__proto__":3},"more":4}'
    await using server = await serveBody(text)
    const { body } = await targetAt(server).send({ query })
    expect(JSON.stringify(body)).toBe(text)
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  test('exactly as large as the limit', async () => {
    await using server = await serveBody(good)
    await expect(targetAt(server, { maxBytes: good.length }).send({ query })).resolves.toMatchObject({ status: 200 })
    await expect(targetAt(server, { maxBytes: good.length - 1 }).send({ query })).rejects.toThrow(
      'larger than 16 bytes',
    )
  })
})

test('an unknown host name is a permanent error', async () => {
  const target = targetAt({ baseUrl: new URL('https://no-such-host.invalid/api/v2') }, { timeoutMs: 20_000 })
  await expect(target.send({ query })).rejects.toMatchObject({
    // The second without a network.
    message: expect.stringMatching(/unknown host name|cannot be resolved/) as string,
    permanent: true,
  })
})

describe('a request ends', () => {
  test('with the reason of its signal, in every phase', async () => {
    let requests = 0
    await using silent = await serveTcp((socket) => void socket.once('data', () => (requests += 1)))
    await using shy = await serveTcp(() => {}, 'https')
    await using half = await serveHttp((_, response) => void response.writeHead(200).write(' '))
    await using busy = await serveBody('', { status: 503 })
    const reason = new Error('enough')
    for (const server of [silent, shy, half, busy]) {
      const target = targetAt(server, { retries: 3 })
      const start = performance.now()
      const ended = new AbortController()
      setTimeout(() => ended.abort(reason), 50)
      await expect(target.send({ query }, { signal: ended.signal })).rejects.toBe(reason)
      expect(performance.now() - start).toBeLessThan(1000)
      await expect(target.send({ query }, { signal: ended.signal })).rejects.toBe(reason)
    }
    expect(requests).toBe(1)
  })

  test.each([200, 302, 403, 503])('and closes the connection after %i', async (status) => {
    let over: Promise<unknown> | undefined
    await using endless = await serveHttp((_, response) => {
      over = once(response, 'close')
      const more = () => {
        while (response.write(' '.repeat(16_384)));
      }
      response.writeHead(status, { location: '/' }).on('drain', more)
      more()
    })
    const start = performance.now()
    await expect(targetAt(endless, { maxBytes: 1000 }).send({ query })).rejects.toThrow(/^The (?:target|response)/)
    await over
    expect(performance.now() - start).toBeLessThan(1500)
  })

  test('before a bomb of ten gigabytes uses memory', async () => {
    const member = gzipSync(Buffer.alloc(50_000_000))
    let sent = 0
    await using server = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const more = () => {
        while (sent < 200 && !response.destroyed) {
          sent += 1
          if (!response.write(member)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    const target = targetAt(server, { maxBytes: 1_000_000 })
    const before = process.memoryUsage().arrayBuffers
    const start = performance.now()
    await expect(target.send({ query })).rejects.toThrow('larger than 1000000 bytes')
    expect(performance.now() - start).toBeLessThan(2000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000)
    expect(sent).toBeLessThan(200)
  })
})

test('the name of a target is its address', async () => {
  const target = targetAt({ baseUrl: new URL('https://staging.example.com/api/v2') })
  expect(target.name).toBe('https://staging.example.com/api/v2')
  await target.close()
})
