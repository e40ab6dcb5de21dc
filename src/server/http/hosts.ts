/** Which hosts a request may name: those of this machine, and those allowed by name. */
import { canonicalHostname, isIPv6, isLoopback } from '../../shared/loopback.js'
import { quote } from '../../shared/text.js'

/**
 * Which hosts and origins may call besides those of this machine.
 * @example createMock({ allow: { hosts: ['mock.test'], origins: ['https://app.example'] } })
 */
export interface HostRules {
  /** Host names, with or without a port; without one, any port. */
  readonly hosts: readonly string[]
  /** Origins of web pages: `https://app.example`, `https://*.example.dev` for all below a domain, or `null`. */
  readonly origins: readonly string[]
  /** Whether private addresses are allowed, for a server on a local network. */
  readonly lan: boolean
}

export const loopbackOnly: HostRules = { hosts: [], origins: [], lan: false }

interface Authority {
  /** In lower case, an IPv6 address without brackets. */
  readonly name: string
  readonly port: string | undefined
}

/** The longest name in DNS, with a port and brackets. Responses repeat a host, so it must not be longer. */
const maxLength = 261

/** Parses a Host header; undefined if it is malformed. */
export function readAuthority(text: string): Authority | undefined {
  if (text.length > maxLength) return undefined
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const name = bracketed ?? plain
  if (name === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || Number(port ?? 0) > 65_535)
    return undefined
  return { name: canonicalHostname(name), port }
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** RFC 1918, link-local, and the shared addresses of RFC 6598, which overlay networks use. */
const privateIPv4 = /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./

/** Whether an address is private, that is, not of the internet. */
export function isPrivate(hostname: string): boolean {
  const name = canonicalHostname(hostname)
  if (ipv4.test(name)) return privateIPv4.test(name)
  return isIPv6(name) && /^(f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(name)
}

/** Whether a host needs no permission. */
export const isNear = (hostname: string, { lan }: HostRules): boolean =>
  isLoopback(hostname) || (lan && isPrivate(hostname))

/** What is wrong with a host in the rules. */
export const hostProblem = (text: string): string | undefined =>
  readAuthority(text) ? undefined : `${quote(text)} is not a host. Write a name, optionally with a port: mock:4000.`

/** What is wrong with an origin in the rules. */
export function originProblem(text: string): string | undefined {
  // Browsers send `null` for sandboxed frames and files.
  if (text === 'null') return undefined
  const [, authority = ''] = /^[a-z][a-z\d+.-]*:\/\/(?:\*\.(?=[^.]+\.[^.]))?(.*)$/s.exec(text) ?? []
  // Browsers leave out the default port, and it would never match.
  const isAsSent = !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text)
  if (isAsSent && text === text.toLowerCase() && !hostProblem(authority)) return undefined
  return `${quote(text)} is not an origin. Write scheme, host and port without a final slash: https://app.example.`
}

/** Whether a request may name this host. Otherwise a page could reach the mock through a name of its own domain. */
export function isAllowedHost(host: string, rules: HostRules): boolean {
  const authority = readAuthority(host)
  if (!authority) return false
  const isNamed = rules.hosts.map(readAuthority).some((rule) => {
    return rule?.name === authority.name && (rule.port === undefined || rule.port === authority.port)
  })
  return isNamed || isNear(authority.name, rules)
}
