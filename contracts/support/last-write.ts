/** Remembers the last write to each object, and reads an object until the server shows that write. */
import type { Context, Data } from '../../src/contract/check.js'
import { ShapeFailure } from '../../src/contract/judge.js'
import { Rejected } from '../../src/contract/rejection.js'
import { deepEqual } from '../../src/shared/json.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { saysSent, wholeOf } from './shown.js'
import { writerOf } from './writer.js'

interface Write {
  readonly sent: Data
  /** All values that were sent, with this write and before. */
  readonly all: Data
  /** The object in the answer. */
  readonly answered: Data
}

const lastWrites = (context: Context): Map<string, Write> => context.shared('last writes', () => new Map())

const lastWriteOf = (context: Context, id: string): Write =>
  lastWrites(context).get(id) ?? { sent: {}, all: {}, answered: {} }

/** The last value of each field that this run sent for an object. */
export const sentTo = (context: Context, id: string): Data => lastWriteOf(context, id).all

export function noteWrite(context: Context, id: string, sent: Data, answered: Data): void {
  lastWrites(context).set(id, { sent, all: { ...sentTo(context, id), ...sent }, answered })
}

/** The object in a root field of an answer. */
export const answeredIn =
  (field: string) =>
  (data: Data): Data => {
    if (data[field] == null) throw new ShapeFailure([{ sentence: `${field} returned null.`, code: 'null-value' }])
    return data[field] as Data
  }

/** Notes an update. It also counts if the answer is lost, because it may become visible later. */
export async function noted(
  context: Context,
  id: string,
  sent: Data,
  change: Promise<Data>,
  answered: (data: Data) => Data,
): Promise<Data> {
  const before = lastWriteOf(context, id)
  noteWrite(context, id, sent, {})
  try {
    const data = await change
    noteWrite(context, id, sent, answered(data))
    return data
  } catch (error) {
    if (error instanceof Rejected && error.reason !== 'server error') lastWrites(context).set(id, before)
    throw error
  }
}

/** All fields of an object, and whether they include the last write of this run. */
export async function upToDate(context: Context, resource: LifecycleResource, id: string) {
  const { sent, answered } = lastWriteOf(context, id)
  const isUpToDate = (shown: Data | null): boolean => {
    if (shown === null) return false
    // The value that the server answered is as good as the one that was sent.
    const open = Object.entries(sent).filter(([key]) => !deepEqual(shown[key], answered[key]))
    return saysSent(context, resource, Object.fromEntries(open), shown)
  }
  const shown = await writerOf(context).eventually(() => wholeOf(context, resource, id), isUpToDate)
  return { id, shown, isUpToDate: isUpToDate(shown) }
}
