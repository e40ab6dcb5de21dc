/** A request as the journal shows it, the filters that choose requests, and both in words. */
import * as z from 'zod'
import { countOf, quote } from '../../shared/text.js'
import { isObject } from '../../shared/json.js'
import { nearest, validated, type Path } from '../../shared/mistakes.js'

export const outcomes = ['data', 'partial', 'errors', 'rejected', 'failed'] as const

/**
 * What came of a request: data; data beside errors; errors only; rejected before it was executed; or failed, by a fault
 * that answered with an HTTP status or broke the connection.
 */
export type RequestOutcome = (typeof outcomes)[number]

export const kinds = ['query', 'mutation', 'subscription'] as const

/** A request to the API, as the journal of a session shows it: from the moment when its response is known, before a delay. */
export interface MockRequest {
  /** Counts the requests of the session from 1, in the order in which their responses were known. */
  readonly n: number
  /** What the clock of the session showed when it arrived, ISO 8601. */
  readonly at: string
  /** The name of its operation, null if there is none. */
  readonly operation: string | null
  /** Null if there is no operation, as in a document that could not be parsed. */
  readonly kind: (typeof kinds)[number] | null
  /** The fields of the root: `customers`, `createStore`. */
  readonly fields: readonly string[]
  /** Secrets are replaced by `[secret]`. Null if the body was too large, or was not read. */
  readonly variables: Readonly<Record<string, unknown>> | null
  /** Size in bytes of a body over 64 KiB, whose variables are not kept. */
  readonly largeBody?: number
  /** The status of HTTP, also if the client left before it was sent. Null without a response, and for `mock.execute`. */
  readonly status: number | null
  readonly outcome: RequestOutcome
  /** How long it takes, in milliseconds: a delay by faults counts, a slow body does not. */
  readonly ms: number
  /** The fault that was applied: its name, else its position in the list. */
  readonly fault?: string | undefined
}

/** Chooses requests: all that is given must hold. */
export interface RequestFilter {
  readonly operation?: string | undefined
  readonly kind?: MockRequest['kind'] | undefined
  /** A field of the root. */
  readonly field?: string | undefined
  /** Objects match if they have these members, lists if they have as many elements. Asymmetric matchers work. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly status?: number | null | undefined
  readonly outcome?: RequestOutcome | undefined
  readonly fault?: string | undefined
  /** Requests after this one, by its `n`. */
  readonly after?: number | undefined
}

const filterDefinition: z.ZodType<RequestFilter> = z
  .strictObject({
    operation: z.string(),
    kind: z.enum(kinds).nullable(),
    field: z.string(),
    // Also an asymmetric matcher.
    variables: z.custom<NonNullable<RequestFilter['variables']>>(isObject, 'must be an object'),
    status: z.int().nullable(),
    outcome: z.enum(outcomes),
    fault: z.string(),
    after: z.int().min(0),
  })
  .partial()

/** Throws an Error for a filter that is wrong, with one line for each mistake. */
export function checkFilter(filter: RequestFilter): void {
  const placeOf = (path: Path) => (path.length === 0 ? 'The filter of requests' : `The filter ${quote(path.join('.'))}`)
  validated(filterDefinition, filter, placeOf)
}

export interface Difference {
  readonly path: string
  readonly expected: unknown
  readonly received: unknown
}

/** How a request differs from a filter. Nothing if it matches. */
export function differencesOf(filter: RequestFilter, request: MockRequest): readonly Difference[] {
  const { field, variables, after, ...same } = filter
  const found = Object.entries(same).flatMap(([path, expected]) => {
    const received = request[path as keyof typeof same]
    return expected === undefined || expected === received ? [] : [{ path, expected, received }]
  })
  if (after !== undefined && request.n <= after) found.push({ path: 'n', expected: after + 1, received: request.n })
  if (field !== undefined && !request.fields.includes(field))
    found.push({ path: 'field', expected: field, received: request.fields.join(', ') })
  return variables === undefined ? found : [...found, ...compare('variables', variables, request.variables)]
}

export const isMatch = (filter: RequestFilter, request: MockRequest): boolean =>
  differencesOf(filter, request).length === 0

