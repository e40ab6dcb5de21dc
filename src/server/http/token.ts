/** Checks the bearer token of a request, in constant time. */
import type { HttpRequest } from './response.js'

/** Whether a request carries the token. Without a token, every request is authorized. */
export function isAuthorized(request: HttpRequest, token: string | undefined): boolean {
  if (token === undefined) return true
  return isEqual(sentToken(request), token)
}

/** The bearer token of a request, empty without one. */
export const sentToken = ({ headers }: HttpRequest): string =>
  /^bearer +(.+)$/i.exec(headers['authorization'] ?? '')?.[1]?.trim() ?? ''

/** Its time depends on the length of what was sent, and on nothing else. */
function isEqual(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length
  for (let at = 0; at < sent.length; at++) difference |= sent.charCodeAt(at) ^ token.charCodeAt(at % token.length)
  return difference === 0
}
