/** What cannot be read as a request is told in a sentence that is true of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json } from './response.js'
import { bytes, exchange, jsonOf } from '../hostile.testkit.js'
import { listen, type Listener } from './listen.js'

let listener: Listener
beforeAll(async () => {
  listener = await listen(async (incoming) => json(200, { data: await incoming.body(100) }), {
    port: 0,
    host: '127.0.0.1',
    report: String,
  })
})
afterAll(() => listener.close(0))

const of = (line: string, ...headers: readonly string[]) =>
  `${[line, 'host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const get = (...headers: readonly string[]) => of('GET / HTTP/1.1', ...headers)
const post = (...headers: readonly string[]) => of('POST / HTTP/1.1', ...headers)
const chunked = post('transfer-encoding: chunked')
const long = 'x'.repeat(20_000)

test.each<[sent: string, said: string]>([
  ['hello\r\n\r\n', 'The request does not begin with a method of HTTP/1.1, in capitals.'],
  ['\x16\x03\x01\x02', 'The request does not begin with a method of HTTP/1.1, in capitals.'],
  [of('get / HTTP/1.1'), 'The request does not begin with a method of HTTP/1.1, in capitals.'],
  [of('GET / HTTP/3.0'), 'The request is of another version of HTTP than 1.1.'],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'The request is of another version of HTTP than 1.1.'],
  [of('GET /a b HTTP/1.1'), 'The first line of the request must be a method, an address without spaces, and HTTP/1.1.'],
  [of('GET /\x01 HTTP/1.1'), 'The address of the request has a character that must be percent-encoded, or is none.'],
  [of('GET api HTTP/1.1'), 'The address of the request has a character that must be percent-encoded, or is none.'],
  [get('nothing'), 'The name of a header has a character that it must not have, or no colon behind it.'],
  [get('x y: z'), 'The name of a header has a character that it must not have, or no colon behind it.'],
  [get('x: a\0b'), 'The value of a header has a control character.'],
  [get('x: a', ' b'), 'A header goes on in the next line. Write it in one.'],
  ['GET / HTTP/1.1\r\n x: a\r\n\r\n', 'A space stands before the first header.'],
  ['GET / HTTP/1.1\nhost: localhost\n\n', 'A line of the request does not end in CR LF.'],
  [get('x: a\rb: c'), 'A line of the request does not end in CR LF.'],
  [get('x: a\nb: c'), 'A line of the request does not end in CR LF.'],
  [post('content-length: x'), 'The Content-Length of the request is no whole number of bytes.'],
  [post('content-length: -1'), 'The Content-Length of the request is no whole number of bytes.'],
  [
    post('content-length: 1', 'content-length: 1'),
    'The request says the length of its body twice. Send one Content-Length.',
  ],
  [
    post('content-length: 1', 'transfer-encoding: chunked'),
    'The request has both Content-Length and Transfer-Encoding. Send one of them.',
  ],
  [
    post('transfer-encoding: chunked', 'content-length: 1'),
    'The request has both Content-Length and Transfer-Encoding. Send one of them.',
  ],
  [post('transfer-encoding: gzip'), 'The Transfer-Encoding of the request does not end in "chunked".'],
  [`${chunked}zz\r\n`, 'The size of a chunk of the body is no hexadecimal number that ends its line.'],
  [`${chunked}2\n`, 'The size of a chunk of the body is no hexadecimal number that ends its line.'],
  [`${chunked}1\r\nabc`, 'A chunk of the body is not as long as it says, or its first line has a wrong character.'],
  [`${chunked}1;\0\r\n`, 'A chunk of the body is not as long as it says, or its first line has a wrong character.'],
  [`${chunked}1;${long}`, 'The extensions of a chunk of the body are too long.'],
  [get(`x: ${long}`), 'The address and the headers of the request have more than 16 KiB.'],
  [of(`GET /${long} HTTP/1.1`), 'The address and the headers of the request have more than 16 KiB.'],
])('%j is told: %s', async (sent, said) => {
  const { answers } = await exchange(Number(new URL(listener.origin).port), bytes(sent))
  expect(answers.map((it) => jsonOf(it)?.errors?.[0])).toEqual([{ message: said, extensions: { code: 'BAD_REQUEST' } }])
  expect(answers[0]?.status).toBe(said.includes('KiB') ? 431 : 400)
})
