/** Compares what other people have in the account, read before the first write and after cleanup. */
import { assumed, type Check, type Context } from '../contract/check.js'
import type { Result } from '../contract/report.js'
import type { Operation } from '../contract/operation.js'
import { deepEqual } from '../shared/deep-equal.js'

/** The compared fields of each object of other people, by a name such as `Store store_1`. */
export interface Reading {
  readonly objects: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Run tags on objects of other runs. */
  readonly otherTags: readonly string[]
}

/** How to read foreign data of a service. */
export interface ForeignData {
  /** The operation that reads it: what the server shows, without what changes by itself. */
  readonly operation: (context: Context) => Promise<Operation>
  /** Throws an error if the server shows nothing. */
  readonly read: (context: Context, operation: Operation, isOwn: (id: string) => boolean) => Promise<Reading>
  /** Whether an object that a later reading lacks no longer exists. A page may just not reach it. */
  readonly isGone: (context: Context, name: string) => Promise<boolean>
}

export const foreignDataCheck: Check = {
  id: 'foreign-data',
  title: 'Foreign data SHOULD be the same before the first write and after cleanup.',
  basis: assumed('The suite compares it itself. Other people may change it meanwhile.'),
  run: async () => {},
}

const maxDifferences = 3

/** What changed or went between two readings. New objects do not count. */
export async function differencesIn(
  { objects: before }: Reading,
  { objects: after }: Reading,
  isGone: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const differences: string[] = []
  for (const [name, fields] of before) {
    const now = after.get(name)
    if (!now) {
      const was = Object.keys(fields).length > 0 ? JSON.stringify(fields) : 'in the account'
      if (await isGone(name)) differences.push(`${name} was ${was} before the run and is gone after it.`)
      continue
    }
    for (const [field, value] of Object.entries(fields)) {
      if (deepEqual(value, now[field])) continue
      const [was, is] = [value, now[field]].map((it) => JSON.stringify(it))
      differences.push(`${field} of ${name} was ${was} before the run and is ${is} after it.`)
    }
  }
  return differences
}

export function foreignDataResult(
  outcome: 'pass' | 'skip' | 'inconclusive',
  sentences: readonly string[],
  spent: Pick<Result, 'calls' | 'ms'>,
): Result {
  const { id, title, basis } = foreignDataCheck
  const rest = sentences.length - maxDifferences
  const shown = [...sentences.slice(0, maxDifferences), ...(rest > 0 ? [`${rest} more differences.`] : [])]
  const sentence = shown.join(' ')
  return { id, title, basis, outcome, informs: true, sentence, findings: [], remarks: [], retries: 0, ...spent }
}
