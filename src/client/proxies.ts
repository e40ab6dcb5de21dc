/** Connects to a target: directly, or through the proxy in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
import type { Dispatcher } from 'undici'
import { isLoopback } from '../shared/loopback.js'
import { bypassesProxy } from './no-proxy.js'

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
