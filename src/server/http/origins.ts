/** Which web pages may call the mock: those of this machine, those that the mock itself serves, and those allowed by name. */
import { isNear, loopbackOnly, readAuthority, type HostRules } from './hosts.js'

const usualPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** Whether a page of this origin may call; `host` is the Host of the request, which was allowed before. */
export function isAllowedOrigin(origin: string, host: string | undefined, rules: HostRules = loopbackOnly): boolean {
  if (rules.origins.includes(origin)) return true
  const [, scheme = '', authority = ''] = /^(https?):\/\/(.*)$/is.exec(origin) ?? []
  const page = readAuthority(authority)
  if (!page) return false
  if (isNear(page.name, rules)) return true
  const mock = readAuthority(host ?? '')
  const usual = usualPorts[scheme.toLowerCase()]
  return page.name === mock?.name && (page.port ?? usual) === (mock.port ?? usual)
}

/** The headers with which a browser lets a page of an allowed origin read the answer. */
export const originHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'origin' }

/** How much of a preflight's list of headers is repeated. */
const longestList = 1000

/** The names of headers in a list, as many whole ones as may be repeated. */
function headerNames(list: string): string {
  const names = list.split(',').map((it) => it.trim())
  let repeated = ''
  for (const name of names.filter((it) => /^[\w!#$%&'*+.^`|~-]+$/.test(it))) {
    const longer = repeated === '' ? name : `${repeated}, ${name}`
    if (longer.length > longestList) break
    repeated = longer
  }
  return repeated
}

/** What a browser wants to know before it sends a request with a JSON body or a token. */
export const preflightHeaders = (requestedHeaders: string | undefined, methods: string): Record<string, string> => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers': headerNames(requestedHeaders ?? '') || 'content-type, authorization',
  'access-control-max-age': '600',
})
