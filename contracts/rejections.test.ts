/** Forbidden writes are inconclusive; a server error never counts as forbidden. */
import { expect, test } from 'vitest'
import type { GraphqlError } from '../src/client/target.js'
import type { Wrap } from './mutants/mutant.js'
import { mutationsIn } from './mutants/mutation-rules.js'
import { runDisguised } from './mutants/writing.testkit.js'

/** Answers some mutations with an error, after they were done or in their place. */
const erring =
  (names: RegExp, error: GraphqlError, { done = false } = {}): Wrap =>
  (target) => ({
    ...target,
    async send(request, options) {
      if (!mutationsIn(request.query).some(({ name }) => names.test(name))) return target.send(request, options)
      if (done) await target.send(request, options)
      return { status: 200, body: { data: null, errors: [error] }, ms: 0 }
    },
  })

const outcomesOf = async (wrap: Wrap) => {
  const { report, left } = await runDisguised({ wrap })
  const of = (outcome: string) => report.results.filter((it) => it.outcome === outcome).map(({ id }) => id)
  return { exitCode: report.exitCode, fails: of('fail'), errors: of('error'), inconclusive: of('inconclusive'), left }
}

const forbidden = { message: 'Your role is not enough.', extensions: { code: 'FORBIDDEN' } }

test('If writing is forbidden, the checks that write are inconclusive.', async () => {
  const { fails, errors, inconclusive } = await outcomesOf(erring(/./, forbidden))
  expect([fails, errors]).toEqual([[], []])
  expect(inconclusive).toEqual(
    expect.arrayContaining(['create-segment', 'create-store', 'create-integration', 'update-account']),
  )
})

test('If deletes are forbidden, only leaves-no-trace ends in an error.', async () => {
  const { exitCode, fails, errors, inconclusive } = await outcomesOf(erring(/^(delete|remove)/, forbidden))
  expect([exitCode, fails, errors]).toEqual([2, [], ['leaves-no-trace']])
  expect(inconclusive).toEqual(expect.arrayContaining(['delete-segments', 'delete-store', 'remove-integration']))
})

test.each<GraphqlError>([
  { message: 'Internal server error' },
  { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
  { message: 'Oops.', extensions: { status: 500 } },
])('A create that fails with %j is an error, not inconclusive.', async (error) => {
  const { exitCode, fails, errors } = await outcomesOf(erring(/^createSegment$/, error))
  expect([exitCode, fails]).toEqual([2, []])
  expect(errors).toContain('create-segment')
})

test('An update that fails with a server error is an error; a delete, fully documented, is a failure.', async () => {
  const fault = { message: 'Internal server error' }
  const updated = await outcomesOf(erring(/^update(Store|Customer)$/, fault))
  expect([updated.exitCode, updated.fails]).toEqual([2, []])
  expect(updated.errors).toEqual(expect.arrayContaining(['update-store', 'update-customer']))
  const { exitCode, fails } = await outcomesOf(erring(/^deleteSegments$/, fault))
  expect([exitCode, fails]).toEqual([1, ['delete-segments']])
})

test('An object that was created despite the error is cleaned up.', async () => {
  const wrap = erring(/^create(Segment|Store)$/, { message: 'Internal server error' }, { done: true })
  const { exitCode, left } = await outcomesOf(wrap)
  expect([exitCode, left()]).toEqual([2, []])
})
