/** The GraphQL request inside an HTTP request: a JSON body, or the query of an address. */
import { isUtf8 } from 'node:buffer'
import { isObject } from '../../shared/is-object.js'
import { quote } from '../../shared/quote.js'
import type { GraphQLParams } from '../graphql/engine.js'
import { refusal, type Incoming, type Outgoing } from './response.js'
import { limitMessage } from '../graphql/limit-rules.js'
import { bareType, charsetsOf } from './media-types.js'
import { memoize } from '../../shared/memoize.js'

const bad = (message: string) => refusal(400, 'BAD_REQUEST', message)

/** What was asked, or the answer that says why it cannot be read. */
export async function readParams(incoming: Incoming, url: URL, maxBytes: number): Promise<GraphQLParams | Outgoing> {
  if (incoming.method === 'GET') return fromAddress(url)
  const unreadable = wrongForm(incoming)
  if (unreadable) return unreadable
  const body = await incoming.body(maxBytes)
  if (body === undefined) return refusal(413, 'CONTENT_TOO_LARGE', limitMessage('The body', 'bodyBytes', maxBytes))
  const text = body.toString('utf8')
  // What cannot be read becomes that character; it may have been sent as well.
  if (text.includes('\ufffd') && !isUtf8(body)) return bad('The body is not UTF-8. Send the JSON in that encoding.')
  const value = parse(text)
  if (value === undefined) return bad('The body is not JSON. Send an object with a member "query".')
  if (Array.isArray(value))
    return bad('The body is a list. Send one request at a time, as an object with a member "query".')
  return checked(value)
}

const unsupported = (message: string, headers?: Readonly<Record<string, string>>) =>
  refusal(415, 'UNSUPPORTED_MEDIA_TYPE', message, headers)

/** What the headers of a body say that makes it nothing to be read. */
const wrongForm = (incoming: Incoming): Outgoing | undefined =>
  wrongType(incoming.header('content-type') ?? '') ?? wrongEncoding(incoming.header('content-encoding') ?? '')

const wrongType = memoize((type) => {
  if (bareType(type) !== 'application/json')
    return unsupported('The body is read as JSON only. Send "Content-Type: application/json".')
  // Who writes UTF8 means it; an empty one says nothing.
  const charset = charsetsOf(type).find((it) => !['utf-8', 'utf8', ''].includes(it))
  if (charset === undefined) return undefined
  const way = 'Send JSON in UTF-8, with "Content-Type: application/json".'
  return unsupported(`The Content-Type of the body names the charset ${quote(charset)}. ${way}`)
})

const wrongEncoding = memoize((header) => {
  const encoding = header.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return undefined
  const way = 'Send the body as it is, without that header.'
  return unsupported(`The Content-Encoding ${quote(encoding)} of the body is not read. ${way}`, {
    'accept-encoding': 'identity',
  })
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromAddress(url: URL): GraphQLParams | Outgoing {
  const text = (name: string) => url.searchParams.get(name) ?? undefined
  const object = (name: string) => {
    const given = text(name)
    const value = given === undefined ? undefined : parse(given)
    return given !== undefined && value === undefined ? 'not JSON' : value
  }
  return checked({
    query: text('query'),
    operationName: text('operationName'),
    variables: object('variables'),
    extensions: object('extensions'),
  })
}

/** The four members that a GraphQL request has; others are passed over, as GraphQL over HTTP wants. */
function checked(value: unknown): GraphQLParams | Outgoing {
  if (!isObject(value)) return bad('The body is not an object. Send one with a member "query".')
  const { query, variables, operationName, extensions } = value
  const hashOnly = query === undefined && isObject(extensions) && 'persistedQuery' in extensions
  if (typeof query !== 'string' && !hashOnly)
    return bad('The member "query" is missing or no text. It holds the GraphQL document.')
  if (variables !== undefined && variables !== null && !isObject(variables))
    return bad('The member "variables" is not an object.')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return bad('The member "operationName" is not a text.')
  }
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    return bad('The member "extensions" is not an object.')
  // Some clients send an empty name where they have none.
  return { query, variables, operationName: operationName === '' ? undefined : operationName, extensions }
}
