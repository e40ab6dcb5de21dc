/** The way to a target: straight, as always to this machine, or through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for. */
import { createRequire } from 'node:module'
import type * as Undici from 'undici'
import type { Dispatcher } from 'undici'
import { isLoopback } from '../shared/loopback.js'

/** Loaded with the first target: a plan, a list of checks or the mock in this process need no way to anywhere. */
const load = createRequire(import.meta.url)

export interface Way {
  readonly dispatcher: Dispatcher
  /** The proxy that requests went through, without its password; undefined where they went straight. */
  proxy(): string | undefined
  /** The password of the proxy in the forms that it is sent in. */
  readonly secrets: readonly string[]
}

export type Env = Readonly<Record<string, string | undefined>>

export function createWay(
  target: URL,
  { env = {}, timeoutMs }: { readonly env?: Env; readonly timeoutMs: number },
): Way {
  const { buildConnector, EnvHttpProxyAgent } = load('undici') as typeof Undici
  // Http to this machine may carry a token and write unconfirmed: a proxy would take both to another machine in clear.
  const asked = isLoopback(target.hostname) ? {} : env
  const httpProxy = readProxy('HTTP_PROXY', asked)
  const httpsProxy = readProxy('HTTPS_PROXY', asked)
  const proxy = target.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy
  // The deadline of a request comes first; this ends a connection that nobody waits for any more.
  const timeout = timeoutMs + 1000
  const connect = buildConnector({ timeout })
  let straight = false
  const dispatcher = new EnvHttpProxyAgent({
    // An empty text says that there is none; without it, undici would look into the environment of the process.
    httpProxy: httpProxy?.href ?? '',
    httpsProxy: httpsProxy?.href ?? '',
    noProxy: valueOf('NO_PROXY', asked) ?? '',
    // Plain http is asked for as a whole address. Many proxies open tunnels to port 443 only.
    proxyTunnel: false,
    proxyTls: { timeout },
    // Called for connections without a proxy only: NO_PROXY is understood by undici alone.
    connect: (options, callback) => {
      straight = true
      connect(options, callback)
    },
    // One deadline for all is kept elsewhere: these would never end a body that comes in drips.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return { dispatcher, proxy: () => (straight ? undefined : proxy?.origin), secrets: secretsOf(proxy) }
}

const valueOf = (name: string, env: Env) => env[name.toLowerCase()] ?? env[name]

function readProxy(name: string, env: Env): URL | undefined {
  const text = valueOf(name, env)?.trim()
  if (!text) return undefined
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  // Not repeated, because it may hold a password.
  throw new Error(`${name} must be the address of an HTTP proxy, such as http://proxy.example.com:3128.`)
}

function secretsOf(proxy: URL | undefined): string[] {
  if (!proxy?.password) return []
  const [user, password] = [proxy.username, proxy.password].map(decoded) as [string, string]
  return [password, `${user}:${password}`]
}

/** What is no percent encoding stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
