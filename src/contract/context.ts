/** What one check works with: it sends for the check, counts, and keeps to what the run allows. */
import { Kind, OperationTypeNode, parse } from 'graphql'
import { isAssumed } from '../schema/provenance.js'
import type { Profile } from '../profile.js'
import { skip, type Check, type Exchange, type Context, type Writer } from './check.js'
import { judged } from './judge.js'
import type { Operation } from './operation.js'
import type { Shapes } from './shape.js'
import {
  TargetError,
  type Answer,
  type GraphqlBody,
  type GraphqlRequest,
  type SendOptions,
  type Target,
} from '../client/target.js'

/** What all checks of a run share: calls so far, how many there may be, when to end, and why no more can be sent. */
export interface ContextLimits {
  calls: number
  readonly budget: number
  readonly signal: AbortSignal
  failure: TargetError | undefined
}

export interface ContextOptions {
  readonly check: Check
  readonly target: Target
  readonly shapes: Shapes
  readonly expected: Profile
  readonly includeAssumed?: boolean | undefined
  readonly recoverPages?: number | undefined
  readonly limits: ContextLimits
  readonly shared: Map<string, unknown>
  /** Makes the hand that writes, where there is leave. */
  readonly writer?: ((context: OwnedContext) => Writer) | undefined
}

export interface Spent {
  calls: number
  retries: number
  readonly remarks: string[]
  /** The last exchange, if there was one. */
  last: readonly Exchange[]
}

export class OutOfBudget extends Error {}

const maxAnswer = 4000

export interface OwnedContext extends Context {
  readonly spent: Spent
  /** Sends whatever it is given, for those who have leave. */
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
    if (limits.calls >= limits.budget) {
      throw new OutOfBudget(`The ${limits.budget} calls of this run were used up. Allow more with --budget.`)
    }
    limits.calls += 1
    spent.calls += 1
    try {
      const answer = await target.send(request, { method, accept, signal: limits.signal })
      spent.retries += answer.retries
      spent.last = [{ request, method, accept, status: answer.status, answer: textOf(answer.body, target) }]
      return answer
    } catch (error) {
      if (error instanceof TargetError && error.lasting) limits.failure = error
      throw error
    }
  }

  /** Whether the server says itself that it has what a document touches. */
  async function confirmed(coordinate: string): Promise<boolean> {
    const [type, field, argument] = coordinate.split(/[.(:]/) as [string, string?, string?]
    const query = `query TypeOf { __type(name: ${JSON.stringify(type)}) { fields { name args { name } } } }`
    const answer = await share(`introspection of ${type}`, () => call({ query, operationName: 'TypeOf' }))
    const told = answer.body.data?.['__type'] as { fields?: readonly Told[] | null } | null | undefined
    if (!told) return false
    const declared = told.fields?.find((it) => it.name === field)
    if (argument) return declared?.args?.some((it) => it.name === argument) ?? false
    return field === undefined || declared !== undefined
  }

  /** Documented, or assumed and either asked for or confirmed. */
  async function shows(coordinate: string): Promise<boolean> {
    const mark = shapes.marks.get(coordinate)
    if (mark === undefined) return false
    return !isAssumed(mark) || includeAssumed || confirmed(coordinate)
  }

  async function allowed({ query }: GraphqlRequest): Promise<void> {
    for (const coordinate of share(`assumed in ${query}`, () => shapes.assumedIn(query))) {
      if (await shows(coordinate)) continue
      skip(
        `It would ask for ${coordinate}, which is assumed and which the server does not show. Send it all the same with --include-assumed.`,
      )
    }
  }

  const context: OwnedContext = {
    spent,
    call: (operation) => call({ ...requestOf(operation), query: shapes.prepared(operation.document) }),
    get writer() {
      return options.writer?.(context)
    },
    shapes,
    expected,
    shared: share,
    remark: (text) => void spent.remarks.push(text),
    callsLeft: () => limits.budget - limits.calls,
    last: () => spent.last,
    cite: (exchanges) => void (spent.last = exchanges),
    shows,
    recoverPages,
    async send(given, sendOptions) {
      const request = requestOf(given)
      // A mutation is never sent by a run that only reads, whatever a check or a user's document says.
      if (!isQuery(request.query)) skip('It would send a mutation, and this run only reads.')
      await allowed(request)
      return call(request, sendOptions)
    },
    async ask(operation) {
      const answer = await context.send({ ...requestOf(operation), query: shapes.prepared(operation.document) })
      return judged(answer.body, operation, shapes)
    },
  }
  return context
}

interface Told {
  readonly name: string
  readonly args?: readonly { readonly name: string }[] | undefined
}

function requestOf(given: GraphqlRequest | Operation): GraphqlRequest {
  if (!('document' in given)) return given
  const { document, name, variables } = given
  return { query: document, variables, ...(name === '' ? {} : { operationName: name }) }
}

/** Whether a document holds queries alone. What we cannot read, a server might. */
function isQuery(query: string): boolean {
  const operations = parse(query).definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  return operations.every((it) => it.operation === OperationTypeNode.QUERY)
}

function textOf(body: GraphqlBody, { redact }: Target): string {
  // Before it is cut: half a secret would not be found any more.
  const text = redact(JSON.stringify(body))
  return text.length > maxAnswer ? `${text.slice(0, maxAnswer)}…` : text
}
