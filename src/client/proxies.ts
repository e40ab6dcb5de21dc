/** Connects to a target: directly, or through the proxy in HTTPS_PROXY and HTTP_PROXY, unless NO_PROXY names its host. */
import { BlockList, isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { canonicalHostname, isLoopback } from '../shared/loopback.js'

export interface Route {
  /** Loads undici when it is first called, because many commands send nothing. */
  readonly dispatcher: () => Promise<Dispatcher>
  readonly close: () => Promise<void>
  /** The proxy in use, without its password; undefined if the connection is direct. */
  readonly proxy: string | undefined
  /** The password of the proxy, in each form that is sent. */
  readonly secrets: readonly string[]
}

export type Env = Readonly<Record<string, string | undefined>>

export function createRoute(
  target: URL,
  { env = {}, timeoutMs }: { readonly env?: Env; readonly timeoutMs: number },
): Route {
  const proxy = proxyFor(target, env)
  let dispatcher: Promise<Dispatcher> | undefined
  return {
    dispatcher: () => (dispatcher ??= createDispatcher(proxy, timeoutMs)),
    close: async () => (await dispatcher)?.destroy(),
    proxy: proxy?.origin,
    secrets: secretsOf(proxy),
  }
}

async function createDispatcher(proxy: URL | undefined, timeoutMs: number): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici')
  // Ends connections that are no longer waited for. The deadline of a request comes first.
  const connect = { timeout: timeoutMs + 1000 }
  // Headers and bodies have no timeouts, because these never end a body that drips. A request has a deadline of its own.
  const options = { headersTimeout: 0, bodyTimeout: 0 }
  return proxy
    ? // No tunnel for http, because many proxies open tunnels to port 443 only.
      new ProxyAgent({ ...options, uri: proxy.href, proxyTunnel: false, proxyTls: connect })
    : new Agent({ ...options, connect })
}

/** The proxy for a target. Variables for other targets are not read, because they may be wrong. */
function proxyFor(target: URL, env: Env): URL | undefined {
  // http to this machine may carry a token: a proxy would send it to another machine unencrypted.
  if (isLoopback(target.hostname) || bypassesProxy(target, valueOf('NO_PROXY', env) ?? '')) return undefined
  return (target.protocol === 'https:' ? readProxy('HTTPS_PROXY', env) : undefined) ?? readProxy('HTTP_PROXY', env)
}

const valueOf = (name: string, env: Env) => env[name.toLowerCase()] ?? env[name]

function readProxy(name: string, env: Env): URL | undefined {
  const text = valueOf(name, env)?.trim()
  if (!text) return undefined
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  // Not repeated, because it may hold a password.
  throw new Error(`${name} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128.`)
}

function secretsOf(proxy: URL | undefined): string[] {
  if (!proxy?.password) return []
  const [user, password] = [proxy.username, proxy.password].map(decodeURIComponent)
  return [password as string, `${user}:${password}`]
}

/**
 * Whether a list names the host of a target: a name with its subdomains, a wildcard, an address or a network, each with
 * or without a port.
 * @example bypassesProxy(new URL('https://10.1.2.3/api/v2'), 'localhost,*.example.com,10.0.0.0/8') // true
 */
export function bypassesProxy({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = canonicalHostname(hostname).replace(/\.$/, '')
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return noProxy
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      // The last part of a bare IPv6 address is no port.
      const [, name = entry, itsPort = ownPort] = (isIP(entry) === 6 ? null : /^(.+):(\d+)$/.exec(entry)) ?? []
      return itsPort === ownPort && names(canonicalHostname(name), host)
    })
}

const bits = { 4: 32, 6: 128 } as const
const familyOf = (address: string) => isIP(address) as 0 | 4 | 6

function names(name: string, host: string): boolean {
  const [network = '', prefix] = name.split('/')
  const [family, ofHost] = [familyOf(network), familyOf(host)]
  if (family === 0) return nameForm(name).test(host)
  const length = Number(prefix ?? bits[family])
  if (family !== ofHost || !(length >= 0 && length <= bits[family])) return false
  const list = new BlockList()
  list.addSubnet(network, length, `ipv${family}`)
  return list.check(host, `ipv${family}`)
}

/** `example.com`, `.example.com` and `*.example.com` are the same to most clients. */
const nameForm = (name: string): RegExp => {
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  const pattern = domain.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^(?:.+\\.)?${pattern}$`)
}
