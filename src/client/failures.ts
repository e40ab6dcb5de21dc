/** Why no answer came, in words: what undici, Node and OpenSSL report, taken out of its wrappers. */
import { distrustOf } from './tls-errors.js'
import { sanitize } from '../shared/sanitize.js'
import { TargetError, type TargetErrorOptions } from './target.js'

/** No answer came, and what to do about it. */
export interface Failure {
  readonly error: TargetError
  /** Whether the next try may go better. */
  readonly passing?: boolean | undefined
  /** The header `Retry-After`, where one came. */
  readonly retryAfter?: string | undefined
}

interface Told {
  readonly name: string
  readonly code: string
  readonly syscall: string
  readonly message: string
}

const unreachable: readonly string[] = ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']
const lost: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'ETIMEDOUT']

/** What ended a request before a whole answer was there. `host` is the target's, `proxy` the one it went through. */
export function failureOf(
  thrown: unknown,
  { host, proxy, bytes }: { readonly host: string; readonly proxy: string | undefined; readonly bytes: number },
): Failure {
  const { name, code, syscall, message } = told(thrown)
  const failed = (
    sentence: string,
    { passing, ...more }: TargetErrorOptions & { readonly passing?: boolean } = {},
  ) => ({
    error: new TargetError(sentence, more),
    passing,
  })
  // What fails before there is a connection can be repeated, whatever was to be sent.
  const early = { unsent: true, passing: true }
  const refusedByProxy = /Proxy response \((\d+)\)/.exec(message)?.[1]
  if (refusedByProxy === '407' || /Proxy Authentication Required/.test(message)) {
    return { error: proxyWantsPassword(proxy) }
  }
  if (refusedByProxy !== undefined) {
    return failed(
      `The proxy ${proxy} opens no way to ${host}: it answered ${refusedByProxy}. Ask whoever runs it, or leave the host to NO_PROXY.`,
      { lasting: true, unsent: true },
    )
  }

  const who = proxy === undefined ? `The target ${host}` : `The proxy ${proxy}`
  const where = proxy === undefined ? '--base-url' : 'HTTPS_PROXY and HTTP_PROXY'
  if (code === 'ENOTFOUND') {
    return failed(`${who} is not known by name. Look at ${where}.`, { lasting: true, unsent: true })
  }
  if (code === 'EAI_AGAIN') {
    return failed(`${who} cannot be looked up: the name service does not answer. Look at the network.`, {
      lasting: true,
      ...early,
    })
  }
  if (code === 'ECONNREFUSED') {
    return failed(`${who} refuses connections: nothing listens there. Start it, or look at ${where}.`, {
      lasting: true,
      ...early,
    })
  }
  // The same codes end connections that stood; whether the request arrived is then not known.
  if (syscall === 'connect' && unreachable.includes(code)) {
    return failed(`${who} cannot be reached from here (${code}). Look at the network.`, { lasting: true, ...early })
  }
  if (syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return failed(`${who} takes no connection (${code}). Look at the network.`, early)
  }
  const distrust = distrustOf(code, host)
  if (distrust !== undefined) return failed(distrust.sentence, { lasting: true, unsent: distrust.unsent })

  const came = bytes === 0 ? 'before anything came' : `after ${amountOf(bytes)} of the answer`
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`
  if (lost.includes(code) || unreachable.includes(code)) {
    return failed(`The target closed the connection${through} ${came}. Look at its log.`, {
      passing: true,
    })
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return failed('The target sent another number of bytes than it announced in Content-Length. Look at its log.')
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return failed('The target answered with more headers than can be read. Look at what stands before it.')
  }
  if (name === 'HTTPParserError') {
    // The reason is one of a parser's own, and its only word on what is wrong.
    const reason = sanitize(/\((.*)\)/.exec(message)?.[1] ?? code, 80)
    return failed(
      bytes === 0 && !/chunk/.test(reason)
        ? `What ${host} sends is not HTTP (${reason}). Look at the port in --base-url.`
        : `The target sent broken HTTP ${came} (${reason}). Look at what stands before it.`,
    )
  }
  if (/^(?:Z_|ERR__|ERR_BROTLI)/.test(code)) {
    return failed(
      `The target sent a body that cannot be decompressed (${sanitize(code, 60)}). Look at what stands before it.`,
    )
  }
  return failed(`The request to ${host}${through} failed ${came}: ${sanitize(message || code || 'no reason given')}.`)
}

export const proxyWantsPassword = (proxy: string | undefined) =>
  new TargetError(
    `The proxy ${proxy ?? 'before the target'} wants a user and a password (407). Give them in HTTPS_PROXY and HTTP_PROXY as http://user:password@host.`,
    { lasting: true, unsent: true },
  )

export const amountOf = (bytes: number) => (bytes === 0 ? 'nothing' : bytes === 1 ? '1 byte' : `${bytes} bytes`)

/** The innermost cause that has a code: "fetch failed" and several addresses tried at once hide the reason. */
function told(thrown: unknown, depth = 0): Told {
  const { name, code, syscall, message, cause, errors } = Object(thrown) as {
    name?: unknown
    code?: unknown
    syscall?: unknown
    message?: unknown
    cause?: unknown
    errors?: readonly unknown[]
  }
  if (depth < 8 && cause !== undefined) {
    const inner = told(cause, depth + 1)
    if (inner.code !== '') return inner
  }
  if (depth < 8 && Array.isArray(errors) && errors.length > 0) {
    const inner = told(errors[0], depth + 1)
    if (inner.code !== '') return inner
  }
  return {
    name: String(name ?? ''),
    code: String(code ?? ''),
    syscall: String(syscall ?? ''),
    message: String(message ?? thrown),
  }
}
