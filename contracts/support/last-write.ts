/** What a run wrote last to an object, and reading it until the server shows that: whatever is read before is an old state. */
import type { Session } from '../../src/contract/check.js'
import { Refused } from '../../src/contract/rejection.js'
import { same } from '../../src/shared/deep-equal.js'
import { writerOf, type Resource } from './resource.js'
import type { Data } from './samples.js'
import { saysSent, wholeOf } from './shown.js'

interface Write {
  readonly sent: Data
  /** The object in the answer. */
  readonly answered: Data
}

const lastWrites = (session: Session): Map<string, Write> => session.shared('last writes', () => new Map())

export function noteWrite(session: Session, id: string, sent: Data, answered: Data): void {
  lastWrites(session).set(id, { sent, answered })
}

/** Notes a change of an object. One whose answer was lost counts: it may have been made, and be seen later. */
export async function noted(session: Session, id: string, sent: Data, change: Promise<Data>): Promise<Data> {
  const before = lastWrites(session).get(id) ?? { sent: {}, answered: {} }
  noteWrite(session, id, sent, {})
  try {
    return await change
  } catch (error) {
    if (error instanceof Refused && !error.fault) lastWrites(session).set(id, before)
    throw error
  }
}

/** How an object is now as a whole, and whether that is after the last write of this run. */
export async function standing(session: Session, resource: Resource, id: string) {
  const { sent, answered } = lastWrites(session).get(id) ?? { sent: {}, answered: {} }
  const holds = (shown: Data | null): boolean => {
    if (shown === null) return false
    // In the form that the server answered it is as good as in the one that was sent.
    const open = Object.entries(sent).filter(([key]) => !same(shown[key], answered[key]))
    return saysSent(session, resource, Object.fromEntries(open), shown)
  }
  const shown = await writerOf(session).eventually(() => wholeOf(session, resource, id), holds)
  return { id, shown, settled: holds(shown) }
}
