/** The address of a target as a user gives it: what would send a secret astray is refused. */
import { isLoopback } from '../shared/loopback.js'

export interface BaseUrl {
  readonly url: URL
  /** What is allowed and yet worth a line. */
  readonly warnings: readonly string[]
}

export interface BaseUrlOptions {
  /** Whether requests carry a secret, such as a token. */
  readonly hasSecret: boolean
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Reads a base_url. Throws an Error in one line. */
export function readBaseUrl(text: string, { hasSecret, env = {} }: BaseUrlOptions): BaseUrl {
  // The parser of URLs would silently take some of these out.
  if (/[\p{Cc}\p{Cf}\p{Z}]/u.test(text)) {
    throw new Error('The base_url holds a blank or a control character. Write it without, blanks as %20.')
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The text is not repeated before it is known to hold no password.
  if (url === undefined || !/^https?:\/\/[^/\\][^\\]*$/i.test(text)) {
    throw new Error('The base_url must be an address such as https://staging.example.com/api/v2, with http or https.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(
      'The base_url holds a user or a password, and would show them in reports. Take them out; give a token with --token-env or --token-file.',
    )
  }
  if (text.includes('?') || text.includes('#')) {
    const part = url.search === '' && text.includes('#') ? 'a fragment (#…)' : 'a query (?…)'
    throw new Error(`The base_url has ${part}. Give the address alone, such as ${url.origin}${url.pathname}.`)
  }
  if (hasSecret && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(
      `The base_url ${url.href} would carry the token over http, where others can read it. Use https, or http to this machine only.`,
    )
  }
  return { url, warnings: [...warningsOf(url, env)] }
}

function* warningsOf(url: URL, env: Readonly<Record<string, string | undefined>>): Iterable<string> {
  if (!url.pathname.endsWith('/api/v2')) {
    yield `The specification says that the address ends in /api/v2, and ${url.href} does not.`
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    yield 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pass for the target. Unset it; NODE_EXTRA_CA_CERTS names a certificate to trust.'
  }
}
