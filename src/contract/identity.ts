/** Which failure a finding is: the same from run to run, whatever ids, values and hosts it shows. */
import type { ReportedFinding } from './report.js'

export interface FindingIdentity extends Pick<ReportedFinding, 'code' | 'at' | 'order'> {
  /** The id of the check. */
  readonly check: string
}

/** Findings with the same key are one. */
export const keyOf = ({ check, code, at, order }: FindingIdentity): string =>
  JSON.stringify([check, code, at, order ?? null])

/** In one line, for people. */
export const identityText = ({ check, code, at, order }: FindingIdentity): string =>
  `${check} [${code}] at ${at}${order === undefined ? '' : `, ${order}`}`

/** What a check sees in one part of an answer: the operation and the coordinate. */
export const within = (operation: string, coordinate: string): string => `${operation} > ${coordinate}`

type Counted = Pick<ReportedFinding, 'code' | 'at' | 'order' | 'times'>

/** Makes one finding of those of a check that agree. The first is kept, because it is the shortest counter-example. */
export function mergeFindings<Finding extends Counted>(
  findings: readonly Finding[],
  isWeaker: (finding: Finding) => boolean = () => false,
): readonly Finding[] {
  const byKey = new Map<string, Finding>()
  for (const finding of findings) {
    const key = keyOf({ check: '', ...finding })
    const known = byKey.get(key)
    const kept = known && !(isWeaker(known) && !isWeaker(finding)) ? known : finding
    byKey.set(key, known ? { ...kept, times: (known.times ?? 1) + (finding.times ?? 1) } : finding)
  }
  return [...byKey.values()]
}
