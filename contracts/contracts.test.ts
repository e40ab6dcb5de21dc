/** The contract suite under Vitest, a test for each check: against the mock in process, or the base_url in COMMERCE_MOCK_BASE_URL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractChecks, runContracts } from '../src/commands/check/run-contracts.js'
import type { Report } from '../src/contract/report.js'
import { detailOf } from '../src/contract/reports/detail.js'

const { COMMERCE_MOCK_BASE_URL: baseUrl, COMMERCE_MOCK_TOKEN: token } = process.env
const interruption = new AbortController()
let report: Report

// Longer than the timeout of the run, which ends with a message of its own.
beforeAll(async () => {
  report = await runContracts({ target: baseUrl || undefined, token: token || undefined, signal: interruption.signal })
}, 330_000)
afterAll(() => interruption.abort())

describe(`${baseUrl || 'The mock in this process'} keeps its promises`, () => {
  const reading = contractChecks.filter(({ writes }) => writes === undefined)
  test.for(reading.map(({ id, title }) => [id, title] as const))('%s: %s', async ([id], context) => {
    const result = report.results.find((it) => it.id === id)
    // If the target cannot be reached, the first result says so.
    if (!result) throw new Error(report.results[0]?.sentence ?? report.verdict)
    const { outcome, sentence = '', findings } = result
    if (outcome === 'skip' || outcome === 'inconclusive') context.skip(`${outcome}: ${sentence}`)
    if (outcome === 'notice') await context.annotate(findings.map((it) => detailOf(it)).join('\n\n'), 'notice')
    else if (outcome === 'pass' && sentence !== '') await context.annotate(sentence, 'seen')
    expect(outcome === 'fail' || outcome === 'error', findings.map((it) => detailOf(it)).join('\n\n') || sentence).toBe(
      false,
    )
  })
})
