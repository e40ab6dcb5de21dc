/** Counts what a run created and what it could not. */
import type { Ledger } from '../writing/ledger.js'
import { isMade } from './find.js'
import { numbersOf, type PlacedPart, type Plan, type Step } from './plan.js'

export interface PartTally extends PlacedPart {
  /** Created by an earlier run. */
  readonly existing: number
  created: number
  skipped: number
}

export interface Problem {
  readonly n: number
  readonly kind: string
  readonly key: string
  readonly message: string
}

export interface Tally {
  readonly parts: readonly PartTally[]
  /** The first rows that the server rejected. */
  readonly problems: readonly Problem[]
  readonly remarks: readonly string[]
  /** Why the run ended early. */
  readonly stopped: { readonly message: string; readonly rejected: boolean } | undefined
  readonly interrupted: boolean
  /** Steps with an outcome, and all steps of this run. */
  readonly done: number
  readonly due: number
  /** Steps of a part that were sent and never confirmed. */
  unconfirmed(part: PartTally): number
}

export interface TallyKeeper extends Tally {
  created(step: Step): void
  skipped(step: Omit<Step, 'row'>, message: string): void
  remark(text: string): void
  /** Keeps the first reason. */
  stop(message: string, rejected?: boolean): void
  interrupt(): void
}

const maxProblems = 1000

export function createTally(plan: Plan, ledger: Ledger): TallyKeeper {
  const parts = plan.parts.map((part): PartTally => {
    const existing = numbersOf(part).filter((n) => isMade(ledger.entry(n))).length
    return { ...part, existing, created: 0, skipped: 0 }
  })
  const partOf = ({ resource }: Pick<Step, 'resource'>) => parts.find((it) => it.resource === resource) as PartTally
  const problems: Problem[] = []
  const remarks: string[] = []
  let stopped: Tally['stopped']
  let interrupted = false
  return {
    parts,
    problems,
    remarks,
    due: parts.reduce((sum, { count, existing }) => sum + count - existing, 0),
    get stopped() {
      return stopped
    },
    get interrupted() {
      return interrupted
    },
    get done() {
      return parts.reduce((sum, { created, skipped }) => sum + created + skipped, 0)
    },
    unconfirmed: (part) => numbersOf(part).filter((n) => ledger.entry(n)?.state === 'intended').length,
    created: (step) => void (partOf(step).created += 1),
    skipped(step, message) {
      partOf(step).skipped += 1
      const { n, resource, key } = step
      if (problems.length < maxProblems) problems.push({ n, kind: resource.name, key, message })
    },
    remark: (text) => void remarks.push(text),
    stop: (message, rejected = false) => void (stopped ??= { message, rejected }),
    interrupt: () => void (interrupted = true),
  }
}
