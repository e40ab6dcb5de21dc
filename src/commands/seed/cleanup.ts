/** `seed cleanup`: deletes what a ledger lists, and names what stays. */
import { resources } from '../../../contracts/resources.js'
import { chooseKeys, finderByKey, isUnreadable } from '../../seeding/find.js'
import { cleanUp, entriesOf, isRemovable, type CleanupOptions } from '../../writing/cleanup.js'
import { replaceFile } from '../../shared/files.js'
import type { Finder, Shown } from '../../writing/find.js'
import type { Entry } from '../../writing/ledger.js'
import type { Ended, Surroundings } from '../commands.js'
import { prepareOutputs, UsageError } from '../options.js'
import { withLedger, type LedgerAtWork } from '../reading-context.js'
import type { SeedHead } from './open-ledger.js'
import { reportPaths, type SeedCleanupOptions } from './options.js'
import { cleanupJson, cleanupText, interruptedText, named, type Cleaned } from './text.js'

type CleanupSurroundings = Pick<Surroundings, 'env' | 'signal' | 'onWarning'>

/** Throws a UsageError if the ledger cannot be read or the host was not confirmed. */
export async function seedCleanup(options: SeedCleanupOptions, surroundings: CleanupSurroundings): Promise<Ended> {
  const { signal } = surroundings
  const { dryRun = false, withAdopted } = options
  const work = async ({ ledger, context, consistencyTimeout }: LedgerAtWork) => {
    prepareOutputs(reportPaths(options).map((path) => ({ option: '--report json', path })))
    const keys = await chooseKeys(resources, context, (ledger.head as SeedHead).marks)
    const cleanup = { ledger, resources, context, consistencyTimeout, find: finderByKey(keys, context), withAdopted }
    const result = await (dryRun ? preview(cleanup) : cleanUp(cleanup))
    if (signal.aborted) return { output: interruptedText, exitCode: 130 }
    for (const path of reportPaths(options)) replaceFile(path, context.redact(cleanupJson(result)))
    const exitCode = result.unconfirmed.length > 0 ? 1 : 0
    return { output: context.redact(cleanupText(ledger.path, result, dryRun)), exitCode }
  }
  try {
    return await withLedger('seed', options, surroundings, work)
  } catch (error) {
    if (signal.aborted) return { output: interruptedText, exitCode: 130 }
    throw isUnreadable(error) ? new UsageError(error.message) : error
  }
}

type Preview = Pick<CleanupOptions, 'ledger' | 'resources' | 'withAdopted'> & { readonly find: Finder }

/** What a cleanup would do, by what the server shows now. Changes nothing, the ledger included. */
async function preview({ find, ...options }: Preview): Promise<Cleaned> {
  const { ledger, resources, withAdopted = false } = options
  const adopted = withAdopted ? [] : ledger.entries().filter(({ state }) => state === 'adopted')
  const cleaned = { removed: [] as Entry[], left: [] as Entry[], adopted, unconfirmed: [] as string[] }
  for (const resource of resources.toReversed()) {
    const entries = entriesOf(options, resource)
    if (!isRemovable(resource)) cleaned.left.push(...entries)
    else if (entries.length > 0) {
      const shown = await find(resource, entries)
      const are = (what: Shown['is']) => entries.filter(({ n }) => shown.get(n)?.is === what)
      cleaned.removed.push(...are('there'))
      for (const { kind, key } of are('changed'))
        cleaned.unconfirmed.push(`The ${named(kind, key)} has another key now and stays.`)
    }
  }
  return cleaned
}
