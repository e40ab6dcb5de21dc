/** Which web pages may call the mock: those of this machine, and those that the mock itself serves. */

const loopback = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** Whether a host name, without a port, means this machine. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname)

/** Whether a page of this origin may call; `host` is the Host header of the request. */
export function isAllowedOrigin(origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return isLoopback(url.hostname) || url.host === host?.toLowerCase()
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
