/** Which hosts a request may name: those of this machine, and those that were allowed. */
import { isIPv4, isIPv6 } from 'node:net'
import { canonicalHostname, isLoopback } from '../../shared/loopback.js'
import { quote } from '../../shared/quote.js'

export interface HostRules {
  /** Names with or without a port, as `--allow-host` takes them; without one, any port. */
  readonly hosts: readonly string[]
  /** Origins as `--allow-origin` takes them, such as `https://app.example`. */
  readonly origins: readonly string[]
  /** Whether private addresses are allowed, for a server that a whole network shall reach. */
  readonly lan: boolean
}

export const loopbackOnly: HostRules = { hosts: [], origins: [], lan: false }

interface Authority {
  /** Lower case, an IPv6 address without its brackets. */
  readonly name: string
  readonly port: string | undefined
}

/** The longest name that the domain name system has. Answers repeat a host that is let in, so none is longer. */
const longestName = 253

/** The parts of a Host header, or undefined where it is none. */
export function readAuthority(text: string): Authority | undefined {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const name = bracketed ?? plain
  if (name === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || Number(port ?? 0) > 65_535)
    return undefined
  return { name: canonicalHostname(name), port }
}

/** What is wrong with a text that cannot be read as a host, as the end of a sentence. */
export function whyNoHost(text: string): string {
  if (text.trim() === '') return 'is empty'
  if (isIPv6(text)) return 'is an IPv6 address without its brackets'
  const [, name = '', port] = /^(.*):(\d+)$/s.exec(text) ?? []
  return readAuthority(name) && Number(port) > 65_535 ? 'has a port above 65535' : 'is no host'
}

/** Whether an address belongs to a network that is nobody's in particular: RFC 1918, link-local, unique local. */
export function isPrivate(hostname: string): boolean {
  const name = canonicalHostname(hostname)
  if (isIPv4(name)) return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(name)
  return isIPv6(name) && /^(f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(name)
}

/** Whether a host, without its port, needs no permission. */
export const isNear = (hostname: string, { lan }: HostRules): boolean =>
  hostname.length <= longestName && (isLoopback(hostname) || (lan && isPrivate(hostname)))

/** What is wrong with a host of the rules, if anything. */
export function hostProblem(text: string): string | undefined {
  const authority = readAuthority(text)
  if (!authority) {
    return `${quote(text)} ${whyNoHost(text)}. Write a name, with a port where only that shall be allowed: mock:4000.`
  }
  if (authority.name.length > longestName) return `${quote(text)} has more than ${longestName} characters.`
  return undefined
}

/** What is wrong with an origin of the rules, if anything. */
export function originProblem(text: string): string | undefined {
  const [, authority = ''] = /^[a-z][a-z\d+.-]*:\/\/(.*)$/s.exec(text) ?? []
  // Of http and https a browser leaves out the usual port; of other schemes it knows none.
  const asSent = !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text)
  if (asSent && text === text.toLowerCase() && !hostProblem(authority)) return undefined
  return `${quote(text)} is no origin. Write scheme, host and port, without a slash at the end: https://app.example.`
}

function isAllowed({ name, port }: Authority, rules: HostRules): boolean {
  if (isNear(name, rules)) return true
  return rules.hosts.some((allowed) => {
    const rule = readAuthority(allowed)
    return rule?.name === name && (rule.port === undefined || rule.port === port)
  })
}

/** Whether a request may name this host. A page elsewhere could otherwise reach the mock by a name of its own. */
export function isAllowedHost(host: string, rules: HostRules): boolean {
  const authority = readAuthority(host)
  return authority !== undefined && isAllowed(authority, rules)
}
