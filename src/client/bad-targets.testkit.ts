/** Targets that give no GraphQL answer, each with the sentence that tells it. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { RequestListener, ServerResponse } from 'node:http'
import { serveBody, serveBytes, serveHttp, serveHttps, serveTcp, type Listening } from './bad-server.testkit.js'
import { createCertificate } from './certificate.testkit.js'

export interface BadTarget {
  readonly name: string
  readonly serve: () => Promise<Listening>
  /** Where it is asked, if not at the base_url of the server. */
  readonly at?: (url: URL) => URL
  /** With PORT in place of the port. */
  readonly says: string
  readonly lasting?: true
}

/** What requests carry as a token, and no message may show. */
export const canary = 'canary-4f/9b+7?&1'

export const deadlineMs = 300

export const maxBytes = 300_000

const html = { 'content-type': 'text/html; charset=utf-8' }
const plain = { 'content-type': 'text/plain' }
const json = { 'content-type': 'application/json' }
const encoded = (coding: string) => ({ ...json, 'content-encoding': coding })
const good = '{"data":{"it":1}}'
const megabytes = Buffer.alloc(20_000_000, ' ')

const status =
  (code: number, body = '', headers: Readonly<Record<string, string>> = json) =>
  () =>
    serveBody(body, { status: code, headers })
const body =
  (text: string | Buffer, headers: Readonly<Record<string, string>> = json) =>
  () =>
    serveBody(text, { headers })
const answering = (listener: RequestListener) => () => serveHttp(listener)

function pour(response: ServerResponse, chunk: string): void {
  const more = () => {
    while (response.write(chunk));
  }
  response.on('drain', more)
  more()
}

const drip = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 60)
  response.once('close', () => clearInterval(timer))
}

const closed = async (): Promise<Listening> => {
  const server = await serveBody('')
  await server[Symbol.asyncDispose]()
  return { ...server, [Symbol.asyncDispose]: () => Promise.resolve() }
}
const tls = (options: Parameters<typeof createCertificate>[0]) => () =>
  serveHttps(createCertificate(options), (_, response) => void response.end(good))

