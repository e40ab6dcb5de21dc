/** Which web pages may call the mock: those of this machine, those of the mock itself, and those allowed by name. */
import { isNear, loopbackOnly, readAuthority, type HostRules } from './hosts.js'

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** Whether pages of this origin may call. `host` is the Host of the request, which is allowed already. */
export function isAllowedOrigin(origin: string, host: string | undefined, rules: HostRules = loopbackOnly): boolean {
  if (rules.origins.some((rule) => matches(rule, origin))) return true
  const [, scheme = '', authority = ''] = /^(https?):\/\/(.*)$/is.exec(origin) ?? []
  const page = readAuthority(authority)
  if (!page) return false
  if (isNear(page.name, rules)) return true
  const mock = readAuthority(host ?? '')
  const defaultPort = defaultPorts[scheme.toLowerCase()]
  return page.name === mock?.name && (page.port ?? defaultPort) === (mock.port ?? defaultPort)
}

/** Whether an origin is the one of a rule, or below the domain of a rule such as `https://*.example.dev`. */
function matches(rule: string, origin: string): boolean {
  const [start = '', end] = rule.split('*')
  if (end === undefined || !origin.startsWith(start) || !origin.endsWith(end)) return origin === rule
  return /^[a-z\d-]+(\.[a-z\d-]+)*$/.test(origin.slice(start.length, -end.length))
}

/** Headers that a page of another origin needs and browsers hide by default. */
const exposed = 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset'

/** The headers that let a page of an allowed origin read the response. */
export const originHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposed,
  vary: 'origin',
})

/** The answer to a preflight request. */
export const preflightHeaders = (requestedHeaders: string | undefined, methods: string): Record<string, string> => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers': requestedHeaders || 'content-type, authorization',
  'access-control-max-age': '600',
})
