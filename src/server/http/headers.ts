/** Headers that node:http would pass over without a word: all but the first of some, and what comes behind so many. */
import type { IncomingMessage } from 'node:http'
import { refusal, type Outgoing } from './response.js'
import { memoize } from '../../shared/memoize.js'

/** More than any client sends. Their bytes are limited by node:http, which leaves room for four times as many. */
const maxHeaders = 1000

/** A proxy in between may take another one of two than the mock: then the wrong one would be judged. */
const single = ['Host', 'Authorization', 'Content-Type']

/** 0 for a header that may come again; else a bit of its own. */
const bitOf = memoize((name) => {
  const at = single.findIndex((it) => it.toLowerCase() === name.toLowerCase())
  return at < 0 ? 0 : 1 << at
})

const hostBit = bitOf('Host')

/** The refusal of a request with such headers, or without a Host. */
export function wrongHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): Outgoing | undefined {
  const count = rawHeaders.length / 2
  if (count > maxHeaders)
    return refusal(431, 'BAD_REQUEST', `The request has ${count} headers. Send at most ${maxHeaders}.`)
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const bit = bitOf(rawHeaders[at] as string)
    if ((seen & bit) !== 0) {
      const name = single.find((it) => bitOf(it) === bit)
      return refusal(400, 'BAD_REQUEST', `The request has more than one ${name} header. Send one.`)
    }
    seen |= bit
  }
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked')
    return refusal(501, 'NOT_IMPLEMENTED', 'The body is read with a Content-Length or in plain chunks only.')
  if ((seen & hostBit) === 0 && httpVersion !== '1.0')
    return refusal(400, 'BAD_REQUEST', 'The request has no Host header.')
  return undefined
}
