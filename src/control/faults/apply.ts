/** Applies the faults of a session to its requests. */
import type { GraphQLSchema } from 'graphql'
import type { Call, Intercept, SchemaOverride } from '../../server/http/call.js'
import type { HttpResponse } from '../../server/http/response.js'
import { sentToken } from '../../server/http/token.js'
import { serviceError } from '../../shared/service-error.js'
import { factsWithoutOperation, type FactsOf } from '../requests/facts.js'
import type { Session } from '../session.js'
import { defaultError } from './definition.js'
import type { NamedFaults, FaultDecision } from './faults.js'
import type { ReadyFault, IncomingRequest } from './rules.js'
import { statusResponse } from './status-response.js'
import { createFaultySchema, type FieldFaults } from './faulty-schema.js'

export interface FaultOptions {
  readonly schema: GraphQLSchema
  readonly factsOf: FactsOf
  /** Ready-made faults. Throws an Error in one line if there are none of this name. */
  readonly ready: (name: string) => readonly ReadyFault[]
  /** Milliseconds since a fixed moment. */
  readonly elapsed: () => number
}

/** The records of a session by its name. */
type RecordsOf = (session: string | undefined) => { create(type: string): object }

/** What applies faults to requests. */
export type FaultKit = ReturnType<typeof createFaultKit>

export function createFaultKit({ schema, factsOf, ready, elapsed }: FaultOptions) {
  let faultySchema: GraphQLSchema | undefined
  const timeIn = ({ world }: Session) => ({ now: world.clock.now(), elapsed: elapsed() })

  function incomingOf(session: Session, { prepared, request }: Call): IncomingRequest {
    const isValid = 'document' in prepared
    const variables = isValid ? prepared.variables : {}
    const subject = factsOf(prepared) ?? withoutOperation
    return { subject, isValid, variables, token: sentToken(request), ...timeIn(session) }
  }

  return {
    /** The faults that a header names. Throws an Error in one line for an unknown name. */
    readNames(header: string | undefined): readonly NamedFaults[] {
      if (header === undefined) return []
      const names = header.split(',').map((it) => it.trim())
      return names.filter(Boolean).map((name) => ({ name, faults: ready(name) }))
    },
    /** Undefined if no fault can hit the request. */
    intercept(session: Session, named: readonly NamedFaults[], recordsOf: RecordsOf): Intercept | undefined {
      if (named.length === 0 && session.faults.isEmpty) return undefined
      return (call) => {
        const decision = session.faults.decide(incomingOf(session, call), named)
        if (!decision) return undefined
        return respondTo(call, decision, () => {
          faultySchema ??= createFaultySchema(schema)
          return { schema: faultySchema, context: { faults: fieldFaults(decision, session, recordsOf) } }
        })
      }
    },
    /** The response to a request for a picture. `picture` is the usual one. */
    applyToPicture(session: Session, picture: HttpResponse): HttpResponse {
      if (session.faults.isEmpty) return picture
      const request = { subject: 'picture', isValid: false, variables: {}, token: '', ...timeIn(session) } as const
      const decision = session.faults.decide(request)
      if (!decision) return picture
      const { effect: { status, ...details } = {} } = decision
      return finished(decision, status === undefined ? picture : statusResponse(status, details))
    },
  }
}

/** Only faults that hit all requests can hit one without an operation. */
const withoutOperation = factsWithoutOperation()

const errorOf = ({ effect }: FaultDecision) =>
  serviceError(effect?.error?.code ?? defaultError.code, effect?.error?.message ?? defaultError.message)

const fieldFaults = (decision: FaultDecision, session: Session, recordsOf: RecordsOf): FieldFaults => ({
  effect: decision.effect ?? {},
  at: decision.at,
  keepsCursors: decision.keepsCursors,
  error: () => errorOf(decision),
  grow: (type) => void recordsOf(session.name).create(type),
  repeated: session.faults.repeated,
})

/** The response to a call. The operation is executed once at most. */
async function respondTo(call: Call, decision: FaultDecision, override: () => SchemaOverride): Promise<HttpResponse> {
  const { effect = {}, at, keepsCursors } = decision
  const { status, error, connection, list, applied } = effect
  const isInFields = at.size > 0 || list !== undefined
  const executed = async () => call.respond(await call.run(isInFields || keepsCursors ? override() : undefined))
  const isNotReached = connection === 'reset' || connection === 'hang'
  if (isInFields || (!isNotReached && status === undefined && !error)) return finished(decision, await executed())
  if (applied) await executed()
  const operation = call.prepared.operation?.label
  if (isNotReached) return finished(decision, { ...noResponse, problem: problems[connection], operation })
  if (status !== undefined) return finished(decision, { ...statusResponse(status, effect), operation })
  return finished(decision, call.respond(call.fail(errorOf(decision))))
}

const noResponse: HttpResponse = { status: 0, headers: {}, body: null }
const problems = { reset: 'The connection was reset.', hang: 'It was not answered.' }

function finished(
  { fault, delay, bytesPerSecond, headers, effect }: FaultDecision,
  response: HttpResponse,
): HttpResponse {
  const type = effect?.contentType === undefined ? {} : { 'content-type': effect.contentType }
  return {
    ...response,
    headers: { ...response.headers, ...headers, ...type },
    fault,
    transport: { delay, bytesPerSecond, connection: effect?.connection },
  }
}
