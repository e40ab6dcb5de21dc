/** Applies the faults of a session to its requests. */
import type { GraphQLSchema } from 'graphql'
import type { Call, Intercept, Variant } from '../../server/http/call.js'
import type { HttpResponse } from '../../server/http/response.js'
import { sentToken } from '../../server/http/token.js'
import { serviceError } from '../../shared/service-error.js'
import { factsWithoutOperation, type FactsOf } from '../requests/facts.js'
import type { Session } from '../session.js'
import { usualError } from './definition.js'
import type { NamedRules, Plan } from './faults.js'
import type { Rule, Target } from './rules.js'
import { statusResponse } from './status-response.js'
import { createVariant, type FieldFaults } from './variant.js'

export interface FaultOptions {
  readonly schema: GraphQLSchema
  readonly factsOf: FactsOf
  /** Ready-made faults. Throws an Error in one line if there are none of this name. */
  readonly ready: (name: string) => readonly Rule[]
  /** Milliseconds since a fixed moment. */
  readonly elapsed: () => number
}

/** The records of a session by its name. */
type RecordsOf = (session: string | undefined) => { create(type: string): object }

/** What applies faults to requests. */
export type FaultKit = ReturnType<typeof createFaultKit>

export function createFaultKit({ schema, factsOf, ready, elapsed }: FaultOptions) {
  let variant: GraphQLSchema | undefined
  const timeIn = ({ world }: Session) => ({ now: world.clock.now(), elapsed: elapsed() })

  function targetOf(session: Session, { prepared, request }: Call): Target {
    const isValid = 'document' in prepared
    const variables = isValid ? prepared.variables : {}
    const subject = factsOf(prepared) ?? withoutOperation
    return { subject, isValid, variables, token: sentToken(request), ...timeIn(session) }
  }

  return {
    /** The faults that a header names. Throws an Error in one line for an unknown name. */
    readNames(header = ''): readonly NamedRules[] {
      const names = header.split(',').map((it) => it.trim())
      return names.filter(Boolean).map((name) => ({ name, rules: ready(name) }))
    },
    /** Undefined if no fault can hit the request. */
    intercept(session: Session, named: readonly NamedRules[], recordsOf: RecordsOf): Intercept | undefined {
      if (named.length === 0 && session.faults.isEmpty) return undefined
      return (call) => {
        const plan = session.faults.plan(targetOf(session, call), named)
        if (!plan) return undefined
        return respondTo(call, plan, () => {
          variant ??= createVariant(schema)
          return { schema: variant, context: { faults: fieldFaults(plan, session, recordsOf) } }
        })
      }
    },
    /** The response to a request for a picture. `picture` is the usual one. */
    applyToPicture(session: Session, picture: HttpResponse): HttpResponse {
      if (session.faults.isEmpty) return picture
      const target = { subject: 'picture', isValid: false, variables: {}, token: '', ...timeIn(session) } as const
      const plan = session.faults.plan(target)
      if (!plan) return picture
      const { effect: { status, ...details } = {} } = plan
      return finished(plan, status === undefined ? picture : statusResponse(status, details))
    },
  }
}

/** Only faults that hit all requests can hit one without an operation. */
const withoutOperation = factsWithoutOperation()

const errorOf = ({ effect }: Plan) =>
  serviceError(effect?.error?.code ?? usualError.code, effect?.error?.message ?? usualError.message)

const fieldFaults = (plan: Plan, session: Session, recordsOf: RecordsOf): FieldFaults => ({
  effect: plan.effect ?? {},
  at: plan.at,
  keepsCursors: plan.keepsCursors,
  error: () => errorOf(plan),
  grow: (type) => void recordsOf(session.name).create(type),
  repeated: session.faults.repeated,
})

/** The response to a call. The operation is executed once at most. */
async function respondTo(call: Call, plan: Plan, variant: () => Variant): Promise<HttpResponse> {
  const { effect = {}, at, keepsCursors } = plan
  const { status, error, connection, list, applied } = effect
  const isInFields = at.size > 0 || list !== undefined
  const executed = async () => call.respond(await call.run(isInFields || keepsCursors ? variant() : undefined))
  const isNotReached = connection === 'reset' || connection === 'hang'
  if (isInFields || (!isNotReached && status === undefined && !error)) return finished(plan, await executed())
  if (applied) await executed()
  const operation = call.prepared.operation?.label
  if (isNotReached) return finished(plan, { ...noResponse, problem: problems[connection], operation })
  if (status !== undefined) return finished(plan, { ...statusResponse(status, effect), operation })
  return finished(plan, call.respond(call.fail(errorOf(plan))))
}

const noResponse: HttpResponse = { status: 0, headers: {}, body: null }
const problems = { reset: 'The connection was reset.', hang: 'It was not answered.' }

function finished({ fault, delay, bytesPerSecond, headers, effect }: Plan, response: HttpResponse): HttpResponse {
  const type = effect?.contentType === undefined ? {} : { 'content-type': effect.contentType }
  return {
    ...response,
    headers: { ...response.headers, ...headers, ...type },
    fault,
    transport: { delay, bytesPerSecond, connection: effect?.connection },
  }
}
