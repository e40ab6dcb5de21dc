/** The context of one check: sends its requests, counts them, and enforces what the run allows. */
import { onlyReads } from '../client/retries.js'
import { TargetError, type Answer, type GraphqlRequest, type SendOptions, type Target } from '../client/target.js'
import type { Profile } from '../profile.js'
import { isAssumed } from '../schema/provenance.js'
import { skip, type Context, type Exchange, type Writer } from './check.js'
import { judged } from './judge.js'
import type { Operation } from './operation.js'
import type { Shapes } from './shape.js'

/** What all checks of a run share. */
export interface RunLimits {
  calls: number
  readonly maxRequests: number
  readonly signal: AbortSignal
  /** Why no more can be sent. */
  failure?: TargetError | undefined
}

export interface ContextOptions {
  readonly target: Target
  readonly shapes: Shapes
  readonly expected: Profile
  readonly includeAssumed?: boolean | undefined
  readonly recoverPages?: number | undefined
  readonly limits: RunLimits
  readonly shared: Map<string, unknown>
  /** Makes the writer, if writing is allowed. */
  readonly writer?: ((context: OwnedContext) => Writer) | undefined
}

/** What a check used. */
export interface Spent {
  calls: number
  retries: number
  readonly remarks: string[]
  last: readonly Exchange[]
}

export class OutOfRequests extends Error {}

const maxAnswerLength = 4000

/** A context as the runner and the writer see it. */
export interface OwnedContext extends Context {
  readonly spent: Spent
  readonly redact: Target['redact']
  /** Sends any operation, mutations included. */
  call(operation: Operation): Promise<Answer>
}

export function createContext(options: ContextOptions): OwnedContext {
  const { target, shapes, expected, includeAssumed = false, recoverPages = 40, limits, shared } = options
  const spent: Spent = { calls: 0, retries: 0, remarks: [], last: [] }
  const share = <Value>(key: string, make: () => Value): Value => {
    if (!shared.has(key)) shared.set(key, make())
    return shared.get(key) as Value
  }

  async function call(request: GraphqlRequest, { method, accept }: SendOptions = {}): Promise<Answer> {
    limits.signal.throwIfAborted()
    if (limits.failure) throw limits.failure
    if (limits.calls >= limits.maxRequests) {
      throw new OutOfRequests(`The run used up its ${limits.maxRequests} requests. Allow more with --max-requests.`)
    }
    limits.calls += 1
    spent.calls += 1
    try {
      const answer = await target.send(request, { method, accept, signal: limits.signal })
      spent.retries += answer.retries
      // Redact before shortening, because half a secret would not be recognized.
      const text = target.redact(JSON.stringify(answer.body))
      const shortened = text.length > maxAnswerLength ? `${text.slice(0, maxAnswerLength)}…` : text
      spent.last = [{ request, method, accept, status: answer.status, answer: shortened }]
      return answer
    } catch (error) {
      // A GET or another Accept may be rejected although everything else works.
      const isUsual = method !== 'GET' && accept === undefined
      if (error instanceof TargetError && error.permanent && isUsual) limits.failure = error
      throw error
    }
  }

  /** Whether the introspection of the server has a coordinate. */
  async function isIntrospected(coordinate: string): Promise<boolean> {
    const [type, field, argument] = coordinate.split(/[.(:]/) as [string, string?, string?]
    const query = `query TypeOf { __type(name: ${JSON.stringify(type)}) { fields { name args { name } } } }`
    const answer = await share(`introspection of ${type}`, () => call({ query, operationName: 'TypeOf' }))
    const found = answer.body.data?.['__type'] as IntrospectedType | null | undefined
    if (!found || field === undefined) return Boolean(found)
    const declared = found.fields?.find((it) => it.name === field)
    return argument ? (declared?.args?.some((it) => it.name === argument) ?? false) : declared !== undefined
  }

  async function shows(coordinate: string): Promise<boolean> {
    const provenance = shapes.provenance.get(coordinate)
    if (provenance === undefined) return false
    return !isAssumed(provenance) || includeAssumed || isIntrospected(coordinate)
  }

  async function requireShown({ query }: GraphqlRequest): Promise<void> {
    for (const coordinate of share(`assumed in ${query}`, () => shapes.assumedIn(query))) {
      if (await shows(coordinate)) continue
      skip(
        `The check needs ${coordinate}, which is assumed and not in the server's introspection. Use --include-assumed to send it anyway.`,
      )
    }
  }

  const context: OwnedContext = {
    spent,
    redact: (text) => target.redact(text),
    call: (operation) => call({ ...requestOf(operation), query: shapes.prepared(operation.document) }),
    get writer() {
      return options.writer?.(context)
    },
    shapes,
    expected,
    shared: share,
    remark: (text) => void spent.remarks.push(text),
    callsLeft: () => limits.maxRequests - limits.calls,
    last: () => spent.last,
    cite: (exchanges) => void (spent.last = exchanges),
    shows,
    recoverPages,
    async send(given, sendOptions) {
      const request = requestOf(given)
      // Mutations only go through the writer, whatever a check or a user's document says.
      if (!onlyReads(request.query)) skip('The check would send a mutation, and this run only reads.')
      await requireShown(request)
      return call(request, sendOptions)
    },
    async ask(operation) {
      const answer = await context.send({ ...requestOf(operation), query: shapes.prepared(operation.document) })
      return judged(answer.body, operation, shapes)
    },
  }
  return context
}

interface IntrospectedType {
  readonly fields?: readonly { readonly name: string; readonly args?: readonly { readonly name: string }[] }[] | null
}

function requestOf(given: GraphqlRequest | Operation): GraphqlRequest {
  if (!('document' in given)) return given
  const { document, name, variables } = given
  return { query: document, variables, ...(name === '' ? {} : { operationName: name }) }
}
