/** Explains errors of undici, Node and OpenSSL. */
import { sanitize } from '../shared/text.js'
import { TargetError, type TargetErrorOptions } from './target.js'

export interface Circumstances {
  readonly host: string
  /** The proxy that the request went through. */
  readonly proxy: string | undefined
  /** Bytes of the body that were received. */
  readonly bytes: number
}

const final = { permanent: true, unsent: true }
const unavailable = { permanent: true, unsent: true, transient: true }

export const checkProxies = 'Check any proxy in front of it.'

/** What the text of an error matches, its message, and what follows from it. The first match wins. */
const rules: readonly (readonly [RegExp, string, TargetErrorOptions?])[] = [
  [
    /Proxy response \(407\)|Proxy Authentication Required/,
    '{peer} requires a user name and a password (407). Put them into HTTPS_PROXY or HTTP_PROXY: http://user:password@host.',
    final,
  ],
  [
    /Proxy response \(\d+\)/,
    '{peer} does not connect to {host} ({status}). Allow the host there, or add it to NO_PROXY.',
    final,
  ],
  [/ ENOTFOUND$/, '{peer} has an unknown host name. Check {setting}.', final],
  [/ EAI_AGAIN$/, '{peer} cannot be resolved, because DNS does not respond. Check the network.', unavailable],
  [/ ECONNREFUSED$/, '{peer} refused the connection. Start it, or check {setting}.', unavailable],
  [/: connect \w+$| UND_ERR_CONNECT_TIMEOUT$/, '{peer} is unreachable ({code}). Check the network.', unavailable],
  [
    / (?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_REVOKED|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    'The certificate of {host} is not valid ({code}). Check the certificate, --base-url and the clock of this machine.',
    final,
  ],
  [
    / (?:\w*SELF_SIGNED_CERT\w*|UNABLE_TO_GET_ISSUER_CERT\w*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/,
    'The certificate of {host} is not trusted ({code}). To trust it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate.',
    final,
  ],
  [
    / (?:ERR_SSL|ERR_TLS|EPROTO|UND_ERR_PRX_TLS|CERT_|CRL_|UNABLE_TO)\w*$/,
    'No TLS connection to {host} is possible ({code}). Check the scheme and the port in --base-url.',
    { permanent: true },
  ],
  // Without the syscall `connect`, these end an open connection, and the request may have arrived.
  [
    / (?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL)$/,
    'The target closed the connection{via} {when}. Check its log.',
    { transient: true },
  ],
  [/^before .* HTTPParserError: /, '{host} does not speak HTTP ({reason}). Check the port in --base-url.'],
  [/ (?:Z_|ERR__|ERR_BROTLI)\w*$/, `The response cannot be decompressed ({code}). ${checkProxies}`],
  [/(?:)/, 'The request to {host}{via} failed {when}: {reason}.'],
]

/** Why a request failed before its response was complete. */
export function errorFrom(thrown: unknown, { host, proxy, bytes }: Circumstances): TargetError {
  const { name, code, syscall, message } = causeOf(thrown)
  const when = bytes === 0 ? 'before it responded' : `after ${bytes} bytes of the response`
  const facts: Readonly<Record<string, string>> = {
    host,
    code: sanitize(code, 60),
    status: /Proxy response \((\d+)\)/.exec(message)?.[1] ?? '',
    reason: sanitize(/^Response does not match .*\((.*)\)/.exec(message)?.[1] ?? (message || code || 'unknown reason')),
    peer: proxy === undefined ? `The target ${host}` : `The proxy ${proxy}`,
    setting: proxy === undefined ? '--base-url' : 'HTTPS_PROXY and HTTP_PROXY',
    via: proxy === undefined ? '' : ` through the proxy ${proxy}`,
    when,
  }
  const text = `${when} ${name}: ${message}: ${syscall} ${code}`
  const [, template, options] = rules.find(([pattern]) => pattern.test(text)) as (typeof rules)[number]
  return new TargetError(
    template.replace(/\{(\w+)\}/g, (_, fact: string) => facts[fact] ?? ''),
    options,
  )
}

/** The innermost cause. undici wraps causes, and Node lists one for each address that it tried. */
function causeOf(thrown: unknown): Readonly<Record<'name' | 'code' | 'syscall' | 'message', string>> {
  const { name, code, syscall, message, cause, errors } = Object(thrown) as Readonly<Record<string, unknown>>
  const inner = cause ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined)
  if (inner !== undefined) return causeOf(inner)
  const text = (value: unknown) => String(value ?? '')
  return { name: text(name), code: text(code), syscall: text(syscall), message: String(message ?? thrown) }
}
