/** `seed cleanup`: deletes what a ledger lists, and names what stays. */
import { writeFileSync } from 'node:fs'
import { resources } from '../../../contracts/resources.js'
import { cleanUp } from '../../seeding/cleanup.js'
import { chooseKeys, isUnreadable } from '../../seeding/find.js'
import { openLedger } from '../../writing/ledger.js'
import { guardHost } from '../check/writing.js'
import type { Ended } from '../commands.js'
import { usage, UsageError } from '../options.js'
import { aimAt, type AimSurroundings } from '../target-options.js'
import { tryWriting } from '../writable.js'
import { readingContext } from './context.js'
import { reportPaths, type SeedCleanupOptions } from './options.js'
import { cleanupJson, cleanupText, interruptedText } from './text.js'

export interface SeedCleanupSurroundings extends AimSurroundings {
  readonly signal: AbortSignal
}

/** Throws a UsageError if the ledger cannot be read or the host was not confirmed. */
export async function seedCleanup(options: SeedCleanupOptions, surroundings: SeedCleanupSurroundings): Promise<Ended> {
  const { signal } = surroundings
  const ledger = usage(() => openLedger(options.ledger, 'seed'))
  try {
    const { target, url } = aimAt(ledger.head.baseUrl, options, surroundings)
    try {
      guardHost(url, options.confirmHost, 'seed cleanup')
      for (const path of reportPaths(options)) tryWriting('--report json', path)
      const context = readingContext({ target, includeAssumed: options.includeAssumed, signal })
      const result = await cleanUp({
        ledger,
        resources,
        keys: await chooseKeys(resources, context, ledger.head['marks'] as Record<string, string>),
        context,
        consistencyMs: options.consistencyTimeout ?? 2000,
        signal,
        send: ({ document, name, variables }) => target.send({ query: document, variables, operationName: name }),
      })
      for (const path of reportPaths(options)) writeFileSync(path, target.redact(cleanupJson(result)))
      const exitCode = result.unconfirmed.length > 0 ? 1 : 0
      return { output: target.redact(cleanupText(ledger.path, result)), exitCode }
    } catch (error) {
      if (signal.aborted) return { output: interruptedText, exitCode: 130 }
      if (isUnreadable(error)) throw new UsageError(error.message)
      throw error
    } finally {
      await target.close()
    }
  } finally {
    ledger.close()
  }
}
