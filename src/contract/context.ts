/** The context of one check: sends its requests, counts them, and enforces what the run allows. */
import { classOf, hasData } from '../client/answer-class.js'
import { maskSecrets } from '../shared/mask-secrets.js'
import { onlyReads } from '../client/retries.js'
import { TargetError, type Answer, type GraphqlRequest, type SendOptions, type Target } from '../client/target.js'
import type { Profile } from '../profile.js'
import { isAssumed } from '../schema/provenance.js'
import { Inconclusive, skip, type Context, type Exchange, type Writer } from './check.js'
import { noteSource } from './evidence.js'
import { judged } from './judge.js'
import { operation, type Operation } from './operation.js'
import type { Shapes } from './shape.js'
import { createTraffic, type Sent, type Traffic } from './traffic.js'

/** What all checks of a run share. */
export interface RunLimits {
  readonly maxRequests: number
  readonly signal: AbortSignal
  /** Whether any answer held data, so access is not denied as a whole. */
  isLetIn?: boolean
  /** How many requests in a row may stay unanswered. Defaults to any number. */
  readonly maxUnanswered?: number
  unanswered?: number
  /** Why no more is sent, and the number of the last request. */
  stop?: { readonly error: TargetError; readonly after: number; isReported?: boolean } | undefined
}

/** What the checks of one resource share, which send their mutations one after the other. */
export interface WriteTrail {
  /** The last mutation that was answered. */
  lastWrite?: Exchange | undefined
}

export interface ContextOptions {
  readonly target: Target
  readonly shapes: Shapes
  /** What the target is expected to do where the specification is silent. */
  readonly expected: Profile
  /** Sends fields that are assumed even if the server's introspection does not have them. */
  readonly includeAssumed?: boolean | undefined
  /** How many pages of a listing are searched for an object. Defaults to 40. */
  readonly recoverPages?: number | undefined
  readonly limits: RunLimits
  readonly shared: Map<string, unknown>
  readonly trail?: WriteTrail | undefined
  /** What the run sends, noted for its report. */
  readonly traffic?: Traffic | undefined
  /** Makes the writer, if writing is allowed. */
  readonly writer?: ((context: OwnedContext) => Writer) | undefined
}

/** What a check used. */
export interface Spent {
  readonly sent: Sent[]
  /** The last request of each repeated read that never showed what was wanted, and how many milliseconds it waited. */
  readonly unseen: Map<Exchange, number>
  readonly remarks: string[]
  /** What the observation saw, as a value of the profile. */
  observed?: unknown
  isExpected?: boolean | undefined
  last: readonly Exchange[]
}

/** A context as the runner and the writer see it. */
export interface OwnedContext extends Context {
  readonly spent: Spent
  readonly limits: RunLimits
  readonly redact: Target['redact']
  /** Throws if the run sends no more requests. */
  requireCall(): void
  /** Sends any operation, mutations included. */
  call(operation: Operation): Promise<Answer>
}

export function createContext(options: ContextOptions): OwnedContext {
  const { target, expected, includeAssumed = false, recoverPages = 40, limits } = options
  const { traffic = createTraffic(options.shapes) } = options
  const { shapes } = traffic
  const spent: Spent = { sent: [], unseen: new Map(), remarks: [], last: [] }
  const run = { ...options, traffic }
  const prepared = (it: Operation) => ({ ...requestOf(it), query: shapes.prepared(it.document) })
  const context: OwnedContext = {
    spent,
    limits,
    shapes,
    expected,
    recoverPages,
    redact: (text) => target.redact(text),
    get writer() {
      return options.writer?.(context)
    },
    shared<Value>(key: string, make: () => Value) {
      if (!options.shared.has(key)) options.shared.set(key, make())
      return options.shared.get(key) as Value
    },
    remark: (text) => void spent.remarks.push(text),
    observed: (observed, isExpected) => void Object.assign(spent, { observed, isExpected }),
    callsLeft: () => limits.maxRequests - traffic.sent.length,
    last: () => spent.last,
    async shows(coordinate) {
      const provenance = shapes.provenance.get(coordinate)
      if (provenance === undefined) return false
      return !isAssumed(provenance) || includeAssumed || isIntrospected(context, coordinate)
    },
    requireCall: () => requireCall(run),
    call: (it) => call(run, spent, prepared(it)),
    async send(given, sendOptions) {
      const request = requestOf(given)
      // Mutations only go through the writer, whatever a check or a user's document says.
      if (!onlyReads(request.query)) skip('The check would send a mutation, and this run only reads.')
      await requireShown(context, request)
      return call(run, spent, request, sendOptions)
    },
    async ask(it) {
      const { body, status } = await context.send(prepared(it))
      return judged(body, it, shapes, status)
    },
  }
  return context
}

