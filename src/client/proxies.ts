/** Connects to a target: directly, or through the proxy in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
import { createRequire } from 'node:module'
import type * as Undici from 'undici'
import type { Dispatcher } from 'undici'
import { isLoopback } from '../shared/loopback.js'

/** undici is loaded with the first target, because many commands need none. */
const load = createRequire(import.meta.url)

export interface Route {
  readonly dispatcher: Dispatcher
  /** The proxy in use, without its password; undefined if the connection is direct. */
  proxy(): string | undefined
  /** The password of the proxy, in each form that is sent. */
  readonly secrets: readonly string[]
}

export type Env = Readonly<Record<string, string | undefined>>

export function createRoute(
  target: URL,
  { env = {}, timeoutMs }: { readonly env?: Env; readonly timeoutMs: number },
): Route {
  const { buildConnector, EnvHttpProxyAgent } = load('undici') as typeof Undici
  // http to this machine may carry a token: a proxy would send it to another machine unencrypted.
  const proxies = isLoopback(target.hostname) ? {} : env
  const httpProxy = readProxy('HTTP_PROXY', proxies)
  const httpsProxy = readProxy('HTTPS_PROXY', proxies)
  const proxy = target.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy
  // Ends connections that are no longer waited for. The deadline of a request comes first.
  const timeout = timeoutMs + 1000
  const connect = buildConnector({ timeout })
  let isDirect = false
  const dispatcher = new EnvHttpProxyAgent({
    // Without the empty strings, undici reads the environment of the process.
    httpProxy: httpProxy?.href ?? '',
    httpsProxy: httpsProxy?.href ?? '',
    noProxy: valueOf('NO_PROXY', proxies) ?? '',
    // Many proxies open tunnels to port 443 only.
    proxyTunnel: false,
    proxyTls: { timeout },
    // Called for direct connections only. Only undici knows what NO_PROXY means for a host.
    connect: (options, callback) => {
      isDirect = true
      connect(options, callback)
    },
    // These would never end a body that drips. A request has one deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return { dispatcher, proxy: () => (isDirect ? undefined : proxy?.origin), secrets: secretsOf(proxy) }
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