/** Of the expect of Vitest, Jest and Playwright. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
  toAsymmetricMatcher?(): string
}

const isAsymmetric = (value: unknown): value is AsymmetricMatcher =>
  isObject(value) && typeof value['asymmetricMatch'] === 'function'

function compare(path: string, expected: unknown, received: unknown): readonly Difference[] {
  const differs = [{ path, expected, received }]
  if (isAsymmetric(expected)) return expected.asymmetricMatch(received) ? [] : differs
  if (Array.isArray(expected)) {
    if (!Array.isArray(received) || received.length !== expected.length) return differs
    return expected.flatMap((it, at) => compare(`${path}[${at}]`, it, received[at]))
  }
  if (!isObject(expected)) return Object.is(expected, received) ? [] : differs
  if (!isObject(received)) return differs
  return Object.entries(expected).flatMap(([name, it]) =>
    compare(`${path}.${name}`, it, Object.hasOwn(received, name) ? received[name] : undefined),
  )
}

/** JSON on one line, cut. Names of asymmetric matchers stand for them. */
function toText(value: unknown): string {
  if (value === undefined) return 'undefined'
  const text = JSON.stringify(value, (_, it: unknown) =>
    isAsymmetric(it) ? (it.toAsymmetricMatcher?.() ?? String(it)) : it,
  )
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** A request in one line. */
function lineOf({ n, kind, operation, fields, variables, status, outcome, fault }: MockRequest): string {
  const name = [kind, operation ?? (fields.length > 0 ? `{ ${fields.join(' ')} }` : 'without an operation')]
  const sent = variables && Object.keys(variables).length > 0 ? [toText(variables)] : []
  const response = [status, outcome].filter((it) => it !== null).join(' ')
  const reason = fault === undefined ? '' : `, fault ${fault}`
  return `#${n} ${[...name, ...sent].filter(Boolean).join(' ')}: ${response}${reason}`
}

/** What a filter chooses. */
export function describeFilter({ operation, ...rest }: RequestFilter): string {
  const others = Object.entries(rest).filter(([name, value]) => value !== undefined && name !== 'after')
  const conditions = others.map(([name, value]) => `${name} ${typeof value === 'string' ? value : toText(value)}`)
  const condition = conditions.length > 0 ? ` with ${conditions.join(', ')}` : ''
  return `${operation ?? (condition ? 'a request' : 'any request')}${condition}`
}

/** How many requests a message lists. */
const maxListed = 20

/** What came instead of what a filter chooses, and what came near. */
export function describeMisses(filter: RequestFilter, requests: readonly MockRequest[]): string {
  const { operation } = filter
  const near = operation === undefined ? [] : requests.filter((it) => it.operation === operation)
  const names = [...new Set(requests.flatMap((it) => it.operation ?? []))]
  const similar = operation === undefined || near.length > 0 ? undefined : nearest(operation, names)
  return [
    ...(similar === undefined ? [] : [`Did you mean ${similar}?`]),
    ...(near.length > 0 ? ['Near:', ...near.slice(-maxListed).flatMap((it) => nearLines(filter, it))] : []),
    listRequests(requests),
  ].join('\n')
}

/** Requests, one in each line. */
export function listRequests(requests: readonly MockRequest[]): string {
  if (requests.length === 0) return 'No request came.'
  const lines = requests.slice(-maxListed).map((it) => `  ${lineOf(it)}`)
  const left = requests.length - lines.length
  return [
    `${countOf(requests.length, 'request')} came:`,
    ...(left > 0 ? [`  ${left} earlier ones`] : []),
    ...lines,
  ].join('\n')
}

const nearLines = (filter: RequestFilter, request: MockRequest) => [
  `  ${lineOf(request)}`,
  ...differencesOf(filter, request).map(
    ({ path, expected, received }) => `    ${path}: expected ${toText(expected)}, received ${toText(received)}`,
  ),
]

/** Why `next` rejects. */
export const timeoutError = (filter: RequestFilter, ms: number, requests: readonly MockRequest[]): Error =>
  Object.assign(new Error(`Waited ${ms} ms for ${describeFilter(filter)}.\n${describeMisses(filter, requests)}`), {
    name: timeoutName,
  })

/** The name of the error for a request that did not come in time. */
export const timeoutName = 'TimeoutError'
