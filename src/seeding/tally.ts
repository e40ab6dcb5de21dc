/** What a run has made so far, and what it could not make. */
import type { SeedKind, Step } from './seed-kind.js'
import type { States } from './ledger.js'
import type { Plan } from './plan.js'

export interface KindTally {
  readonly kind: SeedKind
  readonly planned: number
  /** Made by an earlier run. */
  readonly before: number
  made: number
  /** The server did not take them. */
  skipped: number
  /** Sent, and not known to be there. */
  doubtful: number
}

export interface Problem {
  readonly n: number
  readonly kind: string
  readonly mark: string
  readonly words: string
}

export interface Tally {
  readonly kinds: readonly KindTally[]
  /** The first of what the server did not take. */
  readonly problems: readonly Problem[]
  readonly remarks: readonly string[]
  /** Why the run ended before its time. */
  stopped: { readonly step?: Step; readonly words: string; readonly refused: boolean } | undefined
  interrupted: boolean
  /** Steps done in this run, whatever came of them. */
  readonly done: number
  /** Steps that were to be done in this run. */
  readonly due: number
  count(kind: SeedKind, what: 'made' | 'skipped'): void
  problem(step: Pick<Step, 'n' | 'kind' | 'mark'>, words: string): void
  remark(text: string): void
  finish(interrupted: boolean): void
}

/** A million problems would fill the memory, and nobody would read them. */
const maxProblems = 1000

export function createTally(plan: Plan, states: States): Tally {
  const kinds = plan.parts.map(({ kind, count, first }): KindTally => {
    let before = 0
    for (let n = first; n < first + count; n += 1) if (['made', 'left'].includes(states.get(n))) before += 1
    return { kind, planned: count, before, made: 0, skipped: 0, doubtful: 0 }
  })
  const problems: Problem[] = []
  const remarks: string[] = []
  let done = 0
  return {
    kinds,
    problems,
    remarks,
    stopped: undefined,
    interrupted: false,
    get done() {
      return done
    },
    due: kinds.reduce((sum, { planned, before }) => sum + planned - before, 0),
    count(kind, what) {
      done += 1
      const tally = kinds.find((it) => it.kind === kind)
      if (tally) tally[what] += 1
    },
    problem({ n, kind, mark }, words) {
      if (problems.length < maxProblems) problems.push({ n, kind: kind.name, mark, words })
    },
    remark: (text) => void remarks.push(text),
    finish(interrupted) {
      this.interrupted = interrupted
      for (const [at, tally] of kinds.entries()) {
        const { first, count } = plan.parts[at] as Plan['parts'][number]
        for (let n = first; n < first + count; n += 1) if (states.get(n) === 'intended') tally.doubtful += 1
      }
    },
  }
}
