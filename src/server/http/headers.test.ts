/** Headers that node:http passes over without a word are refused, because the client may have meant them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json } from './response.js'
import { bytes, exchange, jsonOf, request } from '../hostile.testkit.js'
import { listen, type Listener } from './listen.js'

let listener: Listener
let asked = 0
beforeAll(async () => {
  const door = () => {
    asked += 1
    return Promise.resolve(json(200, { data: 'here' }))
  }
  listener = await listen(door, { port: 0, host: '127.0.0.1', report: String })
})
afterAll(() => listener.close(0))

/** The status of the one answer, and what it says. */
async function answerTo(headers: readonly string[], body = '') {
  const { answers } = await exchange(Number(new URL(listener.origin).port), request('POST / HTTP/1.1', headers, body))
  expect(answers).toHaveLength(1)
  const [answer] = answers
  return [answer?.status, answer && jsonOf(answer)?.errors?.[0]?.message] as const
}

test.each([
  ['Authorization', ['authorization: Bearer a', 'AUTHORIZATION: Bearer b']],
  ['Authorization', ['authorization: Bearer a', 'authorization: Bearer a']],
  ['Content-Type', ['content-type: application/json', 'x: y', 'Content-type: text/plain']],
  ['Host', ['host: localhost', 'host: localhost']],
])('Of two headers %s the first does not count, but both are refused: %j.', async (name, headers) => {
  const before = asked
  expect(await answerTo(headers, '{}')).toEqual([400, `The request has more than one ${name} header. Send one.`])
  expect(asked).toBe(before)
})

test('Other headers may come as often as they like.', async () => {
  const headers = ['accept: text/html', 'accept: application/json', 'x-authorization: a', 'x-authorization: b']
  expect(await answerTo(headers)).toEqual([200, undefined])
})

/** As many headers, with the three that `request` adds. */
const headersOf = (count: number) => Array.from({ length: count - 3 }, () => 'a:b')

test.each([1001, 1999, 2001, 2600])('%d headers are refused with their count.', async (count) => {
  expect(await answerTo(headersOf(count))).toEqual([431, `The request has ${count} headers. Send at most 1000.`])
})

test('1000 headers are read to the last, also where the last one is wrong.', async () => {
  expect(await answerTo(headersOf(1000))).toEqual([200, undefined])
  expect(await answerTo([...headersOf(998), 'authorization: a', 'authorization: b'])).toEqual([
    400,
    'The request has more than one Authorization header. Send one.',
  ])
})

test.each(['gzip, chunked', 'gzip', 'identity, chunked'])(
  'A body that comes as %s is not taken for what it holds.',
  async (coding) => {
    const { answers } = await exchange(
      Number(new URL(listener.origin).port),
      bytes(`POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    )
    // node:http itself refuses what does not end in chunks.
    expect(answers[0]?.status).toBe(coding.endsWith('chunked') ? 501 : 400)
  },
)
