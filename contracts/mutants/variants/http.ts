/** Conforming servers whose HTTP responses are unusual. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpAnswer, HttpRule, Variant } from '../mutant.js'
import { needMany, usuallyOpen } from './world.js'

const overHttp = (id: string, about: string, http: HttpRule, more: Partial<Variant> = {}): Variant => ({
  id,
  about,
  http,
  // Little data, because lists are not the subject here.
  world: { counts: { customers: 3, segments: 3, stores: 1, products: 60 } },
  open: [...usuallyOpen, ...needMany, 'customers-order-ties'],
  ...more,
})

const whole = ({ body }: HttpAnswer) => Buffer.concat([body].flat())

const encoded =
  (coding: string, encode: (body: Buffer) => Buffer): HttpRule =>
  (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-encoding': coding },
    body: encode(whole(answer)),
  })

const hasErrors = (answer: HttpAnswer) => whole(answer).includes('"errors":')

/** A temporary response: one request in 37 gets it, so a retry hardly can. */
const nowAndThen =
  (instead: HttpAnswer): HttpRule =>
  (answer, call) =>
    call % 37 === 3 ? instead : answer

const typed =
  (type: string): HttpRule =>
  (answer) => ({ ...answer, headers: { 'content-type': type } })

export const httpVariants: readonly Variant[] = [
  overHttp('http', 'Plain HTTP.', (it) => it),
  ...[400, 422].map((status) =>
    overHttp(
      `http-status-${status}`,
      `Responses with errors have status ${status}.`,
      (answer) => (hasErrors(answer) ? { ...answer, status } : answer),
      { differs: ['error_status'] },
    ),
  ),
  overHttp(
    'http-response-json',
    'Responses have the media type application/graphql-response+json.',
    typed('application/graphql-response+json; charset=utf-8'),
  ),
  overHttp('http-json-in-capitals', 'The media type is in capitals.', typed('APPLICATION/JSON;CHARSET=UTF-8')),
  overHttp('http-without-a-type', 'Responses have no media type.', (answer) => ({ ...answer, headers: {} })),
  overHttp('http-gzip', 'Responses are compressed with gzip.', encoded('gzip', gzipSync)),
  overHttp('http-deflate', 'Responses are compressed with deflate.', encoded('deflate', deflateSync)),
  overHttp('http-brotli', 'Responses are compressed with brotli.', encoded('br', brotliCompressSync)),
  overHttp('http-in-pieces', 'Responses arrive in pieces.', (answer) => {
    const body = whole(answer)
    const middle = Math.floor(body.length / 2)
    return { ...answer, body: [body.subarray(0, 1), body.subarray(1, middle), body.subarray(middle)] }
  }),
  overHttp('http-with-white-space', 'Response bodies are pretty-printed.', (answer) => ({
    ...answer,
    body: Buffer.from(`\n${JSON.stringify(JSON.parse(whole(answer).toString()), null, 2)}\n`),
  })),
  overHttp('http-one-request-a-connection', 'The server closes the connection after each response.', (answer) => ({
    ...answer,
    headers: { ...answer.headers, connection: 'close' },
  })),
  overHttp('http-slow', 'Each response is delayed.', async (answer) => {
    await wait(1)
    return answer
  }),
  overHttp(
    'http-429-now-and-then',
    'Some requests get status 429 once.',
    nowAndThen({ status: 429, headers: { 'retry-after': '0' }, body: Buffer.from('Slow down.') }),
    { notices: ['retries'] },
  ),
  overHttp(
    'http-502-now-and-then',
    'Some requests get status 502 once.',
    nowAndThen({
      status: 502,
      headers: { 'content-type': 'text/html', 'retry-after': '0' },
      body: Buffer.from('<h1>Bad Gateway</h1>'),
    }),
    { notices: ['retries'] },
  ),
]
