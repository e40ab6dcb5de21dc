/** No check alarms on an odd but conforming server. `npm run mutants` runs all checks on each. */
import { expect, test } from 'vitest'
import { checks } from '../../checks.js'
import type { Variant } from '../mutant.js'
import { createBench } from '../read-run.js'
import { scoreVariants } from '../score.js'
import { variants } from './variants.js'

const bench = createBench(checks)

/**
 * The same rules hold for both lists, so one of them is enough unless the variant is about the other. For HTTP, which is
 * the same for all requests, those for the account are enough.
 */
const checksFor = ({ notices = [], http }: Variant) =>
  checks.filter(({ id }) => notices.includes(id) || (http ? id.startsWith('account-') : !id.startsWith('customers-')))

/** Some of them. */
const some = variants.filter((_, at) => at % 12 === 0)

// Some variants only wait, so several run at once.
test.concurrent.each(some.map((variant) => ({ ...variant, variant })))('$id: $about', async ({ variant }) => {
  const report = await bench.variant(variant, checksFor(variant))
  const [result] = scoreVariants([{ variant, report }], checks).variants
  expect(result).toMatchObject({ falseAlarms: [], exitCode: 0 })
})

test('Each variant has an id of its own.', () => {
  expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length)
})
