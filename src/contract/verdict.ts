/** The verdict of a run: its exit code, and one sentence that says why. */
import { countOf, sanitize } from '../shared/text.js'
import { outcomes, type KnownReason, type Outcome, type Report, type Result } from './report.js'

export interface VerdictOptions {
  readonly results: readonly Result[]
  readonly rejected?: readonly RejectedWrite[] | undefined
  readonly interrupted: boolean
  /** The number of the last request, if the target gave no more answers. */
  readonly stoppedAfter?: number | undefined
  /** Makes a notice fail the run. */
  readonly strict?: boolean | undefined
  /** Ids of checks that must be judged. */
  readonly require?: readonly string[] | undefined
  /** The share of documented checks that must be judged, from 0 to 1. Defaults to 0.5. */
  readonly minJudged?: number | undefined
}

/** A mutation that was never accepted, and why. */
export interface RejectedWrite {
  readonly field: string
  readonly reason: string
}

/** The code of a finding that the verdict names even if it is only a notice. */
export const dataLost = 'data-lost'

const maxReason = 300

/** The id of the check that runs first. */
export const reachId = 'target-answers'
export const stoppedText = (after: number): string => `The run stopped after request ${after}.`

export function verdictOf(options: VerdictOptions): Pick<Report, 'exitCode' | 'verdict' | 'totals' | 'judged'> {
  const { results, stoppedAfter } = options
  const count = (outcome: Outcome) => results.filter((it) => it.outcome === outcome).length
  const totals = Object.fromEntries(outcomes.map((it) => [it, count(it)])) as Record<Outcome, number>
  const promises = results.filter(({ basis, observes }) => basis.kind !== 'assumed' && observes === undefined)
  const judged = promises.filter(isJudged)
  const [exitCode, sentence] = decide(options, promises.length, judged)
  const lost = results.flatMap(({ findings }) => findings.filter((it) => it.code === dataLost && !it.known))
  const listed = waivedIn(results, '--known')
  const before = waivedIn(results, '--fail-on new')
  const waived = [
    ...(listed > 0 ? [`${countOf(listed, 'failure is', 'failures are')} known.`] : []),
    ...(before > 0 ? [`${countOf(before, 'finding was', 'findings were')} already in the earlier report.`] : []),
  ]
  const losses = lost.map(({ sentence: text }) => `Data was lost: ${sanitize(text, maxReason)}`)
  const notes = results.filter((it) => it.informs && it.outcome === 'inconclusive')
  const stopped = stoppedAfter === undefined || options.interrupted ? [] : [stoppedText(stoppedAfter)]
  const verdict = [
    sentence,
    ...waived,
    ...losses,
    ...stopped,
    ...notes.map(({ id }) => `Note: ${id} is inconclusive.`),
  ].join(' ')
  return { exitCode, verdict, totals, judged: promises.length === 0 ? 1 : judged.length / promises.length }
}

/** Whether a check judged its promise, even if an option changes what that counts for. */
export const isJudged = ({ outcome, severity }: Result): boolean =>
  outcome === 'pass' || outcome === 'fail' || outcome === 'known' || severity !== undefined

const waivedIn = (results: readonly Result[], by: KnownReason['by']): number =>
  results.flatMap(({ findings }) => findings.filter((it) => it.known?.by === by)).length

/** What to say if nothing fails the run. */
function keptText(results: readonly Result[]): string {
  if (waivedIn(results, '--fail-on new') > 0) return 'No failure is new'
  return waivedIn(results, '--known') > 0 ? 'Every failure is known' : 'No promise is broken'
}

/** The first rule that applies decides. A broken promise outweighs a check that ended in error. */
function decide(
  { results, interrupted, strict = false, rejected = [], require: required = [], minJudged = 0.5 }: VerdictOptions,
  promises: number,
  judgedChecks: readonly Result[],
): readonly [exitCode: number, sentence: string] {
  const counted = results.filter(({ informs }) => !informs)
  const idsOf = (outcome: Outcome) => counted.filter((it) => it.outcome === outcome).map(({ id }) => id)
  const [failed, errors] = [idsOf('fail'), idsOf('error')]
  // A check that an option makes a notice never fails a run.
  const noticed = counted.filter((it) => it.outcome === 'notice' && it.severity === undefined).map(({ id }) => id)
  const arePromises = counted.every(({ outcome, basis }) => outcome !== 'fail' || basis.kind !== 'assumed')
  const broken = arePromises
    ? counting(failed, 'promise is broken', 'promises are broken')
    : counting(failed, 'check failed', 'checks failed')
  if (interrupted) return [130, `The run was interrupted.${failed.length > 0 ? ` Until then, ${broken}` : ''}`]
  if (failed.length > 0) return [1, broken]
  const strictly = 'as failed under --strict'
  if (strict && noticed.length > 0)
    return [1, counting(noticed, `notice counts ${strictly}`, `notices count ${strictly}`)]
  if (errors.length > 0) {
    const all = counted.filter(({ outcome }) => outcome === 'error')
    // Of several, one that writes: something may be left on the server.
    const said = all.length === 1 ? all[0] : all.find(({ writes }) => writes !== undefined)
    const text = counting(errors, 'check ended in error', 'checks ended in error')
    return [2, `${text} ${sanitize(said?.sentence ?? '', maxReason)}`.trimEnd()]
  }
  const open = required.filter((id) => !results.some((it) => it.id === id && isDecided(it)))
  const notJudged = counting(open, 'check of --require was not judged', 'checks of --require were not judged')
  if (open.length > 0) return [2, notJudged]
  const unwritten = unwrittenIn(counted)
  if (unwritten.length > 0) {
    const theirs = counted.filter(({ writes }) => unwritten.includes(writes ?? ''))
    const why = (theirs.find(({ outcome }) => outcome === 'inconclusive') ?? theirs[0])?.sentence
    const what = `--write ${unwritten.join(',')} was given, but no check could judge that`
    return [2, why === undefined ? `${what}.` : `${what}: ${sanitize(why, maxReason)}`]
  }
  if (rejected.length > 0) {
    const all = rejected.map(({ field, reason }) => `${field} (${sanitize(reason, maxReason)})`)
    return [2, `What --write asks for could not be written, because the server never accepted ${all.join(' or ')}.`]
  }
  const kept = keptText(results)
  if (promises === 0) return [0, `${kept}.`]
  const judged = judgedChecks.length
  const share = `${judged} of ${countOf(promises, 'documented check')}`
  // That the target answers at all says nothing of what it promises.
  const isVoid = promises > 1 && judged === 1 && judgedChecks[0]?.id === reachId
  if (isVoid && minJudged > 0) return [2, 'None of the chosen checks could judge its promise.']
  return judged / promises < minJudged
    ? [2, `Too few checks were judged: ${share}, and --min-judged is ${minJudged}.`]
    : [0, `${kept}: ${share} ${promises === 1 ? 'was' : 'were'} judged.`]
}

/** Whether a required check did its work. Its error or notice has a rule of its own. */
const isDecided = ({ outcome }: Result): boolean => outcome !== 'skip' && outcome !== 'inconclusive'

/** Names given to --write of which every check was skipped or inconclusive. */
function unwrittenIn(results: readonly Result[]): readonly string[] {
  const names = [...new Set(results.flatMap(({ writes }) => writes ?? []))]
  return names.filter((name) => !results.some((it) => it.writes === name && isDecided(it)))
}

const maxIds = 3

function counting(ids: readonly string[], one: string, more: string): string {
  const rest = ids.length - maxIds
  const shown = ids.slice(0, maxIds).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  return `${countOf(ids.length, one, more)}: ${shown}.`
}
