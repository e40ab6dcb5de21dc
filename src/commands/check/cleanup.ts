/** `check cleanup`: deletes what a ledger lists. Checks nothing, and touches nothing else. */
import { writeResources } from '../../../contracts/resources.js'
import { cleanUp, leftText } from '../../writing/cleanup.js'
import type { Ledger } from '../../writing/ledger.js'
import { countOf } from '../../shared/text.js'
import type { Ended } from '../commands.js'
import { UsageError } from '../options.js'
import { withLedger, type LedgerAtWork } from '../reading-context.js'
import type { TargetSurroundings } from '../target-options.js'
import type { CleanupOptions } from './options.js'
import { inProcess } from './writing.js'

const maxCleanupMs = 120_000

/** Throws a UsageError if nothing can be deleted by this ledger. */
export function checkCleanup(options: CleanupOptions, surroundings: TargetSurroundings): Promise<Ended> {
  const path = options.ledger
  const bounded = { ...surroundings, signal: AbortSignal.timeout(maxCleanupMs) }
  const work = async ({ context, ...opened }: LedgerAtWork) => {
    const result = await cleanUp({ ...opened, context, resources: writeResources })
    const { removed, alreadyGone, left, remarks, unconfirmed } = result
    const gone = alreadyGone.length > 0 ? `, ${countOf(alreadyGone.length, 'was', 'were')} already gone` : ''
    const first =
      removed.length + left.length + unconfirmed.length > 0
        ? `Deleted ${removed.length} of the objects that ${path} lists${gone}.`
        : `Nothing that ${path} lists was left to delete.`
    const lines = [first, ...left.map(leftText), ...remarks, ...unconfirmed]
    return { output: `${context.redact(lines.join('\n'))}\n`, exitCode: unconfirmed.length > 0 ? 2 : 0 }
  }
  return withLedger('check', options, bounded, work, refuseUnusable)
}

function refuseUnusable({ path, head, entries }: Ledger): void {
  if (head.baseUrl === inProcess) {
    throw new UsageError(`${path} belongs to a mock that is gone, with all that was written to it. Delete the file.`)
  }
  const unknown = entries().find(({ kind }) => !writeResources.some(({ name }) => name === kind))
  if (unknown) {
    throw new UsageError(
      `${path} lists ${JSON.stringify(unknown.kind)}, which this version of commerce-mock cannot delete. Use the version that wrote it.`,
    )
  }
}
