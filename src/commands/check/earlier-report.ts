/** Reads the JSON report of an earlier run, for `--compare`. */
import * as z from 'zod'
import type { EarlierReport } from '../../contract/compare.js'
import { severities } from '../../contract/known.js'
import { schemaVersion } from '../../contract/reports/json.js'
import { outcomes } from '../../contract/report.js'
import { isObject } from '../../shared/json.js'
import { validated } from '../../shared/mistakes.js'
import { fileJson, UsageError } from '../options.js'

const text = z.string()
const seen = { code: text, at: text, order: text.optional(), sentence: text }
const finding = z.looseObject({
  ...seen,
  known: z.looseObject({ by: z.enum(['--known', '--fail-on new']).optional() }).optional(),
  basis: z.looseObject({ kind: z.enum(['documented', 'disputed', 'assumed']) }),
})
const compared = z.looseObject({ ...seen, check: text, kind: z.enum(['failure', 'notice', 'known']) })
const result = z.looseObject({
  id: text,
  outcome: z.enum(outcomes),
  observes: text.optional(),
  sentence: text.optional(),
  severity: z.enum(severities).exclude(['off']).optional(),
  findings: z.array(finding),
})
const advice = 'Write one with --report json=FILE.'

/** What a comparison needs. Later versions of commerce-mock read the reports of this one. */
const report = z.looseObject({
  schemaVersion: z.literal(schemaVersion),
  startedAt: z.iso.datetime(),
  calls: z.number(),
  ms: z.number(),
  results: z.array(result),
  neverShown: z.array(text).optional(),
  comparison: z.looseObject({ notJudged: z.array(compared).optional() }).optional(),
})

/** Throws a UsageError with one line for each mistake. */
export function readEarlierReport(path: string): EarlierReport {
  const data = fileJson('--compare', path)
  if (!isObject(data) || !('results' in data)) {
    throw new UsageError(`--compare: ${path} is not a report of check. ${advice}`)
  }
  if (!('schemaVersion' in data)) {
    throw new UsageError(
      `--compare: ${path} is a report of an earlier version, which does not say where findings are. ${advice}`,
    )
  }
  const { schemaVersion: given } = data
  if (typeof given === 'number' && given > schemaVersion) {
    throw new UsageError(
      `--compare: ${path} was written by a newer commerce-mock (schema ${given}). Update commerce-mock, or compare with a report of this version.`,
    )
  }
  return validated(report, data, (at) => `--compare: ${path} ${z.core.toDotPath([...at])}`, UsageError)
}
