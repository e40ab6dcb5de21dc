/** Which web pages may call the mock: those of this machine, those that the mock itself serves, and those allowed by name. */
import { isNear, loopbackOnly, type HostRules } from './hosts.js'

/** Whether a page of this origin may call; `host` is the Host of the request, which was allowed before. */
export function isAllowedOrigin(origin: string, host: string | undefined, rules: HostRules = loopbackOnly): boolean {
  if (rules.origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return isNear(url.hostname, rules) || (url.host !== '' && url.host === host?.toLowerCase())
}

/** The headers with which a browser lets a page of an allowed origin read the answer. */
export const originHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'origin' }

/** What a browser wants to know before it sends a request with a JSON body or a token. */
export const preflightHeaders = (requestedHeaders: string | undefined, methods: string): Record<string, string> => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers': requestedHeaders ?? 'content-type, authorization',
  'access-control-max-age': '600',
})
