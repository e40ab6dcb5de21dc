/**
 * Every mutant is killed by the checks that it names, and no conforming variant raises an alarm. `npm run mutants` runs all
 * checks on each mutant, and shows that no other check fails.
 */
import { describe, expect, test } from 'vitest'
import { withoutCleanup } from './mutants/write-run.js'
import { ofAnyRun } from '../src/writing/run-tag.js'
import type { Report } from '../src/contract/report.js'
import { writeMutants } from './mutants/write-mutants.js'
import { isJudged, namedBy, placelessIn, scoreMutants, scoreVariants } from './mutants/score.js'
import { writeVariants } from './mutants/variants/write.js'
import { writeChecks } from './write-checks.js'
import { disguised, recording, runDisguised, runWriting } from './mutants/writing.testkit.js'
import type { Target } from '../src/client/target.js'
import { ledgerInMemory } from '../src/writing/memory-ledger.testkit.js'

// Kept, because only all runs together show whether a check is needed.
const runs = {
  mutants: writeMutants.map((mutant) => ({ mutant, report: undefined as Report | undefined })),
  variants: writeVariants.map((variant) => ({ variant, report: undefined as Report | undefined })),
}
/** Some of them: `npm run mutants` runs all. */
const someVariants = runs.variants.filter((_, at) => at % 12 === 0)

describe('Each mutant is killed by the checks that it names', () => {
  test.each(runs.mutants)('$mutant.id', async (run) => {
    const { report, strangers } = await runDisguised(run.mutant, namedBy(run.mutant, writeChecks))
    run.report = withoutCleanup(report)
    const { mutants } = scoreMutants([{ ...run, report: run.report }], writeChecks)
    expect(mutants[0]).toMatchObject({ killedBy: mutants[0]?.expected, errors: [] })
    expect(mutants[0]?.expected).not.toEqual([])
    expect(placelessIn([{ ...run, report: run.report }])).toEqual([])
    expect(strangers).toEqual([])
  })
})

// One after the other: a late server would seem to be later than it is.
describe('No conforming variant raises an alarm', () => {
  test.each(someVariants)('$variant.id', async (run) => {
    const { report, left, strangers } = await runDisguised(run.variant)
    run.report = report
    const { variants } = scoreVariants([{ ...run, report }], writeChecks)
    expect(variants[0]).toMatchObject({ exitCode: run.variant.exitCode ?? 0, falseAlarms: [] })
    expect(strangers).toEqual([])
    const ours = (it: string) => run.variant.moving !== true || ofAnyRun(it) !== undefined
    expect(left().filter(ours)).toEqual([])
  })
})

test.each(writeMutants.filter(({ id }) => id.endsWith('-made-as-another')))(
  'An existing object is not touched if its id is returned for a new one: $id',
  async (mutant) => {
    const { left, report } = await runDisguised(mutant)
    expect(left().filter((it) => it.startsWith('lost'))).toEqual([])
    expect(report.results.find(({ id }) => id === 'leaves-no-trace')?.outcome).toBe('pass')
  },
)

test('Every check is needed: it fails for a mutant, and no two for the same ones.', () => {
  const known = <Run extends { report: Report | undefined }>(all: readonly Run[]) =>
    all.flatMap((it) => (it.report ? [{ ...it, report: it.report }] : []))
  const { idle, twins } = scoreMutants(known(runs.mutants), writeChecks)
  expect({ idle, twins }).toEqual({ idle: [], twins: [] })
  expect(writeChecks.filter(isJudged).length).toBeGreaterThan(20)
})

test('An interrupted run lists nothing in its ledger that it did not send.', async () => {
  const { mock, target } = disguised({})
  const { recorder, mutations } = recording(target)
  const ledger = ledgerInMemory()
  const ending = new AbortController()
  const interrupted: Target = {
    ...recorder,
    async send(...request) {
      const answer = await recorder.send(...request)
      if (mutations.length === 3) ending.abort(new Error('Ctrl-C'))
      return answer
    },
  }
  await runWriting({ target: interrupted, mock, ledger, signal: ending.signal })
  const creates = mutations.filter(({ query }) => /create|updateAccount/.test(query))
  expect(ledger.entries().length).toBeLessThanOrEqual(creates.length)
})
