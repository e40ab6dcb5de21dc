/** Which web pages may call the mock: those of this machine, those of the mock itself, and those allowed by name. */
import { isNear, loopbackOnly, readAuthority, type HostRules } from './hosts.js'

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** Whether pages of this origin may call. `host` is the Host of the request, which is allowed already. */
export function isAllowedOrigin(origin: string, host: string | undefined, rules: HostRules = loopbackOnly): boolean {
  if (rules.origins.includes(origin)) return true
  const [, scheme = '', authority = ''] = /^(https?):\/\/(.*)$/is.exec(origin) ?? []
  const page = readAuthority(authority)
  if (!page) return false
  if (isNear(page.name, rules)) return true
  const mock = readAuthority(host ?? '')
  const defaultPort = defaultPorts[scheme.toLowerCase()]
  return page.name === mock?.name && (page.port ?? defaultPort) === (mock.port ?? defaultPort)
}

/** The headers that let a page of an allowed origin read the response. */
export const originHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  vary: 'origin',
})

/** The answer to a preflight request. */
export const preflightHeaders = (requestedHeaders: string | undefined, methods: string): Record<string, string> => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers': requestedHeaders || 'content-type, authorization',
  'access-control-max-age': '600',
})
