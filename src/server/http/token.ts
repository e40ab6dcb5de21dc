/** Checks the bearer token of a request, in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from './response.js'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request carries the token. Without a token, every request is authorized. */
export function isAuthorized(request: HttpRequest, token: string | undefined): boolean {
  if (token === undefined) return true
  const sent = /^bearer +(.+)$/i.exec(request.headers['authorization'] ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(sent.trim()), digest(token))
}
