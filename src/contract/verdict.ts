/** The verdict of a run: its exit code, and one sentence that says why. */
import { outcomes, type Outcome, type Report, type Result } from './report.js'

export interface VerdictOptions {
  readonly results: readonly Result[]
  readonly interrupted: boolean
  /** Whether a notice fails the run. */
  readonly strict?: boolean | undefined
  /** Ids of checks that must be judged. */
  readonly require?: readonly string[] | undefined
  /** The share of documented checks that must be judged. */
  readonly minJudged?: number | undefined
}

const isJudged = ({ outcome }: Result): boolean => outcome === 'pass' || outcome === 'fail'

export function verdictOf(options: VerdictOptions): Pick<Report, 'exitCode' | 'verdict' | 'totals' | 'judged'> {
  const { results } = options
  const count = (outcome: Outcome) => results.filter((it) => it.outcome === outcome).length
  const totals = Object.fromEntries(outcomes.map((it) => [it, count(it)])) as Record<Outcome, number>
  const promises = results.filter(({ basis, observes }) => basis.kind !== 'assumed' && observes === undefined)
  const judged = promises.length === 0 ? 1 : promises.filter(isJudged).length / promises.length
  const [exitCode, sentence] = rules(options, promises).find((it) => it[2] ?? true) as Rule
  const notes = results.filter((it) => it.informs && it.outcome === 'inconclusive')
  const verdict = [sentence, ...notes.map(({ id }) => `Note: ${id} is inconclusive.`)].join(' ')
  return { exitCode, verdict, totals, judged }
}

type Rule = readonly [exitCode: number, sentence: string, applies?: boolean]

/** The first rule that applies decides. A broken promise outweighs a check that ended in error. */
function rules(
  { results, interrupted, strict = false, require: required = [], minJudged = 0.5 }: VerdictOptions,
  promises: readonly Result[],
): readonly Rule[] {
  const counted = results.filter(({ informs }) => !informs)
  const idsOf = (outcome: Outcome) => counted.filter((it) => it.outcome === outcome).map(({ id }) => id)
  const [failed, noticed, errors] = [idsOf('fail'), idsOf('notice'), idsOf('error')]
  const notJudged = required.filter((id) => !results.some((it) => it.id === id && isDecided(it)))
  const unwritten = unwrittenIn(counted)
  const broken = `${plural(failed, 'promise is', 'promises are')} broken: ${some(failed)}.`
  const judged = promises.filter(isJudged).length
  const share = `${judged} of ${promises.length} documented ${promises.length === 1 ? 'check' : 'checks'}`
  return [
    [130, `The run was interrupted. ${failed.length > 0 ? `Until then, ${broken}` : ''}`.trim(), interrupted],
    [1, broken, failed.length > 0],
    [
      1,
      `${plural(noticed, 'notice counts', 'notices count')} as failed under --strict: ${some(noticed)}.`,
      strict && noticed.length > 0,
    ],
    [2, `${plural(errors, 'check', 'checks')} ended in error: ${some(errors)}.`, errors.length > 0],
    [
      2,
      `${plural(notJudged, 'check of --require was', 'checks of --require were')} not judged: ${some(notJudged)}.`,
      notJudged.length > 0,
    ],
    [2, `--write ${unwritten.join(',')} was given, but no check could write that.`, unwritten.length > 0],
    [
      2,
      `Too few checks were judged: ${share}, and --min-judged is ${minJudged}.`,
      promises.length > 0 && judged / promises.length < minJudged,
    ],
    [
      0,
      promises.length === 0
        ? 'No promise is broken.'
        : `No promise is broken: ${share} ${promises.length === 1 ? 'was' : 'were'} judged.`,
    ],
  ]
}

/** Whether a required check did its work. Its error or notice has a rule of its own. */
const isDecided = ({ outcome }: Result): boolean => outcome !== 'skip' && outcome !== 'inconclusive'

/** Names given to --write of which every check was skipped or inconclusive. */
function unwrittenIn(results: readonly Result[]): readonly string[] {
  const names = [...new Set(results.flatMap(({ writes }) => writes ?? []))]
  return names.filter((name) => !results.some((it) => it.writes === name && isDecided(it)))
}

const plural = (ids: readonly string[], one: string, more: string) => `${ids.length} ${ids.length === 1 ? one : more}`

const maxIds = 3

function some(ids: readonly string[]): string {
  const rest = ids.length - maxIds
  return ids.slice(0, maxIds).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
