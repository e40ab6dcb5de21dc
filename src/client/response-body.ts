/** Reads a GraphQL response from the body of an HTTP response. */
import { isObject } from '../shared/is-object.js'
import { sanitize } from '../shared/sanitize.js'
import type { Redact } from './redact.js'
import { checkProxies } from './failures.js'
import { TargetError, type GraphqlBody } from './target.js'

export interface Received {
  readonly status: number
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** Whether it was a normal request. Only then does a wrong response mean a wrong address. */
  readonly usual: boolean
}

const checkLog = 'Check its log.'
const checkAddress = 'Check that --base-url is the address of the API.'

/** The GraphQL response, for any status and media type. Throws a TargetError if there is none. */
export function readBody({ status, mediaType, bytes, usual }: Received, redact: Redact): GraphqlBody {
  const isGone = usual && (status === 404 || status === 410)
  const refuse = (what: string, next = checkAddress, permanent = isGone): never => {
    const advice = isGone ? checkAddress : status >= 500 ? checkLog : next
    throw new TargetError(`The target responded with ${status} and ${what}. ${advice}`, { permanent })
  }
  if (bytes.length === 0) refuse('an empty body', checkLog)
  const text = decode(bytes)
  if (text === undefined) return refuse('a body that is not UTF-8', checkProxies)
  // Redacted before it is cut, because half a secret would not be found.
  const head = redact(text.slice(0, 65_536))
  const excerpt = `“${sanitize(head.trim(), 60)}”`
  if (looksLikeHtml(mediaType, head)) {
    const permanent = usual && (isGone || (status >= 200 && status < 300))
    return refuse(`a web page${titleOf(head)}, probably a login or error page`, checkAddress, permanent)
  }
  const value = parse(text)
  if (value === undefined) return refuse(`${sanitize(mediaType, 60) || 'text'} that is not JSON: ${excerpt}`)
  const problem = problemOf(value)
  if (problem !== undefined) return refuse(`no GraphQL response (${problem}): ${excerpt}`)
  const { errors, ...rest } = value as GraphqlBody
  // Some servers write null for what is absent.
  return errors === null ? rest : (value as GraphqlBody)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const looksLikeHtml = (mediaType: string, head: string) =>
  /^\s*<(?:!doctype html|html|head|body)\b/i.test(head) ||
  (/^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType) && !/^\s*\{/.test(head))

function titleOf(head: string): string {
  const title = /<title[^>]{0,200}>([^<]*)</i.exec(head)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
  return title === '' ? '' : ` “${sanitize(title, 80)}”`
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'not an object'
  const { data, errors } = value
  if (data === undefined && errors == null) return 'neither data nor errors'
  if (data != null && !isObject(data)) return '`data` is not an object'
  if (errors == null) return undefined
  if (!Array.isArray(errors)) return '`errors` is not a list'
  const haveMessages = errors.every((it: unknown) => isObject(it) && typeof it['message'] === 'string')
  return haveMessages ? undefined : 'an error has no message'
}
