/** `seed --remove`: what a ledger lists is taken away, and what stays is named. */
import { writeFileSync } from 'node:fs'
import { seedKinds } from '../../../contracts/seeding.js'
import { sanitize } from '../../shared/sanitize.js'
import { LedgerError } from '../../writing/ledger.js'
import { continueLedger, readSeedLedger, type SeedLedger } from '../../seeding/ledger.js'
import { lockLedger } from '../../writing/lock.js'
import { shownMarks } from '../../seeding/look.js'
import { remove, type Removed } from '../../seeding/remove.js'
import { isUnreadable } from '../../seeding/unreadable.js'
import { aimAt } from '../target-options.js'
import { UsageError } from '../options.js'
import { marksIn } from './ledger.js'
import { readingSession } from './context.js'
import type { SeedOptions } from './options.js'
import { interrupted } from './text.js'
import type { Seeded, SeedSurroundings } from './index.js'
import { guardHost } from '../check/writing.js'

/** Throws a UsageError where the ledger cannot be read, or the host was not confirmed. */
export async function removeSeeded(
  path: string,
  options: SeedOptions,
  surroundings: SeedSurroundings,
): Promise<Seeded> {
  if (options.plan) throw new UsageError('--plan says what would be made, and --remove takes away. Give one of them.')
  const { signal } = surroundings
  const { baseUrl } = usageOf(() => readSeedLedger(path)).head
  if (options.baseUrl !== undefined && options.baseUrl !== baseUrl) {
    throw new UsageError(
      `--remove: what stands in ${path} was written to ${sanitize(baseUrl)}, and --base-url is another address.`,
    )
  }
  const { target, url } = aimAt(baseUrl, options, surroundings)
  const lock = usageOf(() => lockLedger(path))
  let ledger: SeedLedger | undefined
  try {
    guardHost(url, options.confirmHost, '--remove')
    const read = usageOf(() => readSeedLedger(path))
    ledger = continueLedger(path, read)
    const context = readingSession({ target, includeAssumed: options.includeAssumed, signal })
    const marks = marksIn(read.head, await shownMarks(seedKinds, context))
    const removed = await remove({
      ledger,
      kinds: seedKinds,
      marks,
      context,
      signal,
      send: ({ document, name, variables }) => target.send({ query: document, variables, operationName: name }),
    })
    for (const { path: file } of options.report ?? []) {
      if (file !== undefined) writeFileSync(file, target.redact(`${JSON.stringify(asJson(removed), null, 2)}\n`))
    }
    const exitCode = signal.aborted ? 130 : removed.doubt.length > 0 ? 1 : 0
    return { output: target.redact(removedText(path, removed)), exitCode }
  } catch (error) {
    if (signal.aborted) return interrupted
    if (isUnreadable(error)) throw new UsageError(error.message)
    throw error
  } finally {
    ledger?.close()
    lock.release()
    await target.close()
  }
}

function usageOf<Value>(make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    if (error instanceof LedgerError) throw new UsageError(error.message)
    throw error
  }
}

const asJson = ({ removed, stay, doubt }: Removed) => ({
  removed: Object.fromEntries(removed),
  stay: Object.fromEntries(stay),
  doubt,
})

/** `1 store`, `2 stores`. */
const counted = (count: number, kind: string) =>
  `${count} ${count === 1 ? (seedKinds.find(({ name }) => name === kind)?.one ?? kind) : kind}`

function removedText(path: string, { removed, stay, doubt }: Removed): string {
  const gone = [...removed].filter(([, count]) => count > 0).map(([kind, count]) => counted(count, kind))
  const kept = [...stay].flatMap(([kind, { count, marks }]) => [
    `${counted(count, kind)} ${count === 1 ? 'stays' : 'stay'}, because no operation deletes ${kind}:`,
    ...marks.map((it) => `  ${sanitize(it, 120)}`),
    ...(count > marks.length ? [`  and ${count - marks.length} more, which stand in ${path}`] : []),
  ])
  const first = gone.length === 0 ? `Nothing of ${path} was there to be taken away.` : `${gone.join(', ')} taken away.`
  return `${[first, ...kept, ...doubt.map((it) => sanitize(it, 500))].join('\n')}\n`
}
