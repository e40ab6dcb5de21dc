/** What every form of report says of the whole: totals, what was spent, and the reasons why something is not known. */
import { outcomes, type Outcome, type Report, type ReportedFinding, type Result } from '../report.js'
import { line } from './lines.js'

/** The numbers, of what there is. */
export function totalsLine(totals: Report['totals']): string {
  const some = outcomes.toReversed().filter((it) => totals[it] > 0)
  return some.length === 0 ? 'No check ran.' : some.map((it) => `${totals[it]} ${it}`).join(', ')
}

export const sums = ({ calls, retries, ms }: Report): string =>
  `${calls} ${calls === 1 ? 'call' : 'calls'}, ${retries} sent again, ${(ms / 1000).toFixed(1)} s`

/** Reasons of an outcome, each with the checks that gave it; in the order of the checks. */
export function reasonsOf(results: readonly Result[], outcome: Outcome): { reason: string; ids: string[] }[] {
  const reasons = new Map<string, string[]>()
  for (const { id, sentence = 'No reason is known.' } of results.filter((it) => it.outcome === outcome)) {
    const reason = line(sentence)
    reasons.set(reason, [...(reasons.get(reason) ?? []), line(id)])
  }
  return [...reasons].map(([reason, ids]) => ({ reason, ids }))
}

/** What was left behind on a server must be seen, and read to its end. */
export const tellsTraces = ({ id }: Result): boolean => id === 'leaves-no-trace'
export const maxTraces = 100_000

/** The sentence of a check where it stands on its own: not where its findings say it, nor where reasons are grouped. */
export function sentenceOf(result: Result): string[] {
  const { outcome, findings, sentence } = result
  if (sentence === undefined || findings.length > 0 || outcome === 'skip' || outcome === 'inconclusive') return []
  return [tellsTraces(result) ? line(sentence, maxTraces) : line(sentence)]
}

/** The finding that stands for a result where there is room for one: of a failure, one that is more than a wrong guess. */
export const chiefFinding = ({ outcome, findings }: Result): ReportedFinding | undefined =>
  (outcome === 'fail' ? findings.find(({ basis }) => basis.kind !== 'assumed') : undefined) ?? findings[0]

/** Remarks on what passed are for those who ask, except those on requests that were sent again. */
export function remarksOf({ outcome, remarks, sentence }: Result, all: boolean): string[] {
  const shown = remarks.filter((it) => all || outcome !== 'pass' || /\bsent again\b/.test(it))
  return shown.filter((it) => !sentence?.includes(it)).map((it) => line(it))
}
