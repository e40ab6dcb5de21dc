/** Whether an answer to a request that the specification allows is one: without errors, and in its shape. */
import { CheckFailure, type Finding } from './check.js'
import type { Operation } from './operation.js'
import type { Shapes } from './shape.js'
import type { GraphqlBody } from '../client/target.js'

const maxFindings = 5

/** The data of an answer to a documented request, if it keeps its shape. Throws CheckFailure where it does not. */
export function judged(body: GraphqlBody, operation: Operation, shapes: Shapes): Readonly<Record<string, unknown>> {
  const [error] = body.errors ?? []
  if (error) {
    throw new CheckFailure([
      { sentence: `The server answers a request that the specification allows with an error: “${error.message}”.` },
    ])
  }
  if (!body.data) throw new CheckFailure([{ sentence: 'The server answers without data and without an error.' }])
  const problems = shapes.judge(shapes.prepared(operation.document), body.data, operation.variables)
  if (problems.length === 0) return body.data
  const findings = problems.slice(0, maxFindings).map(({ sentence, mark }): Finding => ({
    sentence,
    basis: mark.basis === 'documented' ? undefined : { kind: mark.basis, text: mark.reason ?? '' },
  }))
  throw new CheckFailure(findings)
}
