/** Judges the answer to a request that the specification allows: no errors, and data in the shape of the schema. */
import type { GraphqlBody } from '../client/target.js'
import { CheckFailure, type Finding } from './check.js'
import type { Operation } from './operation.js'
import { ErrorAnswer } from './rejection.js'
import type { Shapes } from './shape.js'

const maxFindings = 5

/** The data of the answer. Throws CheckFailure if there is an error or the shape is wrong. */
export function judged(
  body: GraphqlBody,
  operation: Operation,
  shapes: Shapes,
  status?: number,
): Readonly<Record<string, unknown>> {
  const [error] = body.errors ?? []
  if (error) throw new ErrorAnswer(error, { status })
  if (!body.data) throw new CheckFailure([{ sentence: 'The response has neither data nor errors.' }])
  const problems = shapes.judge(shapes.prepared(operation.document), body.data, operation.variables)
  if (problems.length === 0) return body.data
  const findings = problems.slice(0, maxFindings).map(({ sentence, provenance: { basis, reason = '' } }): Finding => ({
    sentence,
    basis: basis === 'documented' ? undefined : { kind: basis, text: reason },
  }))
  throw new CheckFailure(findings)
}
