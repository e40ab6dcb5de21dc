/** What several forms of a report share: totals, grouped reasons, and which sentences and remarks are shown. */
import { outcomes, type Outcome, type Report, type ReportedFinding, type Result } from '../report.js'
import { line } from './lines.js'

export function totalsLine(totals: Report['totals']): string {
  const present = outcomes.toReversed().filter((it) => totals[it] > 0)
  return present.length === 0 ? 'No check ran.' : present.map((it) => `${totals[it]} ${it}`).join(', ')
}

export const spentLine = ({ calls, retries, ms }: Report): string =>
  `${countOf(calls, 'request')}, ${countOf(retries, 'retry', 'retries')}, ${(ms / 1000).toFixed(1)} s`

export const countOf = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

/** The reasons of all results with an outcome, each with the ids of its checks. */
export function reasonsOf(results: readonly Result[], outcome: Outcome): { reason: string; ids: string[] }[] {
  const reasons = new Map<string, string[]>()
  for (const { id, sentence = 'The reason is unknown.' } of results.filter((it) => it.outcome === outcome)) {
    const reason = line(sentence)
    reasons.set(reason, [...(reasons.get(reason) ?? []), line(id)])
  }
  return [...reasons].map(([reason, ids]) => ({ reason, ids }))
}

/** Lists every object that a run left on the server. It is always shown, and never cut. */
export const isCleanup = ({ id }: Result): boolean => id === 'leaves-no-trace'

export const sentenceLine = (result: Result): string =>
  line(result.sentence ?? '', isCleanup(result) ? 100_000 : undefined)

/** The sentence of a result, unless its findings or the grouped reasons show it. */
export function ownSentence(result: Result): string[] {
  const { outcome, findings, sentence } = result
  if (sentence === undefined || findings.length > 0 || outcome === 'skip' || outcome === 'inconclusive') return []
  return [sentenceLine(result)]
}

/** The finding to show where there is room for one. For a failure it is a broken promise, not a wrong assumption. */
export const chiefFinding = ({ outcome, findings }: Result): ReportedFinding | undefined =>
  (outcome === 'fail' ? findings.find(({ basis }) => basis.kind !== 'assumed') : undefined) ?? findings[0]

/** Remarks on a passed check are for `--verbose`, except those on retries. */
export function remarksOf({ outcome, remarks, sentence }: Result, all: boolean): string[] {
  const shown = remarks.filter((it) => all || outcome !== 'pass' || /\bsent again\b/.test(it))
  return shown.filter((it) => !sentence?.includes(it)).map((it) => line(it))
}
