/** Targets that send no GraphQL response, each with its error message. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { RequestListener, ServerResponse } from 'node:http'
import { serveBody, serveBytes, serveHttp, serveHttps, serveTcp, type Listening } from './bad-server.testkit.js'
import { createCertificate } from './certificate.testkit.js'

export interface BadTarget {
  readonly name: string
  readonly serve: () => Promise<Listening>
  /** Changes the base_url of the server. */
  readonly at?: (url: URL) => URL
  /** With PORT instead of the port. */
  readonly message: string
  readonly permanent?: true
}

/** The token, which no message may show. */
export const canary = 'canary-4f/9b+7?&1'

export const deadlineMs = 300

export const maxBytes = 300_000

const html = { 'content-type': 'text/html; charset=utf-8' }
const plain = { 'content-type': 'text/plain' }
const json = { 'content-type': 'application/json' }
const encoded = (encoding: string) => ({ ...json, 'content-encoding': encoding })
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
    permanent: true,
    message: 'The target 127.0.0.1:PORT refused the connection. Start it, or check --base-url.',
  },
  {
    name: 'self-signed',
    serve: tls({}),
    permanent: true,
    message:
      'The certificate of 127.0.0.1:PORT is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). To trust it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate.',
  },
  {
    name: 'expired',
    serve: tls({ expired: true }),
    permanent: true,
    message:
      'The certificate of 127.0.0.1:PORT is not valid (CERT_HAS_EXPIRED). Check the certificate, --base-url and the clock of this machine.',
  },
  {
    name: 'https asked of http',
    serve: body(good),
    at: (url) => Object.assign(new URL(url), { protocol: 'https:' }),
    permanent: true,
    message:
      'No TLS connection to 127.0.0.1:PORT is possible (ERR_SSL_WRONG_VERSION_NUMBER). Check the scheme and the port in --base-url.',
  },
  {
    name: 'TLS handshake that never ends',
    serve: () => serveTcp(() => {}, 'https'),
    message: 'No complete response came within 0.3 s. Check the target, or raise --timeout.',
  },
  {
    name: 'not HTTP',
    serve: () => serveBytes('SSH-2.0-OpenSSH_9.7\r\n'),
    message: '127.0.0.1:PORT does not speak HTTP (Expected HTTP/, RTSP/ or ICE/). Check the port in --base-url.',
  },
  {
    name: 'reset at once',
    serve: () => serveTcp((socket) => void socket.once('data', () => socket.resetAndDestroy())),
    message: 'The target closed the connection before it responded. Check its log.',
  },
  {
    name: 'closed at once',
    serve: () => serveBytes(''),
    message: 'The target closed the connection before it responded. Check its log.',
  },
  {
    name: 'silence',
    serve: () => serveTcp(() => {}),
    message: 'No complete response came within 0.3 s. Check the target, or raise --timeout.',
  },
  {
    name: 'headers without a body',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { keepOpen: true }),
    message: 'No complete response came within 0.3 s. Check the target, or raise --timeout.',
  },
  {
    name: 'headers that drip',
    serve: () =>
      serveTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ')
        const timer = setInterval(() => socket.write('x'), 60)
        socket.once('close', () => clearInterval(timer))
      }),
    message: 'No complete response came within 0.3 s. Check the target, or raise --timeout.',
  },
  {
    name: 'body that drips',
    serve: answering((_, response) => drip(response.writeHead(200, json))),
    message: 'No complete response came within 0.3 s. Check the target, or raise --timeout.',
  },
  {
    name: 'truncated body',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"data":'),
    message: 'The target closed the connection after 8 bytes of the response. Check its log.',
  },
  {
    name: 'truncated chunks',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"data":\r\n'),
    message: 'The target closed the connection after 8 bytes of the response. Check its log.',
  },
  {
    name: 'malformed chunk',
    serve: () => serveBytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"data":\r\nzz\r\n'),
    message: 'The request to 127.0.0.1:PORT failed after 8 bytes of the response: Invalid character in chunk size.',
  },
  {
    name: 'too many headers',
    serve: () => serveBytes(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
    message: 'The request to 127.0.0.1:PORT failed before it responded: Headers Overflow Error.',
  },
  {
    name: 'endless body',
    serve: answering((_, response) => pour(response.writeHead(200, json), ' '.repeat(16_384))),
    message: 'The response is larger than 300000 bytes. Check what the target sends.',
  },
  {
    name: 'large body',
    serve: body(megabytes),
    message: 'The response is larger than 300000 bytes. Check what the target sends.',
  },
  {
    name: 'gzip bomb',
    serve: body(gzipSync(megabytes), encoded('gzip')),
    message: 'The response is larger than 300000 bytes. Check what the target sends.',
  },
  {
    name: 'deflate bomb',
    serve: body(deflateSync(megabytes), encoded('deflate')),
    message: 'The response is larger than 300000 bytes. Check what the target sends.',
  },
  {
    name: 'brotli bomb',
    serve: body(brotliCompressSync(megabytes), encoded('br')),
    message: 'The response is larger than 300000 bytes. Check what the target sends.',
  },
  {
    name: 'bomb in a bomb',
    serve: body(gzipSync(gzipSync(megabytes)), encoded('gzip, gzip')),
    message:
      'The target compressed the response with “gzip, gzip”, but only gzip, deflate, br are accepted. Check any proxy in front of it.',
  },
  {
    name: 'unknown encoding',
    serve: body(good, encoded('zstd')),
    message:
      'The target compressed the response with “zstd”, but only gzip, deflate, br are accepted. Check any proxy in front of it.',
  },
  {
    name: 'invalid gzip',
    serve: body(good, encoded('gzip')),
    message: 'The response cannot be decompressed (Z_DATA_ERROR). Check any proxy in front of it.',
  },
  {
    name: 'invalid brotli',
    serve: body(good, encoded('br')),
    message: 'The response cannot be decompressed (ERR__ERROR_FORMAT_PADDING_2). Check any proxy in front of it.',
  },
  {
    name: 'truncated gzip',
    serve: body(gzipSync(good).subarray(0, 20), encoded('gzip')),
    message: 'The response cannot be decompressed (Z_BUF_ERROR). Check any proxy in front of it.',
  },
  {
    name: '301 to another place',
    serve: status(301, '', { location: 'https://user:pw@other.example.com/login?token=1#x' }),
    permanent: true,
    message:
      'The target redirects to https://other.example.com/login (301). Redirects are not followed, because they would send the token along. If that is the API, use it as --base-url.',
  },
  {
    name: '307 to a path',
    serve: status(307, '', { location: '/graphql?a' }),
    permanent: true,
    message:
      'The target redirects to http://127.0.0.1:PORT/graphql (307). Redirects are not followed, because they would send the token along. If that is the API, use it as --base-url.',
  },
  {
    name: '302 to a script',
    serve: status(302, '', { location: 'javascript:alert(1)' }),
    permanent: true,
    message: 'The target redirects without a valid address (302). Check --base-url.',
  },
  {
    name: '308 with the token',
    serve: answering(
      (request, response) =>
        void response.writeHead(308, { location: `/${encodeURIComponent(request.headers.authorization ?? '')}` }).end(),
    ),
    permanent: true,
    message:
      'The target redirects to http://127.0.0.1:PORT/[secret] (308). Redirects are not followed, because they would send the token along. If that is the API, use it as --base-url.',
  },
  {
    name: '304',
    serve: status(304),
    permanent: true,
    message: 'The target redirects without a valid address (304). Check --base-url.',
  },
  {
    name: '401 with GraphQL',
    serve: status(401, '{"errors":[{"message":"no"}]}'),
    permanent: true,
    message: 'The target rejected the token (401). Use another with --token-env or --token-file.',
  },
  {
    name: '403',
    serve: status(403, '<html>', html),
    permanent: true,
    message: 'The target rejected the token (403). Use another with --token-env or --token-file.',
  },
  {
    name: '403, a web page of a firewall',
    serve: status(403, '<!doctype html><title>Attention Required! | Cloudflare</title>', html),
    permanent: true,
    message:
      'The target rejected the token (403, “Attention Required! | Cloudflare”). Use another with --token-env or --token-file.',
  },
  {
    name: '503, a web page',
    serve: status(503, '<html><head><title>Down for maintenance</title>', html),
    message: 'The target, or a proxy in front of it, is unavailable (503, “Down for maintenance”). Try again later.',
  },
  {
    name: 'JSON that is cut off',
    serve: body(`{"data":{"names":["${'é'.repeat(1500)}`.slice(0, -1) + 'a'),
    message: 'The target responded with 200 and JSON that is cut off after 3018 bytes. Check any proxy in front of it.',
  },
  {
    name: 'JSON that is cut off within a character',
    serve: body(Buffer.from('{"data":{"name":"é').subarray(0, -1)),
    message: 'The target responded with 200 and JSON that is cut off after 18 bytes. Check any proxy in front of it.',
  },
  {
    name: '407',
    serve: status(407),
    permanent: true,
    message:
      'The proxy in front of the target requires a user name and a password (407). Put them into HTTPS_PROXY or HTTP_PROXY: http://user:password@host.',
  },
  {
    name: '429',
    serve: status(429),
    message: 'The target received too many requests (429). Lower --concurrency.',
  },
  {
    name: '502',
    serve: status(502, good),
    message: 'The target, or a proxy in front of it, is unavailable (502). Try again later.',
  },
  {
    name: '503',
    serve: status(503),
    message: 'The target, or a proxy in front of it, is unavailable (503). Try again later.',
  },
  {
    name: '504',
    serve: status(504),
    message: 'The target, or a proxy in front of it, is unavailable (504). Try again later.',
  },
  { name: '204', serve: status(204), message: 'The target responded with 204 and an empty body. Check its log.' },
  {
    name: '200, empty',
    serve: status(200),
    message: 'The target responded with 200 and an empty body. Check its log.',
  },
  {
    name: '404, empty',
    serve: status(404),
    permanent: true,
    message: 'The target responded with 404 and an empty body. Check that --base-url is the address of the API.',
  },
  {
    name: '404, text',
    serve: status(404, 'Not found', plain),
    permanent: true,
    message:
      'The target responded with 404 and text/plain that is not JSON: “Not found”. Check that --base-url is the address of the API.',
  },
  {
    name: '500, text',
    serve: status(500, 'Internal Server Error', plain),
    message: 'The target responded with 500 and text/plain that is not JSON: “Internal Server Error”. Check its log.',
  },
  {
    name: '400, JSON',
    serve: status(400, '{"message":"Bad Request"}'),
    message:
      'The target responded with 400 and no GraphQL response (neither data nor errors): “{"message":"Bad Request"}”. Check that --base-url is the address of the API.',
  },
  {
    name: '200, a web page',
    serve: body(`<!DOCTYPE html><title>Log in \u001b[31m${'ä'.repeat(200)}</title>`, html),
    permanent: true,
    message:
      'The target responded with 200 and a web page “Log in \\u{1b}[31määääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää…”, probably a login or error page. Check that --base-url is the address of the API.',
  },
  {
    name: '200, a web page labeled as JSON',
    serve: body('<html><body>Hello'),
    permanent: true,
    message:
      'The target responded with 200 and a web page, probably a login or error page. Check that --base-url is the address of the API.',
  },
  {
    name: '404, a web page',
    serve: status(404, '<html><title>404</title>', html),
    permanent: true,
    message:
      'The target responded with 404 and a web page “404”, probably a login or error page. Check that --base-url is the address of the API.',
  },
  {
    name: '500, a web page',
    serve: status(500, '<html><title>\n Oops \n</title>', html),
    message: 'The target responded with 500 and a web page “Oops”, probably a login or error page. Check its log.',
  },
  {
    name: 'broken JSON',
    serve: body('{"data":{"it":1}'),
    message: 'The target responded with 200 and JSON that is cut off after 16 bytes. Check any proxy in front of it.',
  },
  {
    name: 'JSON after JSON',
    serve: body(`${good}${good}`),
    message:
      'The target responded with 200 and application/json that is not JSON: “{"data":{"it":1}}{"data":{"it":1}}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'terminal escapes',
    serve: body('\u001b]0;owned\u0007\u202e\u200b\u2028\u009b31m'),
    message:
      'The target responded with 200 and application/json that is not JSON: “\\u{1b}]0;owned\\u{7}\\u{202e}\\u{200b}\\u{2028}\\u{9b}31m”. Check that --base-url is the address of the API.',
  },
  {
    name: 'the token as text',
    serve: answering((request, response) => void response.end(`You sent ${request.headers.authorization}`)),
    message:
      'The target responded with 200 and text that is not JSON: “You sent [secret]”. Check that --base-url is the address of the API.',
  },
  {
    name: 'the token as a title',
    serve: answering(
      (request, response) =>
        void response.end(`<html><title>${'x'.repeat(75)}${request.headers.authorization}</title>`),
    ),
    permanent: true,
    message:
      'The target responded with 200 and a web page “xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[secr…”, probably a login or error page. Check that --base-url is the address of the API.',
  },
  {
    name: 'not UTF-8',
    serve: body(Buffer.from('{"data":{"it":"\xe4"}}', 'latin1')),
    message: 'The target responded with 200 and a body that is not UTF-8. Check any proxy in front of it.',
  },
  {
    name: 'multipart',
    serve: body('---\r\n', { 'content-type': 'multipart/mixed; boundary="-"' }),
    message:
      'The target responded with 200 and multipart/mixed that is not JSON: “---”. Check that --base-url is the address of the API.',
  },
  {
    name: 'a list',
    serve: body('[{"data":{}}]'),
    message:
      'The target responded with 200 and no GraphQL response (not an object): “[{"data":{}}]”. Check that --base-url is the address of the API.',
  },
  {
    name: 'null',
    serve: body('null'),
    message:
      'The target responded with 200 and no GraphQL response (not an object): “null”. Check that --base-url is the address of the API.',
  },
  {
    name: 'a string',
    serve: body('"data"'),
    message:
      'The target responded with 200 and no GraphQL response (not an object): “"data"”. Check that --base-url is the address of the API.',
  },
  {
    name: 'a number',
    serve: body('1'),
    message:
      'The target responded with 200 and no GraphQL response (not an object): “1”. Check that --base-url is the address of the API.',
  },
  {
    name: 'another object',
    serve: body('{"status":"ok"}'),
    message:
      'The target responded with 200 and no GraphQL response (neither data nor errors): “{"status":"ok"}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'data in __proto__',
    serve: body('{"__proto__":{"data":{},"errors":[]},"constructor":1}'),
    message:
      'The target responded with 200 and no GraphQL response (neither data nor errors): “{"__proto__":{"data":{},"errors":[]},"constructor":1}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'errors that are not a list',
    serve: body('{"errors":{"message":"no"}}'),
    message:
      'The target responded with 200 and no GraphQL response (`errors` is not a list): “{"errors":{"message":"no"}}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'errors that are null, without data',
    serve: body('{"errors":null}'),
    message:
      'The target responded with 200 and no GraphQL response (neither data nor errors): “{"errors":null}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'an error without a message',
    serve: body('{"data":null,"errors":[{"message":"no"},{"code":1}]}'),
    message:
      'The target responded with 200 and no GraphQL response (an error has no message): “{"data":null,"errors":[{"message":"no"},{"code":1}]}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'a message in __proto__',
    serve: body('{"errors":[{"__proto__":{"message":"no"}}]}'),
    message:
      'The target responded with 200 and no GraphQL response (an error has no message): “{"errors":[{"__proto__":{"message":"no"}}]}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'an error that is text',
    serve: body('{"errors":["no"]}'),
    message:
      'The target responded with 200 and no GraphQL response (an error has no message): “{"errors":["no"]}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'data that is a list',
    serve: body('{"data":[]}'),
    message:
      'The target responded with 200 and no GraphQL response (`data` is not an object): “{"data":[]}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'data that is text',
    serve: body('{"data":"it"}'),
    message:
      'The target responded with 200 and no GraphQL response (`data` is not an object): “{"data":"it"}”. Check that --base-url is the address of the API.',
  },
  {
    name: 'lists 100 000 deep',
    serve: body('['.repeat(100_000) + ']'.repeat(100_000)),
    message: `The target responded with 200 and no GraphQL response (not an object): “${'['.repeat(60)}…”. Check that --base-url is the address of the API.`,
  },
]