export const badTargets: readonly BadTarget[] = [
  {
    name: 'nothing listens',
    serve: closed,
    lasting: true,
    says: 'The target 127.0.0.1:PORT refuses connections: nothing listens there. Start it, or look at --base-url.',
  },
  {
    name: 'self-signed',
    serve: tls({}),
    lasting: true,
    says: 'The target 127.0.0.1:PORT cannot be trusted: its certificate is signed by itself (DEPTH_ZERO_SELF_SIGNED_CERT). If it is to be trusted, name the file of its authority in NODE_EXTRA_CA_CERTS.',
  },
  {
    name: 'expired',
    serve: tls({ expired: true }),
    lasting: true,
    says: 'The target 127.0.0.1:PORT cannot be trusted: its certificate has expired (CERT_HAS_EXPIRED). Look at --base-url and at the certificate; NODE_EXTRA_CA_CERTS does not help here.',
  },
  {
    name: 'https asked of http',
    serve: body(good),
    at: (url) => Object.assign(new URL(url), { protocol: 'https:' }),
    lasting: true,
    says: 'No secure connection to 127.0.0.1:PORT comes about (ERR_SSL_WRONG_VERSION_NUMBER). Look whether it speaks https at that port, and at NODE_EXTRA_CA_CERTS.',
  },
  {
    name: 'TLS that never comes about',
    serve: () => serveTcp(() => {}, 'https'),
    says: 'The target gave no whole answer within 0.3 s: nothing came. Look at its log, or allow more with --timeout.',
  },
  {
    name: 'no HTTP',
    serve: () => serveBytes('SSH-2.0-OpenSSH_9.7\r\n'),
    says: 'What 127.0.0.1:PORT sends is not HTTP (Expected HTTP/, RTSP/ or ICE/). Look at the port in --base-url.',
  },
  {
    name: 'reset at once',
    serve: () => serveTcp((socket) => void socket.once('data', () => socket.resetAndDestroy())),
    says: 'The target closed the connection before anything came. Look at its log.',
  },
  {
    name: 'closed at once',
    serve: () => serveBytes(''),
    says: 'The target closed the connection before anything came. Look at its log.',
  },
  {
    name: 'silence',
    serve: () => serveTcp(() => {}),
    says: 'The target gave no whole answer within 0.3 s: nothing came. Look at its log, or allow more with --timeout.',
  },
  {
    name: 'head without body',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { keepOpen: true }),
    says: 'The target gave no whole answer within 0.3 s: nothing came. Look at its log, or allow more with --timeout.',
  },
  {
    name: 'head in drips',
    serve: () =>
      serveTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ')
        const timer = setInterval(() => socket.write('x'), 60)
        socket.once('close', () => clearInterval(timer))
      }),
    says: 'The target gave no whole answer within 0.3 s: nothing came. Look at its log, or allow more with --timeout.',
  },
  {
    name: 'body in drips',
    serve: answering((_, response) => drip(response.writeHead(200, json))),
    says: 'The target gave no whole answer within 0.3 s: 4 bytes came. Look at its log, or allow more with --timeout.',
  },
  {
    name: 'truncated body',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"data":'),
    says: 'The target closed the connection after 8 bytes of the answer. Look at its log.',
  },
  {
    name: 'truncated chunks',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"data":\r\n'),
    says: 'The target closed the connection after 8 bytes of the answer. Look at its log.',
  },
  {
    name: 'malformed chunk',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"data":\r\nzz\r\n'),
    says: 'The target sent broken HTTP after 8 bytes of the answer (Invalid character in chunk size). Look at what stands before it.',
  },
  {
    name: 'too many headers',
    serve: () => serveBytes(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
    says: 'The target answered with more headers than can be read. Look at what stands before it.',
  },
  {
    name: 'endless body',
    serve: answering((_, response) => pour(response.writeHead(200, json), ' '.repeat(16_384))),
    says: 'The target sends more than the 300000 bytes that are read of an answer. Look at what it sends at that address.',
  },
  {
    name: 'large body',
    serve: body(megabytes),
    says: 'The target sends more than the 300000 bytes that are read of an answer. Look at what it sends at that address.',
  },
  {
    name: 'gzip bomb',
    serve: body(gzipSync(megabytes), encoded('gzip')),
    says: 'The target sends more than the 300000 bytes that are read of an answer. Look at what it sends at that address.',
  },
  {
    name: 'deflate bomb',
    serve: body(deflateSync(megabytes), encoded('deflate')),
    says: 'The target sends more than the 300000 bytes that are read of an answer. Look at what it sends at that address.',
  },
  {
    name: 'brotli bomb',
    serve: body(brotliCompressSync(megabytes), encoded('br')),
    says: 'The target sends more than the 300000 bytes that are read of an answer. Look at what it sends at that address.',
  },
  {
    name: 'bomb in a bomb',
    serve: body(gzipSync(gzipSync(megabytes)), encoded('gzip, gzip')),
    says: 'The target compresses its answer as “gzip, gzip”, though only gzip, deflate, br were asked for. Look at what stands before it.',
  },
  {
    name: 'unknown coding',
    serve: body(good, encoded('zstd')),
    says: 'The target compresses its answer as “zstd”, though only gzip, deflate, br were asked for. Look at what stands before it.',
  },
  {
    name: 'gzip that is none',
    serve: body(good, encoded('gzip')),
    says: 'The target sent a body that cannot be decompressed (Z_DATA_ERROR). Look at what stands before it.',
  },
  {
    name: 'brotli that is none',
    serve: body(good, encoded('br')),
    says: 'The target sent a body that cannot be decompressed (ERR__ERROR_FORMAT_PADDING_2). Look at what stands before it.',
  },
  {
    name: 'truncated gzip',
    serve: body(gzipSync(good).subarray(0, 20), encoded('gzip')),
    says: 'The target sent a body that cannot be decompressed (Z_BUF_ERROR). Look at what stands before it.',
  },
  {
    name: '301 to another place',
    serve: status(301, '', { location: 'https://user:pw@other.example.com/login?token=1#x' }),
    lasting: true,
    says: 'The target answered 301 and points to https://other.example.com/login. Redirects are not followed, because they would take the token along; give that address as --base-url if it is meant.',
  },
  {
    name: '307 to a path',
    serve: status(307, '', { location: '/graphql?a' }),
    lasting: true,
    says: 'The target answered 307 and points to http://127.0.0.1:PORT/graphql. Redirects are not followed, because they would take the token along; give that address as --base-url if it is meant.',
  },
  {
    name: '302 to a script',
    serve: status(302, '', { location: 'javascript:alert(1)' }),
    lasting: true,
    says: 'The target answered 302 and names no address to go to. Look at --base-url.',
  },
  {
    name: '308 with the token',
    serve: answering(
      (request, response) =>
        void response.writeHead(308, { location: `/${encodeURIComponent(request.headers.authorization ?? '')}` }).end(),
    ),
    lasting: true,
    says: 'The target answered 308 and points to http://127.0.0.1:PORT/[secret]. Redirects are not followed, because they would take the token along; give that address as --base-url if it is meant.',
  },
  {
    name: '304',
    serve: status(304),
    lasting: true,
    says: 'The target answered 304 and names no address to go to. Look at --base-url.',
  },
  {
    name: '401 with GraphQL',
    serve: status(401, '{"errors":[{"message":"no"}]}'),
    lasting: true,
    says: 'The target refuses the caller with 401. The token that was sent does not do: give another with --token-env or --token-file.',
  },
  {
    name: '403',
    serve: status(403, '<html>', html),
    lasting: true,
    says: 'The target refuses the caller with 403. The token that was sent does not do: give another with --token-env or --token-file.',
  },
  {
    name: '407',
    serve: status(407),
    lasting: true,
    says: 'The proxy before the target wants a user and a password (407). Give them in HTTPS_PROXY and HTTP_PROXY as http://user:password@host.',
  },
  {
    name: '429',
    serve: status(429),
    says: 'The target has had too many requests (429). Send fewer at once, with --concurrency.',
  },
  {
    name: '502',
    serve: status(502, good),
    says: 'The target, or what stands before it, answered 502: it is not available now. Try again later.',
  },
  {
    name: '503',
    serve: status(503),
    says: 'The target, or what stands before it, answered 503: it is not available now. Try again later.',
  },
  {
    name: '504',
    serve: status(504),
    says: 'The target, or what stands before it, answered 504: it is not available now. Try again later.',
  },
  { name: '204', serve: status(204), says: 'The target answered 204 with an empty body. Look at its log.' },
  { name: '200, empty', serve: status(200), says: 'The target answered 200 with an empty body. Look at its log.' },
  {
    name: '404, empty',
    serve: status(404),
    lasting: true,
    says: 'The target answered 404 with an empty body. Look whether --base-url is the address of the API.',
  },
  {
    name: '404, text',
    serve: status(404, 'Not found', plain),
    lasting: true,
    says: 'The target answered 404 with a body of text/plain that is not JSON: “Not found”. Look whether --base-url is the address of the API.',
  },
  {
    name: '500, text',
    serve: status(500, 'Internal Server Error', plain),
    says: 'The target answered 500 with a body of text/plain that is not JSON: “Internal Server Error”. Look at its log.',
  },
  {
    name: '400, JSON',
    serve: status(400, '{"message":"Bad Request"}'),
    says: 'The target answered 400 with an object without data and errors, which is no GraphQL answer: “{"message":"Bad Request"}”. Look whether --base-url is the address of the API.',
  },
  {
    name: '200, a web page',
    serve: body(`<!DOCTYPE html><title>Log in \u001b[31m${'ä'.repeat(200)}</title>`, html),
    lasting: true,
    says: 'The target answered 200 with a web page “Log in \\u{1b}[31määääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää…”, which looks like a login or an error page. Look whether --base-url is the address of the API.',
  },
  {
    name: '200, a web page said to be JSON',
    serve: body('<html><body>Hello'),
    lasting: true,
    says: 'The target answered 200 with a web page, which looks like a login or an error page. Look whether --base-url is the address of the API.',
  },
  {
    name: '404, a web page',
    serve: status(404, '<html><title>404</title>', html),
    lasting: true,
    says: 'The target answered 404 with a web page “404”, which looks like a login or an error page. Look whether --base-url is the address of the API.',
  },
  {
    name: '500, a web page',
    serve: status(500, '<html><title>\n Oops \n</title>', html),
    says: 'The target answered 500 with a web page “Oops”, which looks like a login or an error page. Look at its log.',
  },
  {
    name: 'broken JSON',
    serve: body('{"data":{"it":1}'),
    says: 'The target answered 200 with a body of application/json that is not JSON: “{"data":{"it":1}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'JSON after JSON',
    serve: body(`${good}${good}`),
    says: 'The target answered 200 with a body of application/json that is not JSON: “{"data":{"it":1}}{"data":{"it":1}}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'text that acts',
    serve: body('\u001b]0;owned\u0007\u202e\u200b\u2028\u009b31m'),
    says: 'The target answered 200 with a body of application/json that is not JSON: “\\u{1b}]0;owned\\u{7}\\u{202e}\\u{200b}\\u{2028}\\u{9b}31m”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'the token as text',
    serve: answering((request, response) => void response.end(`You sent ${request.headers.authorization}`)),
    says: 'The target answered 200 with a body without a media type that is not JSON: “You sent [secret]”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'the token as a title',
    serve: answering(
      (request, response) =>
        void response.end(`<html><title>${'x'.repeat(75)}${request.headers.authorization}</title>`),
    ),
    lasting: true,
    says: 'The target answered 200 with a web page “xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[secr…”, which looks like a login or an error page. Look whether --base-url is the address of the API.',
  },
  {
    name: 'no UTF-8',
    serve: body(Buffer.from('{"data":{"it":"\xe4"}}', 'latin1')),
    says: 'The target answered 200 with a body that is not UTF-8. Look at what stands before it.',
  },
  {
    name: 'parts',
    serve: body('---\r\n', { 'content-type': 'multipart/mixed; boundary="-"' }),
    says: 'The target answered 200 with a body of multipart/mixed that is not JSON: “---”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'a list',
    serve: body('[{"data":{}}]'),
    says: 'The target answered 200 with a list as JSON, which is no GraphQL answer: “[{"data":{}}]”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'null',
    serve: body('null'),
    says: 'The target answered 200 with null as JSON, which is no GraphQL answer: “null”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'a string',
    serve: body('"data"'),
    says: 'The target answered 200 with a string as JSON, which is no GraphQL answer: “"data"”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'a number',
    serve: body('1'),
    says: 'The target answered 200 with a number as JSON, which is no GraphQL answer: “1”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'an object of something else',
    serve: body('{"status":"ok"}'),
    says: 'The target answered 200 with an object without data and errors, which is no GraphQL answer: “{"status":"ok"}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'data by inheritance',
    serve: body('{"__proto__":{"data":{},"errors":[]},"constructor":1}'),
    says: 'The target answered 200 with an object without data and errors, which is no GraphQL answer: “{"__proto__":{"data":{},"errors":[]},"constructor":1}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'errors that are no list',
    serve: body('{"errors":{"message":"no"}}'),
    says: 'The target answered 200 with `errors` that is no list, which is no GraphQL answer: “{"errors":{"message":"no"}}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'errors that are null, without data',
    serve: body('{"errors":null}'),
    says: 'The target answered 200 with an object without data and errors, which is no GraphQL answer: “{"errors":null}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'an error without a message',
    serve: body('{"data":null,"errors":[{"message":"no"},{"code":1}]}'),
    says: 'The target answered 200 with `errors` of which one has no message, which is no GraphQL answer: “{"data":null,"errors":[{"message":"no"},{"code":1}]}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'an error with a message by inheritance',
    serve: body('{"errors":[{"__proto__":{"message":"no"}}]}'),
    says: 'The target answered 200 with `errors` of which one has no message, which is no GraphQL answer: “{"errors":[{"__proto__":{"message":"no"}}]}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'an error that is text',
    serve: body('{"errors":["no"]}'),
    says: 'The target answered 200 with `errors` of which one has no message, which is no GraphQL answer: “{"errors":["no"]}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'data that is a list',
    serve: body('{"data":[]}'),
    says: 'The target answered 200 with `data` that is no object, which is no GraphQL answer: “{"data":[]}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'data that is text',
    serve: body('{"data":"it"}'),
    says: 'The target answered 200 with `data` that is no object, which is no GraphQL answer: “{"data":"it"}”. Look whether --base-url is the address of the API.',
  },
  {
    name: 'lists 100 000 deep',
    serve: body('['.repeat(100_000) + ']'.repeat(100_000)),
    says: 'The target answered 200 with JSON that is nested deeper than 200. Look at its log.',
  },
  {
    name: 'objects 201 deep',
    serve: body('{"data":'.repeat(201) + '1' + '}'.repeat(201)),
    says: 'The target answered 200 with JSON that is nested deeper than 200. Look at its log.',
  },
]
