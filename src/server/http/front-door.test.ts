/** The front door: the response to each request, the same over a socket and from `mock.fetch`. */
import { request as open } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../index.js'
import { limitMessage } from '../graphql/limit-rules.js'

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers that node:http adds. */
const ofCarrier = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
const host = 'mock.test:4000'

const withoutCarrier = (headers: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...headers].filter(([name]) => !ofCarrier.includes(name)))

function overSocket(url: string, { method = 'POST', path = '/api/v2', headers = {}, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = open({ hostname, port, method, path, headers: { host, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: withoutCarrier(received), body: text })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function inProcess(
  mock: Mock,
  { method = 'POST', path = '/api/v2', headers = {}, body }: Sent,
): Promise<Received> {
  // Bytes, because fetch adds a content type to a string.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const init = { method, headers: { host, ...headers }, ...(bytes ? { body: bytes as Uint8Array<ArrayBuffer> } : {}) }
  const response = await mock.fetch(`http://${host}${path}`, init)
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8')
  return { status: response.status, headers: withoutCarrier(response.headers), body: text }
}

const plain: MockOptions = {
  freeze: true,
  counts: { customers: 3, segments: 3, stores: 1, products: 4 },
  allow: { hosts: ['mock.test', 'fixed.test:4000'] },
}

const settings = {
  plain,
  token: { ...plain, token: 't0ken' },
  get: { ...plain, profile: { http_get: 'queries' } },
  lan: { ...plain, allow: { lan: true } },
  'other pages': { ...plain, token: 't0ken', allow: { hosts: ['mock.test'], origins: ['https://app.example'] } },
  'get with a token': { ...plain, token: 't0ken', profile: { http_get: 'queries' } },
  200: { ...plain, profile: { error_status: 200 } },
  400: { ...plain, profile: { error_status: 400 } },
  422: { ...plain, profile: { error_status: 422 } },
} satisfies Record<string, MockOptions>

type Setting = keyof typeof settings

/** For each setting, two mocks of one seed: one that listens, and one that is called in process. */
const pairs = Object.fromEntries(
  Object.entries(settings).map(([name, options]) => [
    name,
    { listening: createMock(options), called: createMock(options), url: '' },
  ]),
)

beforeAll(async () => {
  for (const pair of Object.values(pairs)) pair.url = (await pair.listening.listen({ port: 0 })).url
})

afterAll(() => Promise.all(Object.values(pairs).map(({ listening }) => listening.close())))

/** The response, which must be the same over a socket and in process, except that the latter forbids no host or origin. */
async function answerTo(sent: Sent, setting: Setting = 'plain'): Promise<Received> {
  const { url, called } = pairs[setting] as { url: string; called: Mock }
  const [socket, process] = [await overSocket(url, sent), await inProcess(called, sent)]
  if (socket.status === 403) expect(process.status).not.toBe(403)
  else expect(process).toEqual(socket)
  return socket
}

const json = { 'content-type': 'application/json' }
const graphqlJson = 'application/graphql-response+json'
const typeName = JSON.stringify({ query: '{ __typename }' })
const data = '{"data":{"__typename":"Query"}}'

type Headers = Readonly<Record<string, string>>

/** A POST of JSON to the endpoint. */
const post = (body: string, headers: Headers = {}): Sent => ({ headers: { ...json, ...headers }, body })
const ask = (query: string, headers?: Headers) => post(JSON.stringify({ query }), headers)
/** A POST of JSON to another path. */
const at = (path: string, headers?: Headers): Sent => ({ ...post(typeName, headers), path })
const get = (path: string, headers: Headers = {}): Sent => ({ method: 'GET', path, headers })
const by = (method: string, path = '/api/v2', headers: Headers = {}): Sent => ({ method, path, headers })
/** A GET of the endpoint with parameters. */
const asked = (params: Readonly<Record<string, string>>, headers: Headers = {}): Sent =>
  get(`/api/v2?${String(new URLSearchParams(params))}`, headers)

interface Wanted {
  readonly body?: string
  readonly headers?: Headers
  /** The code of the only error. */
  readonly code?: string
  readonly message?: string
}

type Row = [name: string, send: Sent, status: number, wanted?: Wanted, to?: Setting]

const like = (pattern: RegExp) => expect.stringMatching(pattern) as string
const answered: Wanted = { body: data }
const typed = (type: string): Wanted => ({ headers: { 'content-type': type } })
const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

const nothingAt = (path: string, hint = `The API is at http://${host}/api/v2.`): Wanted => ({
  code: 'NOT_FOUND',
  message: `There is nothing at "${path}". ${hint}`,
})
const notAllowed = (allow: string, message?: string): Wanted => ({
  headers: { allow },
  code: 'METHOD_NOT_ALLOWED',
  ...(message === undefined ? {} : { message }),
})
const unreadable = (message?: string): Wanted => ({
  code: 'BAD_REQUEST',
  ...(message === undefined ? {} : { message }),
})
const notKept: Wanted = { code: 'PERSISTED_QUERY_NOT_SUPPORTED', message: 'PersistedQueryNotSupported' }
const ready: Wanted = { body: expect.stringMatching(/^{"status":"ok",/) as string }
const unauthorized: Wanted = {
  code: 'UNAUTHENTICATED',
  message: 'This mock requires a token. Send the header "Authorization: Bearer TOKEN".',
  headers: { 'www-authenticate': 'Bearer' },
}
const notJson = 'The body is not JSON. Send an object with a member "query".'
const noQuery = 'The member "query" is missing or not a string. It contains the GraphQL document.'
const noPost = 'GET is for queries only. Send mutations by POST.'
const getHint = '/api/v2 takes POST, not "GET". For GET queries, start it with --allow-get.'
const wrongType: Wanted = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'The body must be JSON. Send "Content-Type: application/json".',
}
const notDecoded = (encoding: string): Wanted => ({
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: `The Content-Encoding "${encoding}" is not supported. Send the body uncompressed.`,
  headers: { 'accept-encoding': 'identity' },
})
const otherCharset = (charset: string): Wanted => ({
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: `The charset "${charset}" of the body is not supported. Send JSON in UTF-8.`,
})
const notUtf8 = 'The body is not UTF-8. Send JSON in this encoding.'
const notAcceptable: Wanted = {
  code: 'NOT_ACCEPTABLE',
  message: `This endpoint answers application/json or ${graphqlJson}. Accept one of them.`,
}
const tooLarge: Wanted = {
  code: 'CONTENT_TOO_LARGE',
  message: limitMessage('The body', 'bodyBytes', 2097152),
}
const forbidden = (origin: string, named = origin): Wanted => ({
  code: 'FORBIDDEN',
  message: `Pages of "${origin}" are not allowed. To allow them, start the mock with --allow-origin ${named}.`,
})
const stranger = (shown: string, named = shown): Wanted => ({
  code: 'FORBIDDEN',
  message: `The host "${shown}" is not allowed. To allow it, start the mock with --allow-host ${named}.`,
})

const local = 'http://localhost:3000'
const foreign = 'https://evil.example'
const app = 'https://app.example'
const page = { accept: 'text/html' }
const graphql = { accept: graphqlJson }
const bearer = { authorization: 'Bearer t0ken' }

const somebody = createMock(plain).world.population.table('Customer')?.ids.encode(0)
const picture = `/_mock/avatars/${somebody}.svg`

const paths: Row[] = [
  ['The endpoint', post(typeName), 200, { body: data, headers: jsonHeaders }],
  ['The endpoint with a slash', at('/api/v2/'), 200, answered],
  ['The endpoint with slashes', at('/api/v2///'), 200, answered],
  ['The endpoint with a query', at('/api/v2?query=x'), 200, answered],
  [
    'The root',
    get('/'),
    200,
    { body: expect.stringContaining('href="/api/v2"') as string, ...typed('text/html; charset=utf-8') },
  ],
  [
    'The root of a session',
    get('/s/alice'),
    200,
    { body: expect.stringContaining('href="/s/alice/_mock/health"') as string },
  ],
  ['The root by POST', at('/'), 405, notAllowed('GET, HEAD', '/ takes GET, HEAD, not "POST".')],
  ['Another path', at('/graphql'), 404, nothingAt('/graphql')],
  ['Another version', at('/api/v1'), 404, nothingAt('/api/v1')],
  ['Other letters', at('/API/V2'), 404, nothingAt('/API/V2')],
  ['A path behind the endpoint', at('/api/v2/health'), 404, nothingAt('/api/v2/health')],
  ['A path that ends as the endpoint does', at('/x/api/v2'), 404, nothingAt('/x/api/v2')],
  ['A path of two slashes', at('//api/v2'), 404, nothingAt('//api/v2')],
  ['A path that cannot be decoded', get('/%E0%A4%A'), 404, nothingAt('/%E0%A4%A')],
  ['A long path', get(`/${'x'.repeat(60)}`), 404, nothingAt(`/${'x'.repeat(39)}…`)],
  [
    'The folder of pictures',
    get('/_mock/avatars/'),
    404,
    nothingAt('/_mock/avatars', 'Paths below it: /_mock/avatars/FILE.'),
  ],
  ['A picture of nobody', get('/_mock/avatars/cus_nobody.svg'), 404, nothingAt('/_mock/avatars/cus_nobody.svg')],
  ['A check of health elsewhere', get('/health'), 404, nothingAt('/health')],
  ['A check of health behind the endpoint', get('/api/v2/_mock/health'), 404, nothingAt('/api/v2/_mock/health')],
  ['A check of health', get('/_mock/health'), 200, { body: '{"status":"ok"}', headers: jsonHeaders }],
  ['A check of health with a query', get('/_mock/health?x=/api/v2'), 200, { body: '{"status":"ok"}' }],
  ['A query of health by POST', at('/_mock/health'), 405, notAllowed('GET, HEAD')],
  ['The endpoint with health in the query', at('/api/v2?/_mock/health'), 200, answered],
  ['Another method on an unknown path', by('DELETE', '/nothing'), 404, nothingAt('/nothing')],
]

const methods: Row[] = [
  ['GET of JSON', get('/api/v2', { accept: 'application/json' }), 200, ready],
  ['GET without Accept', get('/api/v2'), 200, ready],
  ['GET of anything', get('/api/v2', { accept: '*/*' }), 200, ready],
  ['GET of anything without a token', get('/api/v2', { accept: '*/*' }), 200, ready, 'token'],
  ['GET with other parameters', get('/api/v2?x=1'), 405, notAllowed('POST', getHint)],
  ['GET of a hash', asked({ extensions: '{"persistedQuery":{"sha256Hash":"x"}}' }), 200, notKept],
  ['GET of a hash without a token', asked({ extensions: '{"persistedQuery":{}}' }), 401, unauthorized, 'token'],
  ['GET of a query by a browser', asked({ query: '{ __typename }' }, page), 405, notAllowed('POST', getHint)],
  ['PUT', { ...post(typeName), method: 'PUT' }, 405, notAllowed('POST', '/api/v2 takes POST, not "PUT".')],
  ['PATCH', { ...post(typeName), method: 'PATCH' }, 405, notAllowed('POST')],
  ['DELETE', by('DELETE'), 405, notAllowed('POST')],
  ['HEAD', by('HEAD'), 200, { body: '', headers: jsonHeaders }],
  ['HEAD of a query', by('HEAD', '/api/v2?query={__typename}'), 405, { body: '', headers: { allow: 'POST' } }],
  ['OPTIONS', by('OPTIONS'), 204, { body: '', headers: { allow: 'POST', 'access-control-allow-methods': 'POST' } }],
  [
    'GET of products',
    get('/_mock/products'),
    200,
    { body: like(/^\{"products":\[\{"uid":"prod_/), headers: jsonHeaders },
  ],
  ['HEAD of products', by('HEAD', '/_mock/products'), 200, { body: '', headers: jsonHeaders }],
  [
    'POST to products',
    at('/_mock/products'),
    405,
    notAllowed('GET, HEAD', '/_mock/products takes GET, HEAD, not "POST".'),
  ],
  ['OPTIONS of products', by('OPTIONS', '/_mock/products'), 204, { headers: { allow: 'GET, HEAD' } }],
  ['GET of a reset', get('/_mock/reset'), 405, notAllowed('POST', '/_mock/reset takes POST, not "GET".')],
  ['A reset', by('POST', '/_mock/reset'), 200, { body: '{"reset":true}', headers: jsonHeaders }],
  ['A reset with a slash', by('POST', '/_mock/reset/'), 200, { body: '{"reset":true}' }],
  ['DELETE of a picture', by('DELETE', picture), 405, notAllowed('GET, HEAD')],
  ['HEAD of a picture', by('HEAD', picture), 200, { body: '', ...typed('image/svg+xml') }],
]

const types: Row[] = [
  ['A body without a type', { body: typeName }, 415, wrongType],
  ['A body of plain text', { body: typeName, headers: { 'content-type': 'text/plain' } }, 415, wrongType],
  ['A form', post('query={a}', { 'content-type': 'application/x-www-form-urlencoded' }), 415, wrongType],
  ['A form of parts', post('--x--', { 'content-type': 'multipart/form-data; boundary=x' }), 415, wrongType],
  ['A GraphQL body', post('{ __typename }', { 'content-type': 'application/graphql' }), 415, wrongType],
  ['JSON in other letters', post(typeName, { 'content-type': 'Application/JSON; Charset=UTF-8' }), 200, answered],
  ['JSON in UTF8', post(typeName, { 'content-type': 'application/json;charset="utf8"' }), 200, answered],
  ['JSON in a charset without a name', post(typeName, { 'content-type': 'application/json; charset=' }), 200, answered],
  ...['utf-16', 'iso-8859-1', 'us-ascii'].map((it): Row => [
    `JSON in ${it}`,
    post(typeName, { 'content-type': `application/json; charset=${it}` }),
    415,
    otherCharset(it),
  ]),
  [
    'JSON in a charset with a long name',
    post(typeName, { 'content-type': `application/json; charset=${'x'.repeat(60)}` }),
    415,
    otherCharset(`${'x'.repeat(40)}…`),
  ],
  ['Accept: JSON', post(typeName, { accept: 'application/json' }), 200, { body: data, headers: jsonHeaders }],
  ['Accept: GraphQL JSON', post(typeName, graphql), 200, typed(`${graphqlJson}; charset=utf-8`)],
  [
    'Preferred: GraphQL JSON',
    post(typeName, { accept: `${graphqlJson}, application/json;q=0.9` }),
    200,
    typed(`${graphqlJson}; charset=utf-8`),
  ],
  ['Accept: anything', post(typeName, { accept: '*/*' }), 200, { headers: jsonHeaders }],
  ['Accept: a page only', post(typeName, page), 406, notAcceptable],
  ['Accept: events only', post(typeName, { accept: 'text/event-stream' }), 406, notAcceptable],
  ['JSON with quality 0', post(typeName, { accept: 'application/json;q=0' }), 406, notAcceptable],
]

const mebibyte = 1024 * 1024
const bigBody = JSON.stringify({ query: '{ __typename }', extensions: { x: 'x'.repeat(2 * mebibyte - 60) } })

const bodies: Row[] = [
  ['No body', post(''), 400, unreadable(notJson)],
  ['Broken JSON', post('{"query":'), 400, unreadable(notJson)],
  ['JSON behind a byte order mark', post(`\uFEFF${typeName}`), 400, unreadable(notJson)],
  [
    'Bytes that are not UTF-8',
    { headers: json, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
    400,
    unreadable(notUtf8),
  ],
  ['Latin 1', { headers: json, body: Buffer.from('{"query":"{ a } # ü"}', 'latin1') }, 400, unreadable(notUtf8)],
  ['JSON that is sent as it is', post(typeName, { 'content-encoding': 'Identity' }), 200, answered],
  ...['gzip', 'br', 'x-gzip', 'identity, gzip'].map((it): Row => [
    `A body encoded by ${it}`,
    { headers: { ...json, 'content-encoding': it }, body: gzipSync(typeName) },
    415,
    notDecoded(it),
  ]),
  [
    'A body with an encoding of a long name',
    post(typeName, { 'content-encoding': 'x'.repeat(60) }),
    415,
    notDecoded(`${'x'.repeat(40)}…`),
  ],
  ['A body without a type, encoded', { headers: { 'content-encoding': 'gzip' }, body: typeName }, 415, wrongType],
  [
    'A list',
    post(`[${typeName}]`),
    400,
    unreadable('The body is a list. Send one request at a time, as an object with a member "query".'),
  ],
  ['A text', post('"{ a }"'), 400, unreadable('The body is not an object. Send one with a member "query".')],
  ['An object without a query', post('{}'), 400, unreadable(noQuery)],
  ['An unknown member', post('{"query":"{ __typename }","id":7}'), 200, answered],
  ['Umlauts and pictures', ask('{ node(id: "öß😀") { id } }'), 200, { body: '{"data":{"node":null}}' }],
  ['A big body', post(bigBody), 200, answered],
  ['A body that is too big', post('x'.repeat(2 * mebibyte + 1)), 413, { ...tooLarge, headers: jsonHeaders }],
  ['A body that is much too big', post('x'.repeat(12 * mebibyte)), 413, tooLarge],
]

const readable = (origin: string): Headers => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  vary: 'origin',
})
const to = (name: string, more: Headers = {}): Sent => post(typeName, { host: name, ...more })

const malformedHost = unreadable('The Host header of the request is malformed.')

const hosts: Row[] = [
  ['This machine', to('localhost:4000'), 200, answered],
  ['This machine without a port', to('localhost'), 200, answered],
  ['This machine by its number', to('127.0.0.1:1'), 200, answered],
  ['This machine by its long number', to('[::1]:4000'), 200, answered],
  ['This machine by all digits of its number', to('[0:0:0:0:0:0:0:1]'), 200, answered],
  ['This machine by its full name', to('localhost.:4000'), 200, answered],
  ['An allowed host', to('mock.test:4000'), 200, answered],
  ['An allowed host in capitals', to('MOCK.test'), 200, answered],
  ['An allowed host at another port', to('mock.test:81'), 200, answered],
  ['A host that is allowed at one port, there', to('fixed.test:4000'), 200, answered],
  ['A host that is allowed at one port, elsewhere', to('fixed.test:4001'), 403, stranger('fixed.test:4001')],
  ['A host that is allowed at one port, without one', to('fixed.test'), 403, stranger('fixed.test')],
  ['A host that is not allowed', to('mock:4000'), 403, stranger('mock:4000')],
  ['A host below an allowed one', to('www.mock.test'), 403, stranger('www.mock.test')],
  ['A host that ends as an allowed one does', to('notmock.test'), 403, stranger('notmock.test')],
  ['A private address', to('192.168.1.5:4000'), 403, stranger('192.168.1.5:4000')],
  ['A private address with `lan`', to('192.168.1.5:4000'), 200, answered, 'lan'],
  ['A public address with `lan`', to('8.8.8.8'), 403, stranger('8.8.8.8'), 'lan'],
  ['Health under a foreign name', get('/_mock/health', { host: 'evil.example' }), 403, stranger('evil.example')],
  ['GraphiQL under a foreign name', get('/api/v2', { ...page, host: 'evil.example' }), 403, stranger('evil.example')],
  ['A preflight under a foreign name', by('OPTIONS', '/api/v2', { host: 'a.b' }), 403, stranger('a.b')],
  ['A foreign name before its token', to('evil.example', bearer), 403, stranger('evil.example'), 'other pages'],
  ['A name of 41 characters', to('a'.repeat(41)), 403, stranger(`${'a'.repeat(40)}…`, 'a'.repeat(41))],
  ['A malformed host', to('localhost/evil'), 400, malformedHost],
  ['Two hosts', to('localhost, evil.example'), 400, malformedHost],
  [
    'A 404 under another name',
    { ...at('/graphql'), headers: { ...json, host: '127.0.0.1:8080' } },
    404,
    { message: 'There is nothing at "/graphql". The API is at http://127.0.0.1:8080/api/v2.' },
  ],
  [
    'A page and a mock of one foreign name',
    to('evil.example', { origin: 'http://evil.example' }),
    403,
    stranger('evil.example'),
  ],
]

const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-trace',
}
const granted = { 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'authorization, x-trace' }

const origins: Row[] = [
  ['A page of this machine', post(typeName, { origin: local }), 200, { body: data, headers: readable(local) }],
  [
    'A page of the mock itself',
    post(typeName, { origin: `http://${host}` }),
    200,
    { headers: readable(`http://${host}`) },
  ],
  ['A page of another site', post(typeName, { origin: foreign }), 403, forbidden(foreign)],
  ['The origin null', post(typeName, { origin: 'null' }), 403, forbidden('null')],
  ['A page of another site that resets', by('POST', '/_mock/reset', { origin: foreign }), 403, forbidden(foreign)],
  ['A page of another site that shows a picture', get(picture, { origin: foreign }), 403, forbidden(foreign)],
  [
    'A preflight of this machine',
    by('OPTIONS', '/api/v2', { origin: local, ...preflight }),
    204,
    { headers: { ...readable(local), ...granted } },
  ],
  ['A preflight of another site', by('OPTIONS', '/api/v2', { origin: foreign, ...preflight }), 403, forbidden(foreign)],
  ['An error that a page may read', at('/graphql', { origin: local }), 404, { headers: readable(local) }],
  [
    'A page that is allowed',
    post(typeName, { origin: app, ...bearer }),
    200,
    { headers: readable(app) },
    'other pages',
  ],
  [
    'An allowed page without its token',
    post(typeName, { origin: app }),
    401,
    { ...unauthorized, headers: { ...unauthorized.headers, ...readable(app) } },
    'other pages',
  ],
  [
    'A preflight of an allowed page',
    by('OPTIONS', '/api/v2', { origin: app, ...preflight }),
    204,
    { headers: { ...readable(app), ...granted } },
    'other pages',
  ],
  ['An error of an allowed page', at('/nothing', { origin: app }), 404, { headers: readable(app) }, 'other pages'],
  [
    'A method that is not allowed, from an allowed page',
    by('PUT', '/_mock/health', { origin: app }),
    405,
    { headers: readable(app) },
    'other pages',
  ],
  ...['https://app.example:444', 'http://app.example', 'https://www.app.example', 'https://app.example.evil'].map(
    (it): Row => [
      `A page of ${it} beside an allowed one`,
      post(typeName, { origin: it, ...bearer }),
      403,
      forbidden(it),
      'other pages',
    ],
  ),
  [
    'A page with an address for an origin',
    post(typeName, { origin: `${foreign}/x` }),
    403,
    forbidden(`${foreign}/x`, 'ORIGIN'),
  ],
  ['A socket of this machine', post(typeName, { origin: 'ws://localhost' }), 403, forbidden('ws://localhost')],
  ...['http://u@localhost', 'http://localhost/path', 'http://localhost:99999'].map((it): Row => [
    `A page of ${it}`,
    post(typeName, { origin: it }),
    403,
    forbidden(it, 'ORIGIN'),
  ]),
  [
    'A page with an origin of many letters',
    post(typeName, { origin: 'x'.repeat(60) }),
    403,
    forbidden(`${'x'.repeat(40)}…`, 'ORIGIN'),
  ],
  [
    'A private page with `lan`',
    to('10.0.0.1:4000', { origin: 'http://10.1.2.3:8080' }),
    200,
    { headers: readable('http://10.1.2.3:8080') },
    'lan',
  ],
  ['A private page', post(typeName, { origin: 'http://10.1.2.3:8080' }), 403, forbidden('http://10.1.2.3:8080')],
  [
    'GraphiQL in a page of this machine',
    get('/api/v2', { ...page, 'accept-encoding': 'gzip', origin: local }),
    200,
    { headers: { vary: 'accept, accept-encoding, origin' } },
  ],
]

const tokens: Row[] = [
  ['No token', post(typeName), 401, unauthorized, 'token'],
  ['A wrong token', post(typeName, { authorization: 'Bearer wrong' }), 401, unauthorized, 'token'],
  ['A token of another kind', post(typeName, { authorization: 'Basic t0ken' }), 401, unauthorized, 'token'],
  ['No token and a body that is too big', post('x'.repeat(3 * mebibyte)), 401, unauthorized, 'token'],
  ['The token', post(typeName, bearer), 200, answered, 'token'],
  ['The token in small letters', post(typeName, { authorization: 'bearer t0ken' }), 200, answered, 'token'],
  ['The token in capitals', post(typeName, { authorization: 'BEARER t0ken' }), 200, answered, 'token'],
  ['A token that is not required', post(typeName, bearer), 200, answered],
  ['A preflight without a token', by('OPTIONS', '/api/v2', { origin: local }), 204, {}, 'token'],
  ['A picture without a token', get(picture), 200, { body: like(/^<svg /) }, 'token'],
  ['Health without a token', get('/_mock/health'), 200, { body: '{"status":"ok"}' }, 'token'],
  ['GraphiQL without a token', get('/api/v2', { ...page, 'accept-encoding': 'gzip' }), 200, {}, 'token'],
  ['Products without a token', get('/_mock/products'), 401, unauthorized, 'token'],
  ['Products with the token', get('/_mock/products', bearer), 200, {}, 'token'],
  ['A reset without a token', by('POST', '/_mock/reset'), 401, unauthorized, 'token'],
  ['A reset with the token', by('POST', '/_mock/reset', bearer), 200, {}, 'token'],
  ['Another method without a token', by('PUT'), 401, unauthorized, 'token'],
  ['GET of a query without a token', asked({ query: '{ __typename }' }), 401, unauthorized, 'get with a token'],
  ['GET of a query with the token', asked({ query: '{ __typename }' }, bearer), 200, answered, 'get with a token'],
]

const byId = { query: 'query A($id: ID!) { node(id: $id) { id } }', variables: '{"id":"x"}', operationName: 'A' }
const two = 'query A { __typename } mutation B { __typename }'
const unclear: Wanted = { code: 'OPERATION_RESOLUTION_FAILURE' }

const gets: Row[] = [
  ['A query', asked({ query: '{ __typename }' }), 200, { body: data, headers: jsonHeaders }, 'get'],
  ['A query with variables', asked(byId), 200, { body: '{"data":{"node":null}}' }, 'get'],
  ['One query of two', asked({ query: two, operationName: 'A' }), 200, answered, 'get'],
  ['A mutation', asked({ query: 'mutation { deleteSegments(items: []) }' }), 405, notAllowed('POST', noPost), 'get'],
  ['A mutation of two', asked({ query: two, operationName: 'B' }), 405, notAllowed('POST', noPost), 'get'],
  [
    'A mutation with a fragment beside it',
    asked({ query: 'mutation B { ...F } fragment F on Mutation { __typename }' }),
    405,
    notAllowed('POST', noPost),
    'get',
  ],
  ['A subscription', asked({ query: 'subscription { a }' }), 405, notAllowed('POST', noPost), 'get'],
  ['A query with a mutation that does not run', asked({ query: two, operationName: 'A' }), 200, answered, 'get'],
  ['A mutation that is wrong', asked({ query: 'mutation { nothing }' }), 405, notAllowed('POST', noPost), 'get'],
  ['Two operations and no name', asked({ query: two }), 200, unclear, 'get'],
  [
    'A mutation by an empty name',
    asked({ query: 'mutation B { __typename }', operationName: '' }),
    405,
    notAllowed('POST', noPost),
    'get',
  ],
  ['No query', get('/api/v2?variables={}'), 400, unreadable(noQuery), 'get'],
  ['Empty parameters', asked({ query: '{ __typename }', variables: '', operationName: '' }), 200, answered, 'get'],
  [
    'Variables that are no JSON',
    asked({ query: '{ a }', variables: '{' }),
    400,
    unreadable('The member "variables" is not an object.'),
    'get',
  ],
  ['A broken document', asked({ query: '{' }), 200, { code: 'GRAPHQL_PARSE_FAILED' }, 'get'],
  ['A query that accepts a page only', asked({ query: '{ __typename }' }, page), 406, notAcceptable, 'get'],
  ['POST', post(typeName), 200, answered, 'get'],
  ['PUT', by('PUT'), 405, notAllowed('GET, POST', '/api/v2 takes GET, POST, not "PUT".'), 'get'],
  ['HEAD', { ...asked({ query: '{ __typename }' }), method: 'HEAD' }, 405, { headers: { allow: 'GET, POST' } }, 'get'],
  ['OPTIONS', by('OPTIONS'), 204, { headers: { allow: 'GET, POST' } }, 'get'],
]

const broken = '{'
const invalid = '{ nothing }'
const uncoerced = JSON.stringify({ query: 'query ($id: ID!) { node(id: $id) { id } }', variables: { id: null } })
const half = '{ bad: customers(query: "x") { edges { cursor } } __typename }'
const hashOnly = '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}'

const statuses: Row[] = [
  ['A syntax error as JSON', ask(broken), 200, { code: 'GRAPHQL_PARSE_FAILED' }],
  ['An invalid document as JSON', ask(invalid), 200, { code: 'GRAPHQL_VALIDATION_FAILED' }],
  ['A bad variable as JSON', post(uncoerced), 200, { code: 'BAD_USER_INPUT' }],
  ['An unclear operation as JSON', ask(two), 200, unclear],
  ['An error of a resolver as JSON', ask(half), 200, { code: 'BAD_FILTER' }],
  ['A hash without a document as JSON', post(hashOnly), 200, notKept],
  ['A syntax error as GraphQL JSON', ask(broken, graphql), 400, { code: 'GRAPHQL_PARSE_FAILED' }],
  ['An invalid document as GraphQL JSON', ask(invalid, graphql), 400, { code: 'GRAPHQL_VALIDATION_FAILED' }],
  ['A bad variable as GraphQL JSON', post(uncoerced, graphql), 400, { code: 'BAD_USER_INPUT' }],
  ['An unclear operation as GraphQL JSON', ask(two, graphql), 400, unclear],
  ['An error of a resolver as GraphQL JSON', ask(half, graphql), 200, { code: 'BAD_FILTER' }],
  ...([200, 400, 422] as const).flatMap((status): Row[] => [
    [`A syntax error where errors are ${status}`, ask(broken), status, { code: 'GRAPHQL_PARSE_FAILED' }, status],
    [`A bad variable as GraphQL JSON where errors are ${status}`, post(uncoerced, graphql), status, {}, status],
    [`An error of a resolver where errors are ${status}`, ask(half), 200, { code: 'BAD_FILTER' }, status],
    [`A hash without a document where errors are ${status}`, post(hashOnly), status, notKept, status],
    [`No JSON where errors are ${status}`, post('{'), 400, unreadable(notJson), status],
  ]),
]

describe.each<[subject: string, rows: readonly Row[]]>([
  ['Paths', paths],
  ['Methods', methods],
  ['Media types', types],
  ['Bodies', bodies],
  ['Hosts', hosts],
  ['Origins', origins],
  ['Tokens', tokens],
  ['GET where the profile allows it', gets],
  ['Statuses', statuses],
])('%s:', (_, rows) => {
  test.each(rows)('%s', async (_name, send, status, wanted = {}, to = 'plain') => {
    const answer = await answerTo(send, to)
    expect({ ...answer, ...errorIn(answer) }).toMatchObject({ status, ...wanted })
  })
})

/** The code and the message of a response with one error. */
function errorIn({ body, headers }: Received): { code?: string; message?: string } {
  if (!headers['content-type']?.includes('json') || body === '') return {}
  const { errors = [] } = JSON.parse(body) as { errors?: { message: string; extensions: { code: string } }[] }
  const [error, ...others] = errors
  return error && others.length === 0 ? { code: error.extensions.code, message: error.message } : {}
}

test('An error response has the form of GraphQL errors and is not cached.', async () => {
  const answer = await answerTo({ ...post(typeName), path: '/graphql' })
  expect(answer.headers).toEqual(jsonHeaders)
  expect(JSON.parse(answer.body)).toEqual({
    errors: [{ message: nothingAt('/graphql').message, extensions: { code: 'NOT_FOUND' } }],
  })
})

test('A foreign page cannot read the error response.', async () => {
  const { headers } = await answerTo(post(typeName, { origin: foreign }))
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('A reset restores the first state of the world.', async () => {
  const list = ask('{ segments(query: "") { edges { node { id name created_at } } } }')
  const before = await answerTo(list)
  const { body } = await answerTo(ask('mutation { createSegment(node: { name: "New" }) { id } }'))
  const changed = await answerTo(list)
  expect(changed.body).toContain('"New"')
  expect((await answerTo({ path: '/_mock/reset' })).body).toBe('{"reset":true}')
  expect(await answerTo(list)).toEqual(before)
  expect((await answerTo(ask('mutation { createSegment(node: { name: "New" }) { id } }'))).body).toBe(body)
})

test('A mutation sent by GET changes nothing.', async () => {
  const list = ask('{ segments(query: "") { edges { node { id } } } }')
  const before = await answerTo(list, 'get')
  const query = 'mutation B { createSegment(node: { name: "New" }) { id } }'
  for (const params of [{ query }, { query, operationName: 'B' }, { query, operationName: '' }]) {
    await answerTo(asked(params as Record<string, string>), 'get')
  }
  expect(await answerTo(list, 'get')).toEqual(before)
})

test('An unknown method is rejected, even if its name is part of another.', async () => {
  const mock = createMock(plain)
  const segment = await mock.execute({ query: 'mutation { createSegment(node: {}) { id } }' })
  expect(segment.errors).toBeUndefined()
  const before = mock.world.population.tables.map(({ definition }) => mock.world.count(definition))
  for (const [method, path] of [
    ['OST', '/_mock/reset'],
    ['GE', '/_mock/products'],
    ['HEA', picture],
  ] as const) {
    expect((await mock.fetch(`http://${host}${path}`, { method })).status).toBe(405)
  }
  expect(mock.world.population.tables.map(({ definition }) => mock.world.count(definition))).toEqual(before)
})

test('`mock.fetch` takes a Request, a URL, or a URL and options.', async () => {
  const mock = createMock(plain)
  const init = { method: 'POST', headers: json, body: typeName }
  for (const call of [
    () => mock.fetch(new Request('http://anything/api/v2', init)),
    () => mock.fetch('http://anything/api/v2', init),
    () => mock.fetch(new URL('https://anything:8080/api/v2'), init),
  ]) {
    const response = await call()
    expect([response.status, await response.text()]).toEqual([200, data])
  }
})
