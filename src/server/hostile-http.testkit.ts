/** Hostile HTTP: bodies, headers, targets, hosts and foreign web pages. */
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import { mebibyte, typeName, textOf, fixed, all, secret, type Row } from './hostile-row.testkit.js'
import { ask, bytes, get, many, nested, post, postLine, request, type Sent } from './hostile.testkit.js'

const wrongBody =
  (...bodies: readonly (string | Buffer)[]): Row[1] =>
  () =>
    all(...bodies.map((it) => post(it)))
const encoded = (encoding: string, body: Buffer): Sent => post(body, [`content-encoding: ${encoding}`])

/** Ten mebibytes of zeros in ten kibibytes. */
const zippedZeros = gzipSync(Buffer.alloc(10 * mebibyte))

export const bodies: Row[] = [
  ['no body', wrongBody(''), 400, 'BAD_REQUEST'],
  [
    'no JSON',
    wrongBody(
      '{',
      '{"query":',
      'query',
      '{"query":"{ __typename }"',
      "{'query':'{a}'}",
      '{"query":"{ __typename }",}',
      '\0',
      'NaN',
      '{"query": undefined}',
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'JSON that is no object',
    wrongBody('null', '1', 'true', '""', '"{ __typename }"', '[]', '1e400'),
    400,
    'BAD_REQUEST',
  ],
  [
    'a batch',
    wrongBody(`[${typeName}]`, `[${typeName},${typeName}]`, `[${many(10_000, () => typeName, ',')}]`),
    400,
    'BAD_REQUEST',
  ],
  [
    'two documents one after the other',
    wrongBody(`${typeName}${typeName}`, `${typeName}\n${typeName}`),
    400,
    'BAD_REQUEST',
  ],
  [
    'a query that is no text',
    wrongBody(
      ...['null', '1', 'true', '[]', '{}', '["{ __typename }"]'].map((it) => `{"query":${it}}`),
      '{}',
      '{"Query":"{ __typename }"}',
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'variables that are no object',
    wrongBody(...['1', '"{}"', '[]', 'true', '[{}]'].map((it) => `{"query":"{ __typename }","variables":${it}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'an operationName that is no text',
    wrongBody(...['1', '{}', '[]', 'true'].map((it) => `{"query":"{ __typename }","operationName":${it}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'extensions that are no object',
    wrongBody(...['1', '""', '[]', 'true'].map((it) => `{"query":"{ __typename }","extensions":${it}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'members of null',
    fixed(post('{"query":"{ __typename }","variables":null,"operationName":null,"extensions":null}')),
    200,
    'data',
  ],
  ['a member twice, the last one right', fixed(post('{"query":1,"query":"{ __typename }"}')), 200, 'data'],
  ['a member twice, the last one wrong', wrongBody('{"query":"{ __typename }","query":1}'), 400, 'BAD_REQUEST'],
  [
    'a million lists in each other that end',
    fixed(post(`{"query":"{ __typename }","x":${nested(900_000, '[', '', ']')}}`)),
    200,
    'data',
  ],
  ['two million lists in each other that do not end', wrongBody('['.repeat(2_000_000)), 400, 'BAD_REQUEST'],
  ['300 000 objects in each other that do not end', wrongBody('{"a":'.repeat(300_000)), 400, 'BAD_REQUEST'],
  [
    '100 000 members',
    fixed(post(`{"query":"{ __typename }",${many(100_000, (i) => `"k${i}":${i}`, ',')}}`)),
    200,
    'data',
  ],
  [
    'one member 100 000 times',
    fixed(post(`{${'"query":"{ a }",'.repeat(100_000)}"query":"{ __typename }"}`)),
    200,
    'data',
  ],
  [
    'a member with a name of a megabyte',
    fixed(post(`{"query":"{ __typename }","${textOf(mebibyte)}":1}`)),
    200,
    'data',
  ],
  ['a number of a million digits', fixed(post(`{"query":"{ __typename }","x":${'9'.repeat(1_000_000)}}`)), 200, 'data'],
  [
    'UTF-16',
    wrongBody(
      Buffer.from(typeName, 'utf16le'),
      Buffer.from(`\uFEFF${typeName}`, 'utf16le'),
      Buffer.from(typeName, 'utf16le').swap16(),
    ),
    400,
    'BAD_REQUEST',
  ],
  ['a byte order mark', wrongBody(`\uFEFF${typeName}`), 400, 'BAD_REQUEST'],
  [
    'bytes that are no UTF-8 outside of texts',
    wrongBody(
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from([0xc3]),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]),
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'bytes that are no UTF-8 in a text',
    () =>
      all(
        ...[[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]].map((it) =>
          post(
            Buffer.concat([
              Buffer.from('{"query":"query ($id: ID!) { node(id: $id) { id } }","variables":{"id":"'),
              Buffer.from(it),
              Buffer.from('"}}'),
            ]),
          ),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'compressed bodies',
    () =>
      all(
        encoded('gzip', gzipSync(typeName)),
        encoded('br', brotliCompressSync(typeName)),
        encoded('deflate', deflateSync(typeName)),
        encoded('gzip, gzip', gzipSync(gzipSync(typeName))),
        encoded('x-gzip', gzipSync(typeName)),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a gzip bomb of 200 MiB',
    () => encoded('gzip', Buffer.concat(Array.from({ length: 20 }, () => zippedZeros))),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a broken gzip body',
    () => encoded('gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0])),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a body that claims to be compressed and is not',
    () => all(...['gzip', 'br', 'nonsense', textOf(5000)].map((it) => encoded(it, Buffer.from(typeName)))),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a body that is encoded by nothing', fixed(encoded('identity', Buffer.from(typeName))), 200, 'data'],
  [
    'other charsets',
    () =>
      all(
        ...['utf-16', 'latin1', 'utf-7', textOf(5000)].map((it) =>
          post(typeName, [`content-type: application/json; charset=${it}`]),
        ),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
]
const chunks = (body: string, ...headers: readonly string[]): Sent => [
  ...request(postLine, ['content-type: application/json', 'transfer-encoding: chunked', ...headers]),
  Buffer.from(body, 'latin1'),
]
const size = typeName.length.toString(16)
const oneChunk = `${size}\r\n${typeName}\r\n`
const host = 'Host: localhost\r\n'
const headersOf = (count: number) => Array.from({ length: count }, () => 'a: b')

export const http: Row[] = [
  ['no Host', fixed(bytes('POST /api/v2 HTTP/1.1\r\nconnection: close\r\n\r\n')), 400, 'page'],
  [
    'HTTP/1.0',
    fixed(
      bytes(
        `POST /api/v2 HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${typeName.length}\r\n\r\n${typeName}`,
      ),
    ),
    200,
    'data',
  ],
  ['HTTP/0.9', fixed(bytes('GET /\r\n\r\n')), 200, 'page'],
  [
    'versions that are none',
    () =>
      all(
        ...['HTTP/9.9', 'HTTP/1.2', 'http/1.1', 'HTTP/1', 'ICY', ''].map((it) => bytes(`GET / ${it}\r\n${host}\r\n`)),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['HTTP/2 with prior knowledge', fixed(bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')), 400, 'BAD_REQUEST'],
  ['TLS', fixed([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])]), 400, 'BAD_REQUEST'],
  [
    'rubbish',
    () =>
      all(bytes('\0\0\0\0\r\n\r\n'), bytes('hello\r\n\r\n'), bytes(':\r\n\r\n'), bytes('{"query":"{ a }"}\r\n\r\n'), [
        Buffer.alloc(1000, 0xff),
      ]),
    400,
    'BAD_REQUEST',
  ],
  [
    'methods that HTTP does not know',
    () =>
      all(
        ...['BREW', 'post', 'P\0ST', 'GET\t', 'X'.repeat(2000)].map((it) =>
          bytes(`${it} /api/v2 HTTP/1.1\r\n${host}\r\n`),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'methods that the API does not take',
    () =>
      all(
        ...['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'M-SEARCH'].map((it) =>
          request(`${it} /api/v2 HTTP/1.1`, ['content-type: application/json'], typeName),
        ),
      ),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['HEAD', fixed(request('HEAD /api/v2 HTTP/1.1', [])), 200, 'empty'],
  [
    'GET',
    () => all(get('/api/v2?query={__typename}'), get('/api/v2?query={__typename}', ['accept: text/html'])),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['GET by a browser', fixed(get('/api/v2', ['accept: text/html', 'accept-encoding: gzip'])), 200, 'page'],
  [
    'a GET with a body',
    fixed(request('GET /api/v2 HTTP/1.1', ['content-type: application/json'], typeName)),
    200,
    'page',
  ],
  ['OPTIONS', fixed(request('OPTIONS /api/v2 HTTP/1.1', [])), 204, 'empty'],
  ['OPTIONS of everything', fixed(request('OPTIONS * HTTP/1.1', [])), 404, 'NOT_FOUND'],
  [
    'an upgrade',
    () =>
      all(
        post(typeName, [
          'connection: Upgrade, close',
          'upgrade: websocket',
          'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-version: 13',
        ]),
        post(typeName, [
          'connection: Upgrade, HTTP2-Settings, close',
          'upgrade: h2c',
          'http2-settings: AAMAAABkAARAAAAAAAIAAAAA',
        ]),
      ),
    200,
    'data',
  ],
  ['Expect: 100-continue', fixed(post(typeName, ['expect: 100-continue'])), 200, 'data', { answers: 2 }],
  ['chunks', fixed(chunks(`${oneChunk}0\r\n\r\n`)), 200, 'data'],
  [
    'chunks with extensions and trailers',
    fixed(chunks(`${size};a=b\r\n${typeName}\r\n0\r\nX-Trailer: ${secret}\r\nHost: evil.example\r\n\r\n`)),
    200,
    'data',
  ],
  ['chunks of a byte', fixed(chunks(`${[...typeName].map((it) => `1\r\n${it}\r\n`).join('')}0\r\n\r\n`)), 200, 'data'],
  [
    'chunks of broken sizes',
    () =>
      all(
        ...['ZZ', '-1', '0x18', '', 'FFFFFFFFFFFFFFFFFF', '1 8'].map((it) =>
          chunks(`${it}\r\n${typeName}\r\n0\r\n\r\n`),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['a chunk that is longer than its size', fixed(chunks(`4\r\n${typeName}\r\n0\r\n\r\n`)), 400, 'BAD_REQUEST'],
  ['a broken size behind a good chunk', fixed(chunks(`${oneChunk}ZZ\r\n\r\n`)), 400, 'BAD_REQUEST'],
  [
    'an extension of a chunk without an end',
    fixed(chunks(`${size};${'x'.repeat(40_000)}\r\n${typeName}\r\n0\r\n\r\n`)),
    413,
    'empty',
  ],
  [
    'Content-Length and Transfer-Encoding',
    fixed(chunks(`${oneChunk}0\r\n\r\n`, 'content-length: 5')),
    400,
    'BAD_REQUEST',
  ],
  [
    'two lengths',
    fixed(post(typeName, [`content-length: ${typeName.length}`, 'content-length: 3'])),
    400,
    'BAD_REQUEST',
  ],
  [
    'lengths that are none',
    () =>
      all(
        ...['-1', '+5', '1e3', '0x10', '5, 5', 'abc', '99999999999999999999999'].map((it) =>
          post(typeName, [`content-length: ${it}`]),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a coding that is not chunked',
    () =>
      all(
        ...['gzip', 'identity', 'chunked, gzip', 'xchunked'].map((it) => [
          ...request(postLine, [`transfer-encoding: ${it}`]),
          Buffer.from(typeName),
        ]),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['a length that is too short', fixed(post(typeName, ['content-length: 5'])), 400, 'BAD_REQUEST'],
  ['a header that is folded', fixed(bytes(`GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`)), 400, 'BAD_REQUEST'],
  ['a space before a colon', fixed(bytes('GET / HTTP/1.1\r\nHost : localhost\r\n\r\n')), 400, 'BAD_REQUEST'],
  ['a header without a colon', fixed(bytes(`GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`)), 400, 'BAD_REQUEST'],
  ['line ends without CR', fixed(bytes('GET / HTTP/1.1\nHost: localhost\n\n')), 400, 'BAD_REQUEST'],
  [
    'control characters in a header',
    () =>
      all(
        ...['\0', '\x01', '\x7f', '\x1b', '\r', '\n'].map((it) => bytes(`GET / HTTP/1.1\r\n${host}X: a${it}b\r\n\r\n`)),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'control characters in a target',
    () =>
      all(
        ...['\0', '\x01', '\x1b', '\x7f', '\t', '\r', ' x'].map((it) => bytes(`GET /a${it}b HTTP/1.1\r\n${host}\r\n`)),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['headers of 16 KiB', fixed(post(typeName, [`x: ${'x'.repeat(15_000)}`])), 200, 'data'],
  [
    'headers of more than 16 KiB',
    () =>
      all(
        post(typeName, [`x: ${'x'.repeat(17_000)}`]),
        post(
          typeName,
          Array.from({ length: 2000 }, (_, i) => `x-header-${i}: y`),
        ),
        post(typeName, [`cookie: ${secret.repeat(1000)}`]),
      ),
    431,
    'BAD_REQUEST',
  ],
  ['a target of 15 000 characters', fixed(get(`/${'x'.repeat(15_000)}`)), 404, 'NOT_FOUND'],
  ['a target of 20 000 characters', fixed(get(`/${'x'.repeat(20_000)}`)), 431, 'BAD_REQUEST'],
  ['900 headers', fixed(get('/x', headersOf(900))), 404, 'NOT_FOUND'],
  ['2600 headers', fixed(get('/x', headersOf(2600))), 404, 'NOT_FOUND'],
  [
    'paths that climb',
    () =>
      all(
        ...[
          '/../../etc/passwd',
          '/..%2f..%2fetc%2fpasswd',
          '/_mock/avatars/../../../etc/passwd',
          '/_mock/avatars/%2e%2e%2f.svg',
          '/%00',
          '/api/v2%00',
          '/api/v2;a=b',
          '/api%2fv2',
          '/%E0%A4%A',
          '//x',
          '//evil.example/api/v2',
        ].map((it) => get(it)),
      ),
    404,
    'NOT_FOUND',
  ],
  [
    'a path that climbs to the API',
    fixed(request('POST /x/../api/./v2 HTTP/1.1', ['content-type: application/json'], typeName)),
    200,
    'data',
  ],
  [
    'CR and LF by escapes',
    () => all(get('/%0d%0aSet-Cookie:%20a=b'), get('/x?%0d%0aa:%20b'), get('/_mock/avatars/%0d%0aX.svg')),
    404,
    'NOT_FOUND',
  ],
  [
    'CR and LF in what is echoed',
    () =>
      all(
        ask('mutation ($v: ID!) { removeIntegration(id: $v) { id } }', {
          v: 'a\r\nX-Injected: 1\r\n\r\nHTTP/1.1 200 OK',
        }),
      ),
    200,
    'NOT_FOUND',
  ],
  [
    'types that are not JSON',
    () =>
      all(
        ...[
          'text/plain',
          'application/graphql',
          'application/xml',
          'text/json',
          'application/jsonp',
          'application/json-patch+json',
          'application',
          '/',
          ';',
          'application/json, text/plain',
          '*/*',
          textOf(5000),
        ].map((it) => post(typeName, [`content-type: ${it}`])),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'types that are JSON',
    () =>
      all(
        ...[
          'application/json ; charset=utf-8',
          'APPLICATION/JSON',
          'application/json;charset=',
          'application/json;;;',
          'application/json; charset="utf-8"; a=b',
        ].map((it) => post(typeName, [`content-type: ${it}`])),
      ),
    200,
    'data',
  ],
  ['no type', fixed(request(postLine, [], typeName)), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'answers that we do not give',
    () =>
      all(
        ...['text/html', 'image/png', 'application/json;q=0', '*/*;q=0', 'text/event-stream', 'nonsense'].map((it) =>
          post(typeName, [`accept: ${it}`]),
        ),
      ),
    406,
    'NOT_ACCEPTABLE',
  ],
  ['a list of 2000 types', fixed(post(typeName, [`accept: ${'a/b;q=0.1,'.repeat(1400)}*/*`])), 200, 'data'],
  [
    'three requests at once',
    fixed([
      Buffer.concat([
        ...post(typeName, ['connection: keep-alive']),
        ...post(typeName, ['connection: keep-alive']),
        ...post(typeName),
      ] as Buffer[]),
    ]),
    200,
    'data',
    { answers: 3 },
  ],
  [
    '200 requests at once',
    fixed([
      Buffer.concat([
        ...Array.from({ length: 199 }, () => post(typeName, ['connection: keep-alive'])).flat(),
        ...post(typeName),
      ] as Buffer[]),
    ]),
    200,
    'data',
    { answers: 200 },
  ],
  [
    'a request hidden in the body of another',
    fixed(post(`POST /_mock/reset HTTP/1.1\r\n${host}\r\n`)),
    400,
    'BAD_REQUEST',
    { answers: 1 },
  ],
  [
    'a request behind one that is refused',
    fixed([
      Buffer.concat([
        ...post(textOf(100), ['content-type: text/plain', 'connection: keep-alive']),
        ...post(typeName),
      ] as Buffer[]),
    ]),
    200,
    'data',
    { answers: 2 },
  ],
  [
    'a reset by GET',
    () => all(get('/_mock/reset'), get('/_mock/reset?x'), get('/_mock/reset/')),
    405,
    'METHOD_NOT_ALLOWED',
  ],
]

const named = (name: string): Sent => post(typeName, [`host: ${name}`])
const hostNames =
  (...list: readonly string[]): Row[1] =>
  () =>
    all(...list.map(named))
const from = (origin: string): Sent => post(typeName, [`origin: ${origin}`])
const fromAll =
  (...list: readonly string[]): Row[1] =>
  () =>
    all(...list.map(from))
const target = (address: string): Sent =>
  request(`POST ${address} HTTP/1.1`, ['content-type: application/json'], typeName)

export const hostsAndOrigins: Row[] = [
  [
    'hosts of this machine',
    hostNames(
      'localhost',
      'LOCALHOST:4000',
      'a.localhost',
      '127.0.0.1:1',
      '127.9.9.9',
      '[::1]',
      '[::1]:80',
      '[0:0:0:0:0:0:0:1]',
      'localhost.',
    ),
    200,
    'data',
  ],
  [
    'hosts of elsewhere',
    hostNames(
      'evil.example',
      'evil.example:4000',
      'localhost.evil.example',
      'xlocalhost',
      '127.0.0.1.evil.example',
      '[::2]',
      '[fe80::1]',
      '0.0.0.0',
      '[::]',
      '192.168.0.1',
      '10.0.0.1',
    ),
    403,
    'FORBIDDEN',
    { option: '--allow-host' },
  ],
  [
    'hosts that only look like this machine',
    hostNames('127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '127.0.0.256'),
    403,
    'FORBIDDEN',
    { option: '--allow-host' },
  ],
  [
    'hosts that are none',
    hostNames(
      '',
      ' ',
      'a b',
      'a,b',
      'localhost, evil.example',
      'user@localhost',
      'user:x@localhost:80',
      'http://localhost',
      'localhost/',
      'localhost:',
      'localhost:x',
      'localhost:123456',
      'localhost:65536',
      '[::1',
      '::1',
      '[localhost]',
      '[::1%eth0]',
      'lo\tcalhost',
      'm\xfcnchen.example',
      'localhost#',
      'localhost?',
      'a\\b',
      "<script>alert('x')</script>",
    ),
    400,
    'BAD_REQUEST',
  ],
  ['an international name in ASCII', hostNames('xn--mnchen-3ya.example'), 403, 'FORBIDDEN', { option: '--allow-host' }],
  ['a host of 5000 characters', hostNames(`${'a.'.repeat(2500)}b`), 400, 'BAD_REQUEST'],
  [
    'CR and LF in a host',
    () =>
      all(
        bytes('GET / HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n'),
        bytes('GET / HTTP/1.1\r\nHost: localhost\nX y\r\n\r\n'),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a target with the host of this machine',
    () => all(...['http://localhost/api/v2', 'HTTP://LOCALHOST:1/api/v2', 'http://127.0.0.1/api/v2/'].map(target)),
    200,
    'data',
  ],
  [
    'targets that are none',
    () =>
      all(
        ...[
          'http://',
          'http://[',
          'http://localhost:99999/api/v2',
          'http://a b/',
          'evil.example:80',
          '@localhost/api/v2',
          'javascript:alert(1)',
        ].map((it) => request(`POST ${it} HTTP/1.1`, ['content-type: application/json'], typeName)),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'pages of this machine',
    fromAll(
      'http://localhost',
      'http://localhost:3000',
      'https://127.0.0.1:8443',
      'http://[::1]:5173',
      'http://app.localhost',
    ),
    200,
    'data',
  ],
  [
    'pages of elsewhere',
    fromAll(
      'https://evil.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'https://192.168.0.1',
      'http://evil.example:80',
      'https://xn--mnchen-3ya.example',
    ),
    403,
    'FORBIDDEN',
    { option: '--allow-origin' },
  ],
  [
    'pages of nowhere',
    fromAll(
      'null',
      '',
      'undefined',
      'file://',
      'about:blank',
      'data:text/html,x',
      'chrome-extension://abcdefghijklmnop',
      'blob:null/1',
    ),
    403,
    'FORBIDDEN',
  ],
  [
    'origins that only look like this machine',
    fromAll(
      'http://localhost@evil.example',
      'http://evil.example#localhost',
      'http://evil.example?localhost',
      'http://evil.example/localhost',
      'http://evil.example\\localhost',
      'http://localhost%2eevil.example',
      'http://localhost:80:80',
      'http://u@localhost',
      'http://localhost/path',
      'http://localhost:99999',
      'ws://localhost',
      'capacitor://localhost',
    ),
    403,
    'FORBIDDEN',
  ],
  [
    'two origins',
    () =>
      all(
        post(typeName, ['origin: http://localhost', 'origin: https://evil.example']),
        from('http://localhost, https://evil.example'),
        from('http://localhost https://evil.example'),
      ),
    403,
    'FORBIDDEN',
  ],
  ['an origin of 5000 characters', fromAll(`https://${'a.'.repeat(2500)}b`), 403, 'FORBIDDEN'],
  [
    'CR and LF in an origin',
    () =>
      all(
        bytes(`GET / HTTP/1.1\r\n${host}Origin: http://localhost\rX: y\r\n\r\n`),
        bytes(`GET / HTTP/1.1\r\n${host}Origin: http://localhost\0\r\n\r\n`),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a preflight of elsewhere',
    fixed(request('OPTIONS /api/v2 HTTP/1.1', ['origin: https://evil.example', 'access-control-request-method: POST'])),
    403,
    'FORBIDDEN',
  ],
  [
    'a preflight of this machine',
    fixed(
      request('OPTIONS /api/v2 HTTP/1.1', [
        'origin: http://localhost',
        'access-control-request-method: POST',
        `access-control-request-headers: ${'x-a, '.repeat(1000)}b`,
      ]),
    ),
    204,
    'empty',
  ],
]

const evil = [
  'origin: https://evil.example',
  'referer: https://evil.example/',
  'sec-fetch-site: cross-site',
  'cookie: session=1',
]
const attack = 'mutation { createSegment(node: { name: "Driven" }) { id } }'
const parts = (name: string, content: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
const multipart = `${parts('operations', JSON.stringify({ query: attack }))}${parts('map', '{}')}--x--\r\n`
const forms: readonly (readonly [type: string, body: string])[] = [
  ['application/x-www-form-urlencoded', `query=${encodeURIComponent(attack)}`],
  ['text/plain', JSON.stringify({ query: attack })],
  ['text/plain', `{"query":"${attack.replaceAll('"', '\\"')}","x":"=`],
  ['multipart/form-data; boundary=x', multipart],
  ['application/json', JSON.stringify({ query: attack })],
  ['application/graphql', attack],
]

export const foreignPages: Row[] = [
  [
    'forms of pages of elsewhere',
    () => all(...forms.map(([type, body]) => post(body, [`content-type: ${type}`, ...evil]))),
    403,
    'FORBIDDEN',
  ],
  [
    'forms of pages of nowhere',
    () => all(...forms.map(([type, body]) => post(body, [`content-type: ${type}`, 'origin: null']))),
    403,
    'FORBIDDEN',
  ],
  [
    'forms without an origin',
    () =>
      all(
        ...forms
          .filter(([type]) => type !== 'application/json')
          .map(([type, body]) => post(body, [`content-type: ${type}`])),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a form of parts without its boundary',
    () =>
      all(
        ...[
          'multipart/form-data',
          'multipart/form-data; boundary=',
          `multipart/form-data; boundary=${'y'.repeat(500)}`,
          'multipart/mixed',
        ].map((it) => post(multipart, [`content-type: ${it}`])),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'two types, one of a form',
    fixed(post(JSON.stringify({ query: attack }), ['content-type: text/plain', 'content-type: application/json'])),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a reset by a page of elsewhere',
    () =>
      all(
        request('POST /_mock/reset HTTP/1.1', evil),
        request('POST /_mock/reset HTTP/1.1', ['origin: null', 'content-type: text/plain'], 'x'),
      ),
    403,
    'FORBIDDEN',
  ],
  [
    'a picture for a page of elsewhere',
    fixed(get('/api/v2?query={__typename}', ['accept: image/*', ...evil])),
    403,
    'FORBIDDEN',
  ],
  [
    'a page of elsewhere under a name of its own',
    () =>
      all(
        post(JSON.stringify({ query: attack }), ['host: rebind.evil.example', 'origin: http://rebind.evil.example']),
        post(JSON.stringify({ query: attack }), ['host: rebind.evil.example:4000']),
      ),
    403,
    'FORBIDDEN',
    { option: '--allow-host' },
  ],
]
