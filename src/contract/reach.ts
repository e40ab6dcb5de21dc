/** The check that runs first: whether the target answers at all. */
import { classOf, hasData, isLockedOut, type AnswerClass } from '../client/answer-class.js'
import { TargetError } from '../client/target.js'
import { documented, fail, type Check } from './check.js'
import { noDataText } from './judge.js'
import type { Operation } from './operation.js'
import { reachId } from './verdict.js'

const basisOfReach = documented(
  'Endpoints: method POST, path `{base_url}`; the result is JSON with a top-level `data` object.',
)

/** The check that runs first, because every check would get the same error from a target that denies access. */
export const reach = (probes: readonly Operation[] = []): Check => ({
  id: reachId,
  title: 'The target MUST answer a GraphQL request.',
  at: 'Query.__typename',
  basis: basisOfReach,
  async run(context) {
    const first = await context.send({ query: '{ __typename }' })
    const [error] = first.body.errors ?? []
    if (!first.body.data && !error) return fail(noDataText)
    if (!first.body.data && error) {
      const problem = `The target answers ${first.status} with the error “${error.message}”`
      if (classOf({ status: first.status }) === 'gone')
        throw new TargetError(`${problem}. Check that --base-url is the address of the API.`)
      if (isLockedOut(error))
        throw new TargetError(`${problem}. If it needs a token, pass one with --token-env or --token-file.`)
    }
    // A server may reject a single request for reasons of its own.
    let problem: string | undefined
    for (const probe of probes) {
      const { status, body } = await context.send(probe)
      const [error] = body.errors ?? []
      const advice = adviceOn[classOf({ status, error })]
      if (hasData(body) || !error || advice === undefined) return
      problem ??= `The target answers every request so far with ${status} and the error “${error.message}”. ${advice}`
    }
    if (problem !== undefined) throw new TargetError(problem)
  },
})

/** What to do if every answer is of a class. */
const adviceOn: Partial<Record<AnswerClass, string>> = {
  forbidden: 'Check the token, and which operations the target accepts.',
  'server error': 'Check its log.',
}
