/** The mutation score of a list of checks, worked out from the reports of runs against mutants and conforming variants. */
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

export interface MutantScore {
  readonly mutants: readonly MutantResult[]
  /** Pairs of checks killing the same mutants: one of them is too many, or a mutant is missing. */
  readonly twins: readonly (readonly [string, string])[]
  /** Checks that kill no mutant. */
  readonly idle: readonly string[]
}

export interface MutantResult {
  readonly id: string
  readonly about: string
  readonly expected: readonly string[]
  readonly killedBy: readonly string[]
  /** Checks that ended in an error. */
  readonly errors: readonly string[]
}

export interface VariantScore {
  readonly variants: readonly VariantResult[]
  /** Assumed checks without a notice and observations without a difference on any variant. */
  readonly silent: readonly string[]
}

export interface VariantResult {
  readonly id: string
  readonly about: string
  readonly exitCode: number
  readonly expectedExitCode: number
  /** One sentence for each check that did not end as the variant says. */
  readonly falseAlarms: readonly string[]
}

export type Score = MutantScore & VariantScore

/** Whether a check can fail a run. */
export const isJudged = ({ basis, observes }: Check) => basis.kind !== 'assumed' && observes === undefined

/** The checks that must kill a mutant. */
export const namedBy = ({ killedBy, notices = [] }: Mutant, checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ id }) => killedBy.includes(id) || notices.includes(id))

/** The checks with a finding that is seen at no coordinate. */
export const placelessIn = (runs: readonly MutantRun[]): readonly string[] =>
  runs.flatMap(({ report: { results } }) =>
    results.flatMap(({ id, findings }) => (findings.every(({ at }) => /^[A-Z]/.test(at)) ? [] : [id])),
  )

export function scoreMutants(runs: readonly MutantRun[], checks: readonly Check[]): MutantScore {
  const mutants = runs.map(({ mutant: { id, about, killedBy, notices = [] }, report: { results } }): MutantResult => ({
    id,
    about,
    expected: [...killedBy, ...notices].toSorted(),
    killedBy: idsOf(
      results,
      (it) => it.outcome === 'fail' || (it.outcome === 'notice' && notices.includes(it.id)),
    ).toSorted(),
    errors: idsOf(results, ({ outcome }) => outcome === 'error'),
  }))
  const kills = checks.filter(isJudged).map(({ id }) => {
    const killed = mutants.filter(({ killedBy }) => killedBy.includes(id)).map((it) => it.id)
    return { id, killed: killed.join() }
  })
  const twins = kills.flatMap(({ id, killed }, at) =>
    kills
      .slice(at + 1)
      .filter((other) => killed !== '' && other.killed === killed)
      .map((other) => [id, other.id] as const),
  )
  return { mutants, twins, idle: kills.filter(({ killed }) => killed === '').map(({ id }) => id) }
}

export function scoreVariants(runs: readonly VariantRun[], checks: readonly Check[]): VariantScore {
  const variants = runs.map(({ variant, report }): VariantResult => ({
    id: variant.id,
    about: variant.about,
    exitCode: report.exitCode,
    expectedExitCode: variant.exitCode ?? 0,
    falseAlarms: falseAlarmsIn(report.results, variant),
  }))
  const results = runs.flatMap(({ report }) => report.results)
  const speaks = (check: Check) =>
    results.some((it) => it.id === check.id && (check.observes ? differs(it) : it.outcome === 'notice'))
  const silent = checks.filter((it) => !isJudged(it) && !speaks(it)).map(({ id }) => id)
  return { variants, silent }
}

const idsOf = (results: readonly Result[], holds: (it: Result) => boolean) => results.filter(holds).map(({ id }) => id)

const differs = ({ outcome, isExpected }: Result) => outcome === 'pass' && isExpected === false

/** A check in `open` may also pass; one in `notices` must give a notice. */
function falseAlarmsIn(
  results: readonly Result[],
  { notices = [], open = [], differs: expected = [] }: Variant,
): readonly string[] {
  const isExpected = (it: Result): boolean => {
    const isOpen = open.includes(it.id)
    if (it.outcome === 'inconclusive' || it.outcome === 'skip') return isOpen
    if (it.outcome === 'fail' || it.outcome === 'error') return false
    if ((it.outcome === 'notice') !== notices.includes(it.id)) return false
    return it.observes === undefined || isOpen || differs(it) === expected.includes(it.observes)
  }
  return results
    .filter((it) => !isExpected(it))
    .map(({ id, outcome, sentence }) => `${id}: ${outcome}${sentence ? `, ${sentence}` : ''}`)
}

const isAsExpected = ({ expected, killedBy, errors }: MutantResult) =>
  killedBy.length > 0 && errors.length === 0 && expected.join() === killedBy.join()

const isQuiet = ({ exitCode, expectedExitCode, falseAlarms }: VariantResult) =>
  exitCode === expectedExitCode && falseAlarms.length === 0

export const isPerfect = ({ mutants, variants, twins, idle, silent }: Score): boolean =>
  mutants.every(isAsExpected) && variants.every(isQuiet) && twins.length + idle.length + silent.length === 0

/** @param name what the checks do, such as `Reading` */
export function scoreText(name: string, { mutants, variants, twins, idle, silent }: Score): string {
  const killed = mutants.filter(({ killedBy }) => killedBy.length > 0)
  const percent = Math.floor((100 * killed.length) / mutants.length)
  const alarms = variants.filter((it) => !isQuiet(it))
  return [
    `${name}: ${killed.length} of ${mutants.length} mutants killed (${percent} %), ${alarms.length} false alarms on ${variants.length} conforming variants.`,
    ...mutants
      .filter((it) => !isAsExpected(it))
      .map(({ id, about, expected, killedBy, errors }) =>
        [
          killedBy.length === 0 ? `  Survived: ${id}. ${about}` : `  Killed by other checks: ${id}. ${about}`,
          `    expected  ${expected.join(', ')}`,
          ...(killedBy.length > 0 ? [`    killed by ${killedBy.join(', ')}`] : []),
          ...(errors.length > 0 ? [`    errors    ${errors.join(', ')}`] : []),
        ].join('\n'),
      ),
    ...alarms.map(({ id, about, exitCode, falseAlarms }) =>
      [`  False alarm: ${id}. ${about} Exit code ${exitCode}.`, ...falseAlarms.map((it) => `    ${it}`)].join('\n'),
    ),
    ...twins.map((pair) => `  ${pair.join(' and ')} kill the same mutants: remove one, or add a mutant.`),
    ...idle.map((id) => `  ${id} kills no mutant: add one.`),
    ...silent.map((id) => `  ${id} never gives a notice or a difference: add a variant.`),
    '',
  ].join('\n')
}
