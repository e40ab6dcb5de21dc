import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveBody, serveHttps, type Listening } from './bad-server.testkit.js'
import { createCertificate } from './certificate.testkit.js'
import { createHttpTarget } from './http-target.js'
import { bypassesProxy, type Env } from './proxies.js'

const good = '{"data":{"it":1}}'
const query = '{ it }'

/** The server at an address that is not recognized as this machine, because loopback never uses a proxy. */
const elsewhere = ({ baseUrl, port }: Pick<Listening, 'baseUrl' | 'port'>) => {
  const url = new URL(baseUrl)
  url.hostname = '0.0.0.0'
  return { baseUrl: url, port }
}

/** A proxy that logs the first line and the authorization of each request, and forwards it unless it refuses. */
async function startProxy(refuse?: number) {
  const asked: string[] = []
  const keep = (line: string, authorization = '') => void asked.push(`${line} ${authorization}`.trim())
  const server = createServer((request, response) => {
    keep(`${request.method} ${request.url}`, request.headers['proxy-authorization'])
    if (refuse !== undefined) return void response.writeHead(refuse).end()
    const { method, headers, url = '' } = request
    const onward = httpRequest(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    return void request.pipe(onward)
  })
  server.on('connect', (request, socket) => {
    socket.on('error', () => {})
    keep(`CONNECT ${request.url}`, request.headers['proxy-authorization'])
    if (refuse !== undefined) return void socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`)
    const [host, port] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    }).on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, port, address: `http://127.0.0.1:${port}` }
}

const result = async ({ baseUrl, port }: Pick<Listening, 'baseUrl' | 'port'>, env: Env, proxyPort = 0) => {
  const target = createHttpTarget({ baseUrl, env, retries: 0, timeoutMs: 1000 })
  onTestFinished(() => target.close())
  return target.send({ query }).then(
    (it) => JSON.stringify(it.body),
    (thrown: Error) => thrown.message.replaceAll(`:${port}`, ':PORT').replaceAll(`:${proxyPort}`, ':PROXY'),
  )
}

describe('http is proxied with an absolute URL', () => {
  test.each([['HTTP_PROXY'], ['http_proxy']])('by %s', async (name) => {
    await using local = await serveBody(good)
    const server = elsewhere(local)
    const proxy = await startProxy()
    expect(await result(server, { [name]: proxy.address })).toBe(good)
    expect(proxy.asked).toEqual([`POST ${server.baseUrl.href}`])
  })

  test('with user and password, without a scheme in the variable', async () => {
    await using local = await serveBody(good)
    const server = elsewhere(local)
    const proxy = await startProxy()
    expect(await result(server, { HTTP_PROXY: `me:canary%21@127.0.0.1:${proxy.port}` })).toBe(good)
    expect(proxy.asked).toEqual([`POST ${server.baseUrl.href} Basic ${Buffer.from('me:canary!').toString('base64')}`])
  })
})

test('https goes through a tunnel, and the certificate of the target is checked', async () => {
  await using local = await serveHttps(createCertificate(), (_, response) => void response.end(good))
  const server = elsewhere(local)
  const proxy = await startProxy()
  expect(await result(server, { HTTPS_PROXY: proxy.address })).toMatchInlineSnapshot(
    `"The certificate of 0.0.0.0:PORT is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). To trust it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate."`,
  )
  expect(proxy.asked).toEqual([`CONNECT 0.0.0.0:${server.port}`])
})

test.each([['0.0.0.0'], ['example.com, 0.0.0.0'], ['*']])('NO_PROXY=%s connects directly', async (hosts) => {
  await using local = await serveBody(good)
  const server = elsewhere(local)
  const proxy = await startProxy()
  expect(await result(server, { HTTP_PROXY: proxy.address, NO_PROXY: hosts })).toBe(good)
  expect(proxy.asked).toEqual([])
})

test('Only the variable that a target would use is read.', () => {
  const wrong = 'socks5://127.0.0.1:1'
  const create = (baseUrl: string, env: Env) => () => createHttpTarget({ baseUrl: new URL(baseUrl), env })
  const right = 'http://127.0.0.1:1'
  expect(create('https://a.test/', { HTTPS_PROXY: right, HTTP_PROXY: wrong })).not.toThrow()
  expect(create('http://a.test/', { HTTPS_PROXY: wrong, HTTP_PROXY: right })).not.toThrow()
  expect(create('http://a.test/', { HTTP_PROXY: wrong, NO_PROXY: '*.test' })).not.toThrow()
  expect(create('https://a.test/', { HTTPS_PROXY: wrong })).toThrow('HTTPS_PROXY must be')
})

test.each([['127.0.0.1'], ['localhost'], ['foo.localhost']])('%s is never proxied', async (host) => {
  await using server = await serveBody(good)
  const baseUrl = new URL(server.baseUrl)
  baseUrl.hostname = host
  const proxy = await startProxy()
  const { address } = proxy
  // The name may not resolve on this machine.
  await result({ baseUrl, port: server.port }, { HTTP_PROXY: address, HTTPS_PROXY: address, http_proxy: address })
  expect(proxy.asked).toEqual([])
})

test('the environment of the process is ignored if another is given', async () => {
  await using local = await serveBody(good)
  const server = elsewhere(local)
  const proxy = await startProxy()
  process.env['http_proxy'] = proxy.address
  onTestFinished(() => void delete process.env['http_proxy'])
  expect(await result(server, {})).toBe(good)
  expect(proxy.asked).toEqual([])
})

describe('an error of the proxy names the proxy', () => {
  test('if it requires a password', async () => {
    await using local = await serveBody(good)
    const server = elsewhere(local)
    const proxy = await startProxy(407)
    const env = { HTTP_PROXY: `http://me:canary@127.0.0.1:${proxy.port}`, HTTPS_PROXY: proxy.address }
    const message = await result(server, env, proxy.port)
    expect(message).toMatchInlineSnapshot(
      `"The proxy http://127.0.0.1:PROXY requires a user name and a password (407). Put them into HTTPS_PROXY or HTTP_PROXY: http://user:password@host."`,
    )
    const secure = { port: server.port, baseUrl: new URL(`https://0.0.0.0:${server.port}/api/v2`) }
    expect(await result(secure, env, proxy.port)).toBe(message)
  })

  test('if it opens no tunnel', async () => {
    const proxy = await startProxy(403)
    const target = { port: 1, baseUrl: new URL('https://staging.example.com/api/v2') }
    expect(await result(target, { HTTPS_PROXY: proxy.address }, proxy.port)).toMatchInlineSnapshot(
      `"The proxy http://127.0.0.1:PROXY does not connect to staging.example.com (403). Allow the host there, or add it to NO_PROXY."`,
    )
  })

  test('if it is not there', async () => {
    const gone = await serveBody('')
    await gone[Symbol.asyncDispose]()
    const target = { port: 1, baseUrl: new URL('https://staging.example.com/api/v2') }
    const env = { HTTPS_PROXY: `http://me:canary@127.0.0.1:${gone.port}` }
    expect(await result(target, env, gone.port)).toMatchInlineSnapshot(
      `"The proxy http://127.0.0.1:PROXY refused the connection. Start it, or check HTTPS_PROXY and HTTP_PROXY."`,
    )
  })

  test('and never its password', () => {
    const baseUrl = new URL('http://staging.example.com/api/v2')
    for (const address of ['socks5://me:canary@127.0.0.1:1', 'http://me:canary@', 'http://me:canary@a b']) {
      expect(() => createHttpTarget({ baseUrl, env: { HTTP_PROXY: address } })).toThrow(
        /^HTTP_PROXY must be the URL of an HTTP proxy, such as http:\/\/proxy\.example\.com:3128\.$/,
      )
    }
  })
})

const https = 'https://api.example.com/api/v2'

test.each([
  [https, 'example.com'],
  [https, '.example.com'],
  [https, '*.example.com'],
  [https, 'API.example.com'],
  [https, 'other.test, api.example.com:443'],
  [https, 'api.*'],
  [https, 'localhost *'],
  ['http://api.example.com:8080/', 'example.com:8080'],
  ['http://10.1.2.3/', '10.0.0.0/8'],
  ['http://10.1.2.3/', '10.1.2.3'],
  ['http://10.1.2.3/', '10.*'],
  ['http://[fd00::7]/', 'fd00::/8'],
  ['http://[fd00::7]/', '[fd00::7]'],
  ['http://[fd00::7]:81/', '[fd00:0::7]:81'],
  ['http://[fd00::7]/', 'fd00::7'],
])('%s is direct with NO_PROXY=%s', (url, noProxy) => {
  expect(bypassesProxy(new URL(url), noProxy)).toBe(true)
})

test.each([
  [https, ''],
  [https, ' , '],
  [https, 'ple.com'],
  [https, 'example.com:80'],
  [https, 'apixexample.com'],
  [https, '10.0.0.0/8'],
  ['http://11.1.2.3/', '10.0.0.0/8'],
  ['http://10.1.2.3/', '10.0.0.0/99'],
  ['http://10.1.2.3/', '10.0.0.0/x'],
  ['http://[fd00::7]/', '10.0.0.0/8,fd00::8'],
])('%s is not direct with NO_PROXY=%s', (url, noProxy) => {
  expect(bypassesProxy(new URL(url), noProxy)).toBe(false)
})