function requestOf(given: GraphqlRequest | Operation): GraphqlRequest {
  if (!('document' in given)) return given
  const { document, name, variables } = given
  return { query: document, variables, ...(name === '' ? {} : { operationName: name }) }
}

/** More of an answer is not kept for evidence. */
const maxAnswerLength = 1_000_000

type Running = Pick<ContextOptions, 'target' | 'limits' | 'trail'> & { readonly traffic: Traffic }

/** Throws if the run sends no more requests. */
function requireCall({ limits: { stop, signal, maxRequests }, traffic }: Pick<Running, 'limits' | 'traffic'>): void {
  if (stop) throw stop.error
  signal.throwIfAborted()
  if (traffic.sent.length >= maxRequests)
    throw new Inconclusive(`The run used up its ${maxRequests} requests. Allow more with --max-requests.`)
}

/** Sends a request within the limits of the run. */
async function call(
  running: Running,
  spent: Spent,
  request: GraphqlRequest,
  sendOptions: SendOptions = {},
): Promise<Answer> {
  requireCall(running)
  const sent = running.traffic.begin(request)
  spent.sent.push(sent)
  const answer = await deliver(running, spent, request, sendOptions, sent)
  if (!isServerError(answer) || !onlyReads(request.query)) return answer
  // It may be transient.
  sent.retriedAfter.push(`a server error with status ${answer.status}`)
  return deliver(running, spent, request, sendOptions, sent)
}

const isServerError = ({ status, body }: Answer) =>
  classOf({ status, error: body.errors?.[0] }) === 'server error' && !hasData(body)

/** Sends a request, and notes its answer as evidence and why it was sent again. */
async function deliver(
  { target, limits, trail, traffic }: Running,
  spent: Spent,
  request: GraphqlRequest,
  { method, accept }: SendOptions,
  sent: Sent,
): Promise<Answer> {
  const { signal, maxUnanswered = Infinity } = limits
  try {
    const answer = await target.send(request, { method, accept, signal })
    sent.retriedAfter.push(...(answer.retriedAfter ?? []))
    sent.ms = answer.ms
    sent.helped = !isServerError(answer)
    limits.unanswered = 0
    limits.isLetIn ||= hasData(answer.body)
    // Masked before it is cut, because half a secret would not be recognized.
    const text = maskSecrets(target.redact(JSON.stringify(answer.body))).slice(0, maxAnswerLength)
    const exchange = { request, method, accept, status: answer.status, answer: text }
    spent.last = [exchange]
    noteSource(answer.body.data, exchange)
    if (trail && !onlyReads(request.query)) trail.lastWrite = exchange
    return answer
  } catch (error) {
    if (error instanceof TargetError) sent.retriedAfter.push(...error.retriedAfter)
    // A GET or another Accept may be rejected although everything else works.
    const isUsual = method !== 'GET' && accept === undefined
    if (!(error instanceof TargetError) || !isUsual) throw error
    // If other requests are answered, only this one is denied, for example by a firewall that blocks introspection.
    if (error.status === 403 && limits.isLetIn && onlyReads(request.query)) {
      return { status: 403, body: { errors: [{ message: error.message }] }, ms: 0 }
    }
    limits.unanswered = error.transient && !error.unsent ? (limits.unanswered ?? 0) + 1 : 0
    if (!error.permanent && limits.unanswered < maxUnanswered) throw error
    limits.stop ??= { error, after: traffic.sent.length }
    throw limits.stop.error
  }
}

async function requireShown(context: Context, { query }: GraphqlRequest): Promise<void> {
  for (const coordinate of context.shared(`assumed in ${query}`, () => context.shapes.assumedIn(query))) {
    if (await context.shows(coordinate)) continue
    skip(
      `The check needs ${coordinate}, which is assumed and not in the server's introspection. Use --include-assumed to send it anyway.`,
    )
  }
}

type Named = { readonly name: string }
type IntrospectedType = { readonly fields?: readonly (Named & { readonly args?: readonly Named[] })[] | null }

/** Whether the introspection of the server has a coordinate. */
async function isIntrospected({ shared, call }: OwnedContext, coordinate: string): Promise<boolean> {
  const [type, field, argument] = coordinate.split(/[.(:]/) as [string, string?, string?]
  const query = `query TypeOf { __type(name: ${JSON.stringify(type)}) { fields { name args { name } } } }`
  const { body } = await shared(`introspection of ${type}`, () => call(operation(query)))
  const found = body.data?.['__type'] as IntrospectedType | null | undefined
  if (!found || field === undefined) return Boolean(found)
  const declared = found.fields?.find(({ name }) => name === field)
  return argument ? (declared?.args?.some(({ name }) => name === argument) ?? false) : declared !== undefined
}
