/** What a run wrote last to an object, and reading it until the server shows that: whatever is read before is an old state. */
import type { Context } from '../../src/contract/check.js'
import { Rejected } from '../../src/contract/rejection.js'
import { deepEqual } from '../../src/shared/deep-equal.js'
import { writerOf, type Resource } from './resource.js'
import type { Data } from './samples.js'
import { saysSent, wholeOf } from './shown.js'

interface Write {
  readonly sent: Data
  /** The object in the answer. */
  readonly answered: Data
}

const lastWrites = (context: Context): Map<string, Write> => context.shared('last writes', () => new Map())

export function noteWrite(context: Context, id: string, sent: Data, answered: Data): void {
  lastWrites(context).set(id, { sent, answered })
}

/** Notes a change of an object. One whose answer was lost counts: it may have been made, and be seen later. */
export async function noted(context: Context, id: string, sent: Data, change: Promise<Data>): Promise<Data> {
  const before = lastWrites(context).get(id) ?? { sent: {}, answered: {} }
  noteWrite(context, id, sent, {})
  try {
    return await change
  } catch (error) {
    if (error instanceof Rejected && !error.fault) lastWrites(context).set(id, before)
    throw error
  }
}

/** How an object is now as a whole, and whether that is after the last write of this run. */
export async function standing(context: Context, resource: Resource, id: string) {
  const { sent, answered } = lastWrites(context).get(id) ?? { sent: {}, answered: {} }
  const holds = (shown: Data | null): boolean => {
    if (shown === null) return false
    // In the form that the server answered it is as good as in the one that was sent.
    const open = Object.entries(sent).filter(([key]) => !deepEqual(shown[key], answered[key]))
    return saysSent(context, resource, Object.fromEntries(open), shown)
  }
  const shown = await writerOf(context).eventually(() => wholeOf(context, resource, id), holds)
  return { id, shown, settled: holds(shown) }
}
