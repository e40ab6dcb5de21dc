/** Statuses after which no body is read. */
import { sanitize } from '../shared/sanitize.js'
import { proxyAuthError } from './failures.js'
import type { Redact } from './redact.js'
import { transientStatuses } from './retries.js'
import { TargetError } from './target.js'

interface StatusContext {
  readonly header: (name: string) => string | undefined
  readonly baseUrl: URL
  readonly hasSecret: boolean
  /** Whether it was a normal request. Only then does its rejection hold for all others. */
  readonly usual: boolean
  readonly proxy: string | undefined
  readonly redact: Redact
}

export function statusError(status: number, context: StatusContext): TargetError | undefined {
  const { header, usual, hasSecret, proxy } = context
  if (status >= 300 && status < 400) return redirectError(status, context)
  if (status === 401 || status === 403) return authError(status, { usual, hasSecret })
  if (status === 407) return proxyAuthError(proxy)
  if (!transientStatuses.includes(status)) return undefined
  const message =
    status === 429
      ? 'The target received too many requests (429). Lower --concurrency.'
      : `The target, or a proxy in front of it, is unavailable (${status}). Try again later.`
  return new TargetError(message, { transient: true, status, retryAfter: header('retry-after') })
}

export function authError(
  status: number,
  { usual, hasSecret }: Pick<StatusContext, 'usual' | 'hasSecret'>,
): TargetError {
  const message = hasSecret
    ? `The target rejected the token (${status}). Use another with --token-env or --token-file.`
    : `The target denied access (${status}). Give a token with --token-env or --token-file.`
  return new TargetError(message, { permanent: usual })
}

/** Names only origin and path of the new address: the rest may be a secret. */
function redirectError(status: number, { header, baseUrl, usual, redact }: StatusContext) {
  const location = header('location')
  const url = location !== undefined && URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined
  const message =
    url && /^https?:$/.test(url.protocol)
      ? `The target redirects to ${sanitize(redact(`${url.origin}${url.pathname}`))} (${status}). Redirects are not followed, because they would send the token along. If that is the API, use it as --base-url.`
      : `The target redirects without a valid address (${status}). Check --base-url.`
  return new TargetError(message, { permanent: usual })
}
