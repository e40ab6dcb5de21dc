/** The checks that write put to the test: every saboteur is caught by just the checks that it names, and no lawful variant. */
import { describe, expect, test } from 'vitest'
import { withoutTraces } from './mutants/write-run.js'
import { ofAnyRun } from '../src/writing/run-tag.js'
import type { Report } from '../src/contract/report.js'
import { writeSaboteurs } from './mutants/write-mutants.js'
import { isJudged, scoreMutants, scoreVariants } from './mutants/score.js'
import { writeVariants } from './mutants/write-variants.js'
import { writeChecks } from './write-checks.js'
import { runDisguised } from './mutants/writing.testkit.js'

// The cases of each list run one after the other and are told together: what sets two checks apart is seen in all of them.
const runs = {
  mutants: writeSaboteurs.map((mutant) => ({ mutant, report: undefined as Report | undefined })),
  variants: writeVariants.map((variant) => ({ variant, report: undefined as Report | undefined })),
}

describe('Each mutant fails just the checks that it names', () => {
  test.each(runs.mutants)('$mutant.id', async (run) => {
    const { report, strangers } = await runDisguised(run.mutant)
    run.report = withoutTraces(report)
    const { mutants } = scoreMutants([{ ...run, report: run.report }], writeChecks)
    expect(mutants[0]).toMatchObject({ killedBy: [...run.mutant.fails].sort(), errors: [] })
    expect(run.mutant.fails).not.toEqual([])
    expect(strangers).toEqual([])
  })
})

describe('No lawful variant fails', () => {
  test.each(runs.variants)('$variant.id', async (run) => {
    const { report, left, strangers } = await runDisguised(run.variant)
    run.report = report
    const { variants } = scoreVariants([{ ...run, report }], writeChecks)
    expect(variants[0]).toMatchObject({ exitCode: 0, falseAlarms: [] })
    expect(strangers).toEqual([])
    const ours = (it: string) => run.variant.moving !== true || ofAnyRun(it) !== undefined
    expect((await left()).filter(ours)).toEqual([])
  })
})

test.each(writeSaboteurs.filter(({ id }) => id.endsWith('-made-as-another')))(
  'What was there is not touched, though its id is answered for what was made: $id',
  async (mutant) => {
    const { left, report } = await runDisguised(mutant)
    expect((await left()).filter((it) => it.startsWith('lost'))).toEqual([])
    expect(report.results.find(({ id }) => id === 'leaves-no-trace')?.outcome).toBe('pass')
  },
)

test('What did harm to others is not sent again, not to clean up either, and the report says what is left.', async () => {
  const mutant = writeSaboteurs.find(({ id }) => id === 'others-segment-deleted')
  const { left, report } = await runDisguised(mutant!)
  const segments = (await left()).filter((it) => it.includes('"__typename":"Segment"'))
  // Once and twice may be somebody else's doing, where not enough was looked at besides.
  expect(segments.filter((it) => it.startsWith('lost')).length).toBeLessThanOrEqual(3)
  expect(segments.filter((it) => it.startsWith('left')).every((it) => ofAnyRun(it) !== undefined)).toBe(true)
  const traces = report.results.find(({ id }) => id === 'leaves-no-trace')
  expect(traces).toMatchObject({
    outcome: 'error',
    sentence: expect.stringMatching(
      /DeleteSegments is not sent any more, because it does harm: right after it Segment seg_\S+ was gone\./,
    ),
  })
})

test('Every check is failed by a mutant or spoken up by a variant, and no two by the same ones.', () => {
  const known = <Run extends { report: Report | undefined }>(all: readonly Run[]) =>
    all.flatMap((it) => (it.report ? [{ ...it, report: it.report }] : []))
  const { idle, twins } = scoreMutants(known(runs.mutants), writeChecks)
  const { silent } = scoreVariants(known(runs.variants), writeChecks)
  expect({ idle, silent, twins }).toEqual({ idle: [], silent: [], twins: [] })
  expect(writeChecks.filter(isJudged).length).toBeGreaterThan(20)
})
