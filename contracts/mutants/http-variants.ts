/** Lawful servers that say the same over HTTP in another way. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpAnswer, HttpRule, Variant } from './mutant.js'
import { needMany, usuallyOpen } from './world-variants.js'

const overHttp = (id: string, about: string, http: HttpRule, more: Partial<Variant> = {}): Variant => ({
  id,
  about,
  http,
  // Little data: what is tested here is the way, not the lists.
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

/** An answer that passes: one request in 37 gets it, so that the same request once more hardly can. */
const nowAndThen =
  (instead: HttpAnswer): HttpRule =>
  (answer, call) =>
    call % 37 === 3 ? instead : answer

const typed =
  (type: string): HttpRule =>
  (answer) => ({ ...answer, headers: { 'content-type': type } })

export const httpVariants: readonly Variant[] = [
  overHttp('http', 'Nothing is other than usual.', (it) => it),
  ...[400, 422].map((status) =>
    overHttp(
      `http-status-${status}`,
      `Answers with errors have the status ${status}.`,
      (answer) => (hasErrors(answer) ? { ...answer, status } : answer),
      { differs: ['error_status'] },
    ),
  ),
  overHttp(
    'http-response-json',
    'Answers are of application/graphql-response+json.',
    typed('application/graphql-response+json; charset=utf-8'),
  ),
  overHttp('http-json-in-capitals', 'The media type is written in capitals.', typed('APPLICATION/JSON;CHARSET=UTF-8')),
  overHttp('http-without-a-type', 'Answers have no media type.', (answer) => ({ ...answer, headers: {} })),
  overHttp('http-gzip', 'Answers are compressed by gzip.', encoded('gzip', gzipSync)),
  overHttp('http-deflate', 'Answers are compressed by deflate.', encoded('deflate', deflateSync)),
  overHttp('http-brotli', 'Answers are compressed by brotli.', encoded('br', brotliCompressSync)),
  overHttp('http-in-pieces', 'Answers come in pieces.', (answer) => {
    const body = whole(answer)
    const middle = Math.floor(body.length / 2)
    return { ...answer, body: [body.subarray(0, 1), body.subarray(1, middle), body.subarray(middle)] }
  }),
  overHttp('http-with-white-space', 'Answers are written over many lines.', (answer) => ({
    ...answer,
    body: Buffer.from(`\n${JSON.stringify(JSON.parse(whole(answer).toString()), null, 2)}\n`),
  })),
  overHttp('http-one-request-a-connection', 'Each connection ends with its answer.', (answer) => ({
    ...answer,
    headers: { ...answer.headers, connection: 'close' },
  })),
  overHttp('http-slow', 'Each answer takes a while.', async (answer) => {
    await wait(1)
    return answer
  }),
  overHttp(
    'http-429-now-and-then',
    'Now and then there are too many requests.',
    nowAndThen({ status: 429, headers: { 'retry-after': '0' }, body: Buffer.from('Slow down.') }),
  ),
  overHttp(
    'http-502-now-and-then',
    'Now and then the gateway cannot reach the server.',
    nowAndThen({
      status: 502,
      headers: { 'content-type': 'text/html', 'retry-after': '0' },
      body: Buffer.from('<h1>Bad Gateway</h1>'),
    }),
  ),
]
