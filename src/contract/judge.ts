/** Judges the answer to a request that the specification allows: no errors, and data in the shape of the schema. */
import type { GraphqlBody } from '../client/target.js'
import { CheckFailure, fail, type Finding } from './check.js'
import { seenIn } from './evidence.js'
import { mergeFindings } from './identity.js'
import { fieldsIn, type Operation } from './operation.js'
import { ErrorAnswer } from './rejection.js'
import type { Shapes } from './shape.js'

export const noDataText = 'The response has neither data nor errors.'

/** Everything that is wrong with the shape of one answer. */
export class ShapeFailure extends CheckFailure {}

/** The data of the answer. Throws CheckFailure if there is an error or the shape is wrong. */
export function judged(
  body: GraphqlBody,
  operation: Operation,
  shapes: Shapes,
  status?: number,
): Readonly<Record<string, unknown>> {
  const [error] = body.errors ?? []
  const at = rootsText(operation)
  if (error) throw new ErrorAnswer(error, { status, at, exchanges: seenIn(body.data) })
  if (!body.data) return fail(noDataText, { code: 'no-data', at })
  const { problems } = shapes.judge(shapes.prepared(operation.document), body.data, operation.variables)
  if (problems.length === 0) return body.data
  const exchanges = seenIn(body.data)
  const findings = mergeFindings(problems).map(({ provenance: { basis, reason = '' }, ...problem }): Finding => ({
    ...problem,
    exchanges,
    basis: basis === 'documented' ? undefined : { kind: basis, text: reason },
  }))
  throw new ShapeFailure(findings)
}

/** The root fields of an operation, as coordinates. */
function rootsText(it: Operation): string {
  const type = it.kind.charAt(0).toUpperCase() + it.kind.slice(1)
  return [...new Set(fieldsIn(it).map((name) => `${type}.${name}`))].join(', ') || type
}
