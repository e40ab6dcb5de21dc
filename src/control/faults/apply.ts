/** Applies the faults of a session to its requests. */
import type { GraphQLSchema } from 'graphql'
import type { Call, Intercept } from '../../server/http/call.js'
import type { HttpResponse } from '../../server/http/response.js'
import { sentToken } from '../../server/http/token.js'
import { serviceError } from '../../shared/service-error.js'
import type { Session } from '../session.js'
import { statusResponse } from './answers.js'
import type { NamedRules, Plan } from './faults.js'
import type { Rule } from './rules.js'
import { subjectOf } from './subject.js'
import { createVariant, type FieldFaults } from './variant.js'

export interface FaultOptions {
  readonly schema: GraphQLSchema
  /** Ready-made faults. Throws an Error in one line if there are none of this name. */
  readonly ready: (name: string) => readonly Rule[]
  /** Milliseconds since a fixed moment. */
  readonly elapsed: () => number
}

/** The records of a session by its name. */
export type RecordsOf = (session: string | undefined) => { create(type: string): object }

export interface FaultKit {
  /**
   * Undefined if no fault can hit the request. `named` is the header with names; throws an Error in one line if it has
   * unknown ones.
   */
  intercept(session: Session, named: string | undefined, recordsOf: RecordsOf): Intercept | undefined
  /** The response to a request for a picture. `picture` is the usual one. */
  ofPicture(session: Session, picture: HttpResponse): HttpResponse
}

export function createFaultKit({ schema, ready, elapsed }: FaultOptions): FaultKit {
  let variant: GraphQLSchema | undefined

  function planOf({ world, faults }: Session, { prepared, request }: Call, named: readonly NamedRules[]) {
    const subject = subjectOf(prepared, schema)
    const variables = 'variables' in prepared ? prepared.variables : {}
    const token = sentToken(request)
    return subject && faults.plan({ subject, variables, token, now: world.clock.now(), elapsed: elapsed() }, named)
  }

  return {
    intercept(session, named, recordsOf) {
      if (named === undefined && session.faults.isEmpty) return undefined
      const names = (named ?? '').split(',').map((it) => it.trim())
      const lists = names.filter(Boolean).map((name) => ({ name, rules: ready(name) }))
      return (call) => {
        const plan = planOf(session, call, lists)
        if (!plan) return undefined
        return answered(plan, call, () => {
          variant ??= createVariant(schema)
          return { schema: variant, context: { faults: fieldFaults(plan, session, recordsOf) } }
        })
      }
    },
    ofPicture({ faults, world }, picture) {
      if (faults.isEmpty) return picture
      const target = {
        subject: 'picture',
        variables: {},
        token: '',
        now: world.clock.now(),
        elapsed: elapsed(),
      } as const
      const plan = faults.plan(target)
      if (!plan) return picture
      const { answer: { status, ...rest } = {} } = plan
      return finished(plan, status === undefined ? picture : statusResponse(status, rest))
    },
  }
}

const errorOf = ({ answer }: Plan) =>
  serviceError(answer?.error?.code ?? 'INTERNAL_SERVER_ERROR', answer?.error?.message ?? '')

const fieldFaults = (plan: Plan, session: Session, recordsOf: RecordsOf): FieldFaults => ({
  answer: plan.answer ?? {},
  at: plan.at,
  error: () => errorOf(plan),
  grow: (type) => void recordsOf(session.name).create(type),
  repeated: session.faults.repeated,
})

/** The response to a call. The operation is executed once at most. */
async function answered(plan: Plan, call: Call, variant: () => NonNullable<Parameters<Call['run']>[0]>) {
  const { answer = {}, at } = plan
  const { status, error, connection, list, applied } = answer
  const executed = async () => call.respond(await call.run())
  if (at.size > 0 || list) return finished(plan, call.respond(await call.run(variant())))
  const isNotReached = connection === 'reset' || connection === 'hang'
  if (!isNotReached && status === undefined && !error) return finished(plan, await executed())
  if (applied) await executed()
  const operation = call.prepared.operation?.label
  if (isNotReached) return finished(plan, { ...unanswered, problem: problems[connection], operation })
  if (status !== undefined) return finished(plan, { ...statusResponse(status, answer), operation })
  return finished(plan, call.respond(call.fail(errorOf(plan))))
}

/** Of a request without a response. */
const unanswered: HttpResponse = { status: 0, headers: {}, body: null }
const problems = { reset: 'The connection was reset.', hang: 'It was not answered.' }

function finished({ fault, delay, bytesPerSecond, headers, answer }: Plan, response: HttpResponse): HttpResponse {
  const type = answer?.contentType === undefined ? {} : { 'content-type': answer.contentType }
  return {
    ...response,
    headers: { ...response.headers, ...headers, ...type },
    fault,
    transport: { delay, bytesPerSecond, connection: answer?.connection },
  }
}
