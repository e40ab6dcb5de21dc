/** Judges the answer to a request that the specification allows: no errors, and data in the shape of the schema. */
import type { GraphqlBody } from '../client/target.js'
import { CheckFailure, fail, type Finding } from './check.js'
import { seenIn } from './evidence.js'
import type { Operation } from './operation.js'
import { ErrorAnswer } from './rejection.js'
import type { Shapes } from './shape.js'

const maxProblems = 5

export const noDataText = 'The response has neither data nor errors.'

/** The data of the answer. Throws CheckFailure if there is an error or the shape is wrong. */
export function judged(
  body: GraphqlBody,
  operation: Operation,
  shapes: Shapes,
  status?: number,
): Readonly<Record<string, unknown>> {
  const [error] = body.errors ?? []
  if (error) throw new ErrorAnswer(error, { status, exchanges: seenIn(body.data) })
  if (!body.data) return fail(noDataText, { code: 'no-data' })
  const problems = shapes.judge(shapes.prepared(operation.document), body.data, operation.variables)
  if (problems.length === 0) return body.data
  const findings = problems
    .slice(0, maxProblems)
    .map(({ provenance: { basis, reason = '' }, ...problem }): Finding => ({
      ...problem,
      exchanges: seenIn(body.data),
      basis: basis === 'documented' ? undefined : { kind: basis, text: reason },
    }))
  throw new CheckFailure(findings)
}
