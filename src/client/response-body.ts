/** How what came over HTTP becomes a GraphQL answer, or a sentence on what came in its place. */
import { isObject } from '../shared/is-object.js'
import { sanitize } from '../shared/sanitize.js'
import type { Redact } from './redact.js'
import { TargetError, type GraphqlBody, type GraphqlError } from './target.js'

export interface Received {
  readonly status: number
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** Whether the address itself is in doubt: a GET, or another Accept, may be refused in any way. */
  readonly usual: boolean
}

/** Deeper than any answer to a document that the limits of a server let pass. */
const maxDepth = 200

/** The GraphQL body of an answer, whatever its status and media type. Throws a TargetError where there is none. */
export function readBody(received: Received, redact: Redact): GraphqlBody {
  const { status, bytes, usual } = received
  const place = usual && (status === 404 || status === 410)
  const refuse = (what: string, next: string, lasting = place): never => {
    const look = place ? lookAtAddress : status >= 500 ? lookAtLog : next
    throw new TargetError(`The target answered ${status} with ${what}.${look}`, { lasting })
  }
  if (bytes.length === 0) refuse('an empty body', lookAtLog)
  const text = textOf(bytes)
  if (text === undefined) return refuse('a body that is not UTF-8', ' Look at what stands before it.')
  // Secrets go before the text is cut, because half of one would not be found.
  const head = redact(text.slice(0, 65_536))
  if (looksLikeHtml(received.mediaType, head)) {
    const title = titleOf(head)
    return refuse(
      `a web page${title === '' ? '' : ` “${title}”`}, which looks like a login or an error page`,
      lookAtAddress,
      usual && (place || (status >= 200 && status < 300)),
    )
  }
  if (depthOf(text) > maxDepth) return refuse(`JSON that is nested deeper than ${maxDepth}`, lookAtLog)
  const parsed = parsedAs(text)
  if (parsed === undefined) {
    const type = received.mediaType === '' ? 'without a media type' : `of ${sanitize(received.mediaType, 60)}`
    return refuse(`a body ${type} that is not JSON: “${sanitize(head.trim(), 60)}”`, lookAtAddress)
  }
  const problem = problemOf(parsed.value)
  if (problem !== undefined) {
    return refuse(`${problem}, which is no GraphQL answer: “${sanitize(head.trim(), 60)}”`, lookAtAddress)
  }
  const body = parsed.value as Readonly<Record<string, unknown>>
  return {
    ...(Object.hasOwn(body, 'data') ? { data: body['data'] as GraphqlBody['data'] } : {}),
    // Some servers write null where there are none.
    ...(own(body, 'errors') ? { errors: body['errors'] as readonly GraphqlError[] } : {}),
    ...(Object.hasOwn(body, 'extensions') ? { extensions: body['extensions'] } : {}),
  }
}

const lookAtLog = ' Look at its log.'
const lookAtAddress = ' Look whether --base-url is the address of the API.'

/** Where a redirect points to, as its origin and path: what else stands in it may be a secret. */
export function redirectOf(status: number, location: string | undefined, from: URL, usual: boolean, redact: Redact) {
  const place = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined
  const where =
    place && /^https?:$/.test(place.protocol) ? sanitize(redact(`${place.origin}${place.pathname}`)) : undefined
  const next =
    where === undefined
      ? 'and names no address to go to. Look at --base-url.'
      : `and points to ${where}. Redirects are not followed, because they would take the token along; give that address as --base-url if it is meant.`
  return new TargetError(`The target answered ${status} ${next}`, { lasting: usual })
}

/** A status that says all, whatever the body holds. */
export function refusalOf(status: number, { usual, hasSecret }: { usual: boolean; hasSecret: boolean }) {
  const next = hasSecret
    ? 'The token that was sent does not do: give another with --token-env or --token-file.'
    : 'Give a token with --token-env or --token-file.'
  return new TargetError(`The target refuses the caller with ${status}. ${next}`, { lasting: usual })
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Wrapped, because `null` is JSON too. */
function parsedAs(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

const looksLikeHtml = (mediaType: string, head: string) =>
  /^\s*<(?:!doctype html|html|head|body)\b/i.test(head) ||
  (/^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType) && !/^\s*\{/.test(head))

function titleOf(head: string): string {
  const title = /<title[^>]{0,200}>([^<]*)</i.exec(head)?.[1] ?? ''
  return sanitize(title.replace(/\s+/g, ' ').trim(), 80)
}

/** How deep brackets are nested, told without recursion. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let at = 0; at < text.length && deepest <= maxDepth; at += 1) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (quoted) at += character === '\\' ? 1 : 0
    else if (character === '{' || character === '[') deepest = Math.max(deepest, (depth += 1))
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}

/** A member that was sent and is not null; `__proto__` and the like are members as any other. */
const own = (object: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(object, name) && object[name] !== null

function problemOf(value: unknown): string | undefined {
  if (!isObject(value))
    return `${Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`} as JSON`
  if (!Object.hasOwn(value, 'data') && !own(value, 'errors')) return 'an object without data and errors'
  if (own(value, 'data') && !isObject(value['data'])) return '`data` that is no object'
  if (!own(value, 'errors')) return undefined
  const errors = value['errors']
  if (!Array.isArray(errors)) return '`errors` that is no list'
  const worded = errors.every((it: unknown) => isObject(it) && typeof it['message'] === 'string')
  return worded ? undefined : '`errors` of which one has no message'
}
