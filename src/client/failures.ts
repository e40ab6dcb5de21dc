/** Explains errors of undici, Node and OpenSSL. */
import { sanitize } from '../shared/sanitize.js'
import { checkGateway } from './response-bytes.js'
import { TargetError, type TargetErrorOptions } from './target.js'

export interface Circumstances {
  readonly host: string
  /** The proxy that the request went through. */
  readonly proxy: string | undefined
  /** Bytes of the body that were received. */
  readonly bytes: number
}

interface Cause {
  readonly name: string
  readonly code: string
  readonly syscall: string
  readonly message: string
}

interface Explained extends Cause, Circumstances {
  /** Whom the client connected to, and the setting with its address. */
  readonly peer: string
  readonly setting: string
  readonly via: string
  readonly when: string
}

interface Rule extends TargetErrorOptions {
  readonly match: (cause: Explained) => boolean
  readonly explain: (cause: Explained) => string
}

const oneOf =
  (...codes: string[]) =>
  ({ code }: Cause) =>
    codes.includes(code)

const isConnecting = ({ syscall, code }: Cause) => syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT'
const isUnreachable = oneOf('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL')
const isLost = oneOf('ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'ETIMEDOUT')
const proxyStatus = ({ message }: Cause) => /Proxy response \((\d+)\)/.exec(message)?.[1]

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
}

const untrusted: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an unknown authority',
}

/** The first match wins. */
const rules: readonly Rule[] = [
  {
    match: (it) => proxyStatus(it) === '407' || /Proxy Authentication Required/.test(it.message),
    explain: ({ proxy }) => proxyAuthError(proxy).message,
    lasting: true,
    unsent: true,
  },
  {
    match: (it) => proxyStatus(it) !== undefined,
    explain: (it) =>
      `The proxy ${it.proxy} does not connect to ${it.host} (${proxyStatus(it)}). Allow the host there, or add it to NO_PROXY.`,
    lasting: true,
    unsent: true,
  },
  {
    match: oneOf('ENOTFOUND'),
    explain: ({ peer, setting }) => `${peer} has an unknown host name. Check ${setting}.`,
    lasting: true,
    unsent: true,
  },
  {
    match: oneOf('EAI_AGAIN'),
    explain: ({ peer }) => `${peer} cannot be resolved, because DNS does not respond. Check the network.`,
    lasting: true,
    unsent: true,
    transient: true,
  },
  {
    match: oneOf('ECONNREFUSED'),
    explain: ({ peer, setting }) => `${peer} refused the connection. Start it, or check ${setting}.`,
    lasting: true,
    unsent: true,
    transient: true,
  },
  {
    // The same codes can end an open connection; then the request may have arrived.
    match: (it) => it.syscall === 'connect' && isUnreachable(it),
    explain: ({ peer, code }) => `${peer} is unreachable (${code}). Check the network.`,
    lasting: true,
    unsent: true,
    transient: true,
  },
  {
    match: isConnecting,
    explain: ({ peer, code }) => `${peer} does not accept connections (${code}). Check the network.`,
    unsent: true,
    transient: true,
  },
  {
    match: ({ code }) => Object.hasOwn(certificates, code),
    explain: ({ host, code }) =>
      `The certificate of ${host} ${certificates[code]} (${code}). Check the certificate, --base-url and the clock of this machine.`,
    lasting: true,
    unsent: true,
  },
  {
    match: ({ code }) => Object.hasOwn(untrusted, code),
    explain: ({ host, code }) =>
      `The certificate of ${host} ${untrusted[code]} (${code}). To trust it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate.`,
    lasting: true,
    unsent: true,
  },
  {
    match: ({ code }) => /^(?:ERR_SSL|ERR_TLS|EPROTO|UND_ERR_PRX_TLS|CERT_|CRL_|UNABLE_TO)/.test(code),
    explain: ({ host, code }) =>
      `No TLS connection to ${host} is possible (${code}). Check the scheme and the port in --base-url.`,
    lasting: true,
  },
  {
    match: (it) => isLost(it) || isUnreachable(it),
    explain: ({ via, when }) => `The target closed the connection${via} ${when}. Check its log.`,
    transient: true,
  },
  {
    match: oneOf('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
    explain: () => 'The size of the response differs from its Content-Length. Check the log of the target.',
  },
  {
    match: oneOf('UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'),
    explain: () => `The target sent too many response headers. ${checkGateway}`,
  },
  {
    match: (it) => it.name === 'HTTPParserError' && it.bytes === 0 && !/chunk/.test(it.message),
    explain: (it) => `${it.host} does not speak HTTP (${parserReason(it)}). Check the port in --base-url.`,
  },
  {
    match: ({ name }) => name === 'HTTPParserError',
    explain: (it) => `The target sent invalid HTTP ${it.when} (${parserReason(it)}). ${checkGateway}`,
  },
  {
    match: ({ code }) => /^(?:Z_|ERR__|ERR_BROTLI)/.test(code),
    explain: ({ code }) => `The response cannot be decompressed (${sanitize(code, 60)}). ${checkGateway}`,
  },
  {
    match: () => true,
    explain: ({ host, via, when, message, code }) =>
      `The request to ${host}${via} failed ${when}: ${sanitize(message || code || 'unknown reason')}.`,
  },
]

const parserReason = ({ message, code }: Cause) => sanitize(/\((.*)\)/.exec(message)?.[1] ?? code, 80)

/** Why a request failed before its response was complete. */
export function errorFrom(thrown: unknown, circumstances: Circumstances): TargetError {
  const { host, proxy, bytes } = circumstances
  const explained: Explained = {
    ...causeOf(thrown),
    ...circumstances,
    peer: proxy === undefined ? `The target ${host}` : `The proxy ${proxy}`,
    setting: proxy === undefined ? '--base-url' : 'HTTPS_PROXY and HTTP_PROXY',
    via: proxy === undefined ? '' : ` through the proxy ${proxy}`,
    when: bytes === 0 ? 'before it responded' : `after ${bytes} bytes of the response`,
  }
  const { explain, ...options } = rules.find(({ match }) => match(explained)) as Rule
  return new TargetError(explain(explained), options)
}

export const proxyAuthError = (proxy: string | undefined) =>
  new TargetError(
    `The proxy ${proxy ?? 'in front of the target'} requires a user name and a password (407). Put them into HTTPS_PROXY or HTTP_PROXY: http://user:password@host.`,
    { lasting: true, unsent: true },
  )

/** The innermost cause with a code. undici wraps causes, and Node lists one for each address that it tried. */
function causeOf(thrown: unknown, depth = 0): Cause {
  const { name, code, syscall, message, cause, errors } = Object(thrown) as Readonly<Record<string, unknown>>
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  for (const inner of depth < 8 ? [cause, first] : []) {
    const found = inner === undefined ? undefined : causeOf(inner, depth + 1)
    if (found && found.code !== '') return found
  }
  const text = (value: unknown) => String(value ?? '')
  return { name: text(name), code: text(code), syscall: text(syscall), message: String(message ?? thrown) }
}
