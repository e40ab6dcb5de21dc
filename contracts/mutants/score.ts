/** What runs of saboteurs and variants say about the suite itself, worked out from what was recorded of them. */
import type { Check } from '../../src/contract/check.js'
import type { Report, Result } from '../../src/contract/report.js'
import type { Mutant, Variant } from './mutant.js'

export interface MutantRun {
  readonly mutant: Mutant
  readonly report: Report
}

export interface VariantRun {
  readonly variant: Variant
  readonly report: Report
}

export interface SelfTestReport {
  readonly mutants: readonly MutantVerdict[]
  readonly variants: readonly VariantVerdict[]
  /** For each check, the saboteurs for which it fails; the first list, those for which nothing else does. */
  readonly catches: Readonly<
    Record<string, { readonly alone: readonly string[]; readonly together: readonly string[] }>
  >
  /** Checks that fail for just the same saboteurs: one of them is too many, or a saboteur is missing. */
  readonly twins: readonly (readonly [string, string])[]
  /** Documented checks that no saboteur fails. */
  readonly idle: readonly string[]
  /** Assumed checks that give a notice for no variant, and observations that differ for none. */
  readonly silent: readonly string[]
  /** Whether the suite is as sharp, and as silent, as it says. */
  readonly sound: boolean
}

export interface MutantVerdict {
  readonly id: string
  readonly breaks: string
  readonly expected: readonly string[]
  readonly actual: readonly string[]
  /** Checks that broke. */
  readonly errors: readonly string[]
}

export interface VariantVerdict {
  readonly id: string
  readonly about: string
  readonly exitCode: number
  /** What was not as the variant says, one sentence for each check. */
  readonly falseAlarms: readonly string[]
}

const idsOf = (results: readonly Result[], holds: (it: Result) => boolean) => results.filter(holds).map(({ id }) => id)

/** Whether a check can fail a run. */
export const isJudged = ({ basis, observes }: Check) => basis.kind !== 'assumed' && observes === undefined

/**
 * @param checks the suite that is put to the test
 * @param without a check whose results are passed over, as if the suite did not have it
 */
export function selfVerdict(
  { mutants, variants }: { readonly mutants: readonly MutantRun[]; readonly variants: readonly VariantRun[] },
  suite: readonly Check[],
  without?: string,
): SelfTestReport {
  const checks = suite.filter((it) => it.id !== without)
  const counted = ({ results }: Report) => results.filter(({ id }) => id !== without)
  const judgedSaboteurs = mutants.map(({ mutant: { id, breaks, fails }, report }): MutantVerdict => ({
    id,
    breaks,
    expected: [...fails].sort(),
    actual: idsOf(counted(report), ({ outcome }) => outcome === 'fail').sort(),
    errors: idsOf(report.results, ({ outcome }) => outcome === 'error'),
  }))
  const judgedVariants = variants.map(({ variant, report }): VariantVerdict => ({
    id: variant.id,
    about: variant.about,
    exitCode: report.exitCode,
    falseAlarms: falseAlarms(variant, counted(report)),
  }))
  const catches = Object.fromEntries(
    checks.filter(isJudged).map(({ id }) => {
      const by = judgedSaboteurs.filter(({ actual }) => actual.includes(id))
      const alone = by.filter(({ actual }) => actual.length === 1).map((it) => it.id)
      return [id, { alone, together: by.map((it) => it.id).filter((it) => !alone.includes(it)) }]
    }),
  )
  const sets = Object.entries(catches).map(([id, { alone, together }]) => [id, [...alone, ...together].join()] as const)
  const twins = sets.flatMap(([a, one], at) =>
    sets.slice(at + 1).flatMap(([b, other]) => (one === other && one !== '' ? [[a, b] as const] : [])),
  )
  const idle = sets.filter(([, set]) => set === '').map(([id]) => id)
  const all = variants.flatMap(({ report }) => report.results)
  const silent = checks
    .filter((check) => !isJudged(check))
    .filter(({ id, observes }) => !all.some((it) => it.id === id && (observes ? differs(it) : it.outcome === 'notice')))
    .map(({ id }) => id)
  const sound =
    twins.length + idle.length + silent.length === 0 &&
    judgedSaboteurs.every(
      ({ expected, actual, errors }) => errors.length === 0 && actual.length > 0 && expected.join() === actual.join(),
    ) &&
    judgedVariants.every((it) => it.exitCode === 0 && it.falseAlarms.length === 0)
  return { mutants: judgedSaboteurs, variants: judgedVariants, catches, twins, idle, silent, sound }
}

const differs = ({ outcome, sentence }: Result) => outcome === 'pass' && (sentence?.startsWith('differs') ?? false)

/** A check that may end open may pass too; a notice must be given. */
function falseAlarms(
  { notices = [], open = [], differs: expected = [] }: Variant,
  results: readonly Result[],
): readonly string[] {
  return results.flatMap((it) => {
    const { id, outcome, sentence = '', observes } = it
    const said = `${id}: ${outcome}${sentence ? `, ${sentence}` : ''}`
    if (outcome === 'inconclusive' || outcome === 'skip') return open.includes(id) ? [] : [said]
    if ((outcome === 'notice') !== notices.includes(id) || outcome === 'fail' || outcome === 'error') return [said]
    const open_ = open.includes(id)
    return observes !== undefined && !open_ && differs(it) !== expected.includes(observes) ? [said] : []
  })
}
