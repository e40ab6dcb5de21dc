/** The token that a mock may demand: compared in a time that tells nothing about it. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Incoming } from './response.js'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request carries the token; true for all where none is demanded. `Bearer` in any letter case. */
export function isAuthorized(incoming: Incoming, token: string | undefined): boolean {
  if (token === undefined) return true
  const sent = /^bearer +(.+)$/i.exec(incoming.header('authorization') ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(sent.trim()), digest(token))
}
