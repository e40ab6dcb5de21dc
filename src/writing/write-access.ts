/** Permission to write, as the runner takes it: readings of foreign data, writers for checks, and cleanup. */
import { assumed, type Check } from '../contract/check.js'
import type { OwnedContext } from '../contract/context.js'
import type { LeftObject, Result } from '../contract/report.js'
import type { WriteAccess } from '../contract/runner.js'
import { countsOf } from '../contract/traffic.js'
import { cleanUp, leftText, type CleanupResult } from './cleanup.js'
import { newLag, timeoutFor } from './eventually.js'
import { watchForeignData, type ForeignData } from './foreign-data.js'
import { isKnown, type Entry } from './ledger.js'
import { createWriters, type WriterOptions } from './writer.js'

export interface WriteAccessOptions extends Omit<WriterOptions, 'lag'> {
  /** The names of the resources that may be written. */
  readonly allowed: readonly string[]
  readonly foreignData: ForeignData
  /** Milliseconds until the target shows what was written. */
  readonly consistencyTimeout: number
}

const foreignDataCheck: Check = {
  id: 'foreign-data',
  title: 'Foreign data SHOULD be the same before the first write and after cleanup.',
  basis: assumed('The suite compares it itself. Other people may change it meanwhile.'),
  run: async () => {},
}

const cleanupCheck: Check = {
  id: 'leaves-no-trace',
  title: 'Every created object that can be deleted MUST be deleted.',
  basis: assumed('The suite promises it itself.'),
  run: async () => {},
}

/** The results that a run which writes adds to those of its checks. */
export const writeResults: readonly Check[] = [foreignDataCheck, cleanupCheck]

interface OwnedWriteAccess extends WriteAccess {
  /** What cleanup found besides the objects of the ledger. Filled by `finish`. */
  readonly copies: readonly LeftObject[]
}

export function createWriteAccess(options: WriteAccessOptions): OwnedWriteAccess {
  const { allowed, ledger } = options
  const lag = newLag(options.consistencyTimeout)
  const watch = watchForeignData(options.foreignData, ledger)
  const copies: LeftObject[] = []
  return {
    copies,
    allowed,
    begin: watch.begin,
    ...createWriters({ ...options, lag }),
    async finish(context, results) {
      const consistencyTimeout = timeoutFor(lag)
      const cleanup = await timed(context, () => cleanUp({ ...options, consistencyTimeout, context, ownRun: true }))
      copies.push(...cleanup.result.copies)
      const compared = await timed(context, () => watch.compare(context, consistencyTimeout))
      const { otherTag, ...comparison } = compared.result
      const judged = results.map((it) =>
        it.outcome === 'fail' && otherTag !== undefined ? disturbed(it, otherTag) : it,
      )
      return [
        ...judged,
        { ...resultOf(foreignDataCheck), informs: true, ...comparison, ...compared.spent },
        { ...resultOf(cleanupCheck), ...cleanupOutcome(ledger.entries(), cleanup.result), ...cleanup.spent },
      ]
    },
  }
}

function cleanupOutcome(entries: readonly Entry[], { left, remarks, unconfirmed }: CleanupResult) {
  const created = entries.filter(isKnown).length
  const removed = entries.filter(({ state }) => state === 'absent').length
  const stays = [...left.map(leftText), ...remarks]
  return {
    outcome: unconfirmed.length > 0 ? ('error' as const) : ('pass' as const),
    sentence: [`${created} created, ${removed} removed.`, ...unconfirmed, ...stays].join(' '),
    remarks: stays,
  }
}

const resultOf = ({ id, title, basis }: Check) => ({ id, title, basis, findings: [], remarks: [] })

async function timed<Value>({ spent }: OwnedContext, work: () => Promise<Value>) {
  const [began, before] = [performance.now(), spent.sent.length]
  const result = await work()
  return { result, spent: { ...countsOf(spent.sent.slice(before)), ms: performance.now() - began } }
}

/** Two runs that write at once get in each other's way, so a failure may come from the other one. */
function disturbed(result: Result, otherTag: string): Result {
  const reason = `Another run was writing (tag ${otherTag}) and may have caused this. Let one run write at a time.`
  return { ...result, outcome: 'inconclusive', sentence: `${result.sentence ?? ''} ${reason}`, findings: [] }
}
