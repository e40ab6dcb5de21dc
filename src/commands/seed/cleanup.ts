/** `seed cleanup`: deletes what a ledger lists, and names what stays. */
import { writeFileSync } from 'node:fs'
import { resources } from '../../../contracts/resources.js'
import { chooseKeys, finderByKey, isUnreadable } from '../../seeding/find.js'
import { cleanUp } from '../../writing/cleanup.js'
import type { Ended, Surroundings } from '../commands.js'
import { tryWriting, UsageError } from '../options.js'
import { withLedger, type LedgerAtWork } from '../reading-context.js'
import type { SeedHead } from './open-ledger.js'
import { reportPaths, type SeedCleanupOptions } from './options.js'
import { cleanupJson, cleanupText, interruptedText } from './text.js'

type CleanupSurroundings = Pick<Surroundings, 'env' | 'signal' | 'onWarning'>

/** Throws a UsageError if the ledger cannot be read or the host was not confirmed. */
export async function seedCleanup(options: SeedCleanupOptions, surroundings: CleanupSurroundings): Promise<Ended> {
  const { signal } = surroundings
  const work = async ({ ledger, context, consistencyTimeout }: LedgerAtWork) => {
    for (const path of reportPaths(options)) tryWriting('--report json', path)
    const keys = await chooseKeys(resources, context, (ledger.head as SeedHead).marks)
    const find = finderByKey(keys, context)
    const result = await cleanUp({ ledger, resources, context, consistencyTimeout, find })
    if (signal.aborted) return { output: interruptedText, exitCode: 130 }
    for (const path of reportPaths(options)) writeFileSync(path, context.redact(cleanupJson(result)))
    const exitCode = result.unconfirmed.length > 0 ? 1 : 0
    return { output: context.redact(cleanupText(ledger.path, result)), exitCode }
  }
  try {
    return await withLedger('seed', options, surroundings, work)
  } catch (error) {
    if (signal.aborted) return { output: interruptedText, exitCode: 130 }
    throw isUnreadable(error) ? new UsageError(error.message) : error
  }
}
