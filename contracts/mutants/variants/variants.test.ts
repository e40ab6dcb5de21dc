/** No check alarms on an odd but conforming server. `npm run mutants` runs all checks on each. */
import { expect, test } from 'vitest'
import { checks } from '../../checks.js'
import type { Variant } from '../mutant.js'
import { createBench } from '../read-run.js'
import { scoreVariants, type VariantRun } from '../score.js'
import { variants } from './variants.js'

const bench = createBench(checks)
const runs: VariantRun[] = []

/**
 * The same rules hold for both lists, so one of them is enough unless the variant is about the other. For HTTP, which is
 * the same for all requests, those for the account are enough.
 */
const checksFor = ({ notices = [], http }: Variant) =>
  checks.filter(({ id }) => notices.includes(id) || (http ? id.startsWith('account-') : !id.startsWith('customers-')))

// Some variants only wait, so several run at once.
test.concurrent.each(variants.map((variant) => ({ ...variant, variant })))('$id: $about', async ({ variant }) => {
  const run = { variant, report: await bench.variant(variant, checksFor(variant)) }
  runs.push(run)
  const [result] = scoreVariants([run], checks).variants
  expect(result).toMatchObject({ falseAlarms: [], exitCode: 0 })
})

test('Each assumed check gives a notice on some variant, and each observation finds a difference.', () => {
  expect(scoreVariants(runs, checks).silent).toEqual([])
})

test('Each variant has an id of its own.', () => {
  expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length)
})
