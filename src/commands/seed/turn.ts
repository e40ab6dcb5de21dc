/** One run of `seed` at a time for each address, because two that begin together cannot see what the other creates. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../client/retries.js'
import { InUseError, lock } from '../../shared/lock.js'
import { fileNameOf, type OpenOptions } from './open-ledger.js'

const askMs = 200

type TurnOptions = Pick<OpenOptions, 'consistencyMs' | 'signal' | 'onWarning'>

/** Waits for the other runs of this user on this machine, and returns what lets the next one begin. */
export async function waitForTurn({ host }: URL, options: TurnOptions): Promise<() => void> {
  const { consistencyMs, signal, onWarning } = options
  const path = join(tmpdir(), `commerce-mock-${process.getuid?.() ?? 'user'}`, `seed-${fileNameOf(host)}.lock`)
  let isTold = false
  let wasKilled = false
  for (;;) {
    try {
      const endTurn = lock(path, host, () => (wasKilled = true))
      // The server may still be handling what that run has sent.
      if (wasKilled) await pause(consistencyMs, signal)
      return endTurn
    } catch (error) {
      if (!(error instanceof InUseError)) throw error
      if (!isTold) onWarning(`Waiting for another run of seed: ${error.message}`)
      isTold = true
    }
    await pause(askMs, signal)
  }
}
