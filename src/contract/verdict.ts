/** The verdict of a run: its exit code and one sentence on why. */
import { foreignDataId, outcomes, type Outcome, type Report, type Result } from './report.js'

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

export function verdictOf(options: VerdictOptions): Pick<Report, 'exitCode' | 'verdict' | 'totals' | 'judged'> {
  const { results } = options
  const count = (outcome: Outcome) => results.filter((it) => it.outcome === outcome).length
  const totals = Object.fromEntries(outcomes.map((it) => [it, count(it)])) as Record<Outcome, number>
  const promises = results.filter(({ basis, observes }) => basis.kind !== 'assumed' && observes === undefined)
  const told = promises.filter(({ outcome }) => outcome === 'pass' || outcome === 'fail').length
  const judged = promises.length === 0 ? 1 : told / promises.length
  const [exitCode, verdict] = first(options, { told, of: promises.length, judged })
  return { exitCode, verdict: verdict + foreignDataNote(results), totals, judged }
}

/** People may work on a shared account during a run, so this is said and does not change the exit code. */
const foreignDataNote = (results: readonly Result[]): string =>
  results.some(({ id, outcome }) => id === foreignDataId && outcome === 'inconclusive')
    ? ` Foreign data changed, or could not be compared: see ${foreignDataId}.`
    : ''

interface Judged {
  readonly told: number
  readonly of: number
  readonly judged: number
}

/** The order matters: a broken promise outweighs a check that ended in error. */
function first(
  { results, interrupted, strict = false, require: required = [], minJudged = 0.5 }: VerdictOptions,
  { told, of, judged }: Judged,
): readonly [exitCode: number, verdict: string] {
  const idsOf = (...wanted: Outcome[]) => results.filter(({ outcome }) => wanted.includes(outcome)).map(({ id }) => id)
  const broken = idsOf('fail')
  if (interrupted) return [130, `The run was interrupted${broken.length > 0 ? `; until then ${breach(broken)}` : '.'}`]
  if (broken.length > 0) return [1, breach(broken)]
  const noticed = idsOf('notice')
  if (strict && noticed.length > 0) {
    return [1, `${counted(noticed, 'notice counts', 'notices count')} as broken under --strict: ${some(noticed)}.`]
  }
  const open = idsOf('skip', 'inconclusive').filter((id) => required.includes(id))
  if (open.length > 0) {
    return [1, `${counted(open, 'check', 'checks')} under --require could not be judged: ${some(open)}.`]
  }
  const broke = idsOf('error')
  if (broke.length > 0) return [2, `${counted(broke, 'check', 'checks')} ended in error: ${some(broke)}.`]
  const missing = required.filter((id) => !results.some((it) => it.id === id))
  if (missing.length > 0) {
    return [2, `${counted(missing, 'check', 'checks')} under --require did not run: ${some(missing)}.`]
  }
  const part = `${told} of ${of} documented ${of === 1 ? 'check' : 'checks'}`
  if (judged < minJudged) {
    return [2, `Too little could be judged: ${part}, and --min-judged wants a part of ${minJudged}.`]
  }
  return [0, of === 0 ? 'No promise is broken.' : `No promise is broken: ${part} could be judged.`]
}

const breach = (ids: readonly string[]) => `${counted(ids, 'promise is', 'promises are')} broken: ${some(ids)}.`

const counted = (ids: readonly string[], one: string, more: string) => `${ids.length} ${ids.length === 1 ? one : more}`

const maxIds = 3

function some(ids: readonly string[]): string {
  const rest = ids.length - maxIds
  return ids.slice(0, maxIds).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
