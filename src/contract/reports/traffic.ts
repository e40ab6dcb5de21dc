/** Speed and coverage by operation, in lines. */
import { countOf } from '../../shared/text.js'
import type { Report } from '../report.js'
import { line } from './lines.js'

/** A line for each operation that was answered, the slowest first. */
export const speedLines = ({ operations }: Pick<Report, 'operations'>): string[] =>
  operations
    .flatMap((it) => (it.p50 === undefined || it.p95 === undefined ? [] : [{ ...it, p50: it.p50, p95: it.p95 }]))
    .toSorted((a, b) => b.p95 - a.p95)
    .map(({ at, requests, retries, p50, p95 }) => {
      const again = retries === 0 ? '' : `, ${countOf(retries, 'retry', 'retries')}`
      return line(
        `${at}: p50 ${Math.round(p50)} ms, p95 ${Math.round(p95)} ms, ${countOf(requests, 'request')}${again}`,
      )
    })

const maxFields = 12
const maxReason = 300

/** How many operations were judged, why the others were not, and which fields had no value. */
export function coverageLines(
  { operations, neverShown }: Pick<Report, 'operations' | 'neverShown'>,
  isComplete = false,
): string[] {
  const open = operations.filter(({ notJudged }) => notJudged !== undefined)
  const reasons = [...new Set(open.map(({ notJudged }) => notJudged ?? ''))]
  const atOf = (reason: string) => open.filter((it) => it.notJudged === reason).map(({ at }) => at)
  const fields = isComplete || neverShown.length <= maxFields ? `: ${neverShown.join(', ')}` : ''
  return [
    `Judged: ${operations.length - open.length} of ${countOf(operations.length, 'documented operation')}.`,
    ...reasons.map((it) => `Not judged: ${line(atOf(it).join(', '))}. ${line(it, maxReason)}`),
    ...(neverShown.length === 0
      ? []
      : [line(`No valid value seen of ${countOf(neverShown.length, 'field')}${fields}`, Infinity)]),
  ]
}
