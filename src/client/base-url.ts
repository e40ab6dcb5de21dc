/** Reads the address of a target. Refuses what would leak a secret. */
import { isLoopback } from '../shared/loopback.js'

export interface BaseUrl {
  readonly url: URL
  readonly warnings: readonly string[]
}

/**
 * Throws an Error in one line.
 * @param hasSecret whether requests carry a secret, such as a token
 */
export function readBaseUrl(text: string, { hasSecret }: { readonly hasSecret: boolean }): BaseUrl {
  // The URL parser silently removes some of these.
  if (/[\p{Cc}\p{Cf}\p{Z}]/u.test(text)) {
    throw new Error('The base_url contains a space or a control character. Remove it, or write a space as %20.')
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The text is not repeated until it is known to hold no password.
  if (url === undefined || !/^https?:\/\/[^/\\][^\\]*$/i.test(text)) {
    throw new Error('The base_url must be an http or https URL, such as https://staging.example.com/api/v2.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('The base_url contains a user name or password. Remove it; use --token-env or --token-file.')
  }
  if (text.includes('?') || text.includes('#')) {
    throw new Error(`The base_url contains a query or a fragment. Use ${url.origin}${url.pathname}.`)
  }
  if (hasSecret && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(
      `The base_url ${url.href} would send the token unencrypted. Use https, or http to this machine only.`,
    )
  }
  const isUsual = url.pathname.endsWith('/api/v2')
  return {
    url,
    warnings: isUsual ? [] : [`The base_url ${url.href} does not end in /api/v2, as the specification says.`],
  }
}
