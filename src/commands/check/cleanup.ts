/** `check cleanup`: deletes what a ledger lists. Checks nothing, and touches nothing else. */
import { writeResources } from '../../../contracts/resources.js'
import { createProfile } from '../../profile.js'
import { cleanUpLedger } from '../../writing/cleanup.js'
import { openLedger, type Ledger } from '../../writing/ledger.js'
import type { Ended } from '../commands.js'
import { UsageError } from '../options.js'
import { aimAt, type AimSurroundings } from '../target-options.js'
import { contractShapes } from './contract-shapes.js'
import type { CleanupOptions } from './options.js'
import { guardHost, inProcess } from './writing.js'

/** Throws a UsageError if nothing can be deleted by this ledger. */
export async function checkCleanup(options: CleanupOptions, surroundings: AimSurroundings): Promise<Ended> {
  const { ledger: path, includeAssumed, recoverPages, consistencyTimeout } = options
  const ledger = openLedger(path, 'check')
  try {
    refuseUnusable(ledger, path)
    const { target, url } = aimAt(ledger.head.baseUrl, options, surroundings)
    try {
      guardHost(url, options.confirmHost, 'check cleanup')
      const { removed, alreadyGone, left, unconfirmed } = await cleanUpLedger({
        target,
        ledger,
        resources: writeResources,
        shapes: contractShapes(),
        expected: createProfile(),
        includeAssumed,
        recoverPages,
        consistencyTimeout,
      })
      const gone = alreadyGone > 0 ? `, ${alreadyGone} ${alreadyGone === 1 ? 'was' : 'were'} already gone` : ''
      const lines = [`Deleted ${removed} of the objects that ${path} lists${gone}.`, ...left, ...unconfirmed]
      return { output: `${target.redact(lines.join('\n'))}\n`, exitCode: unconfirmed.length > 0 ? 2 : 0 }
    } finally {
      await target.close()
    }
  } finally {
    ledger.close()
  }
}

function refuseUnusable({ head, entries }: Ledger, path: string): void {
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
