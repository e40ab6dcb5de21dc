/** A context outside of a run of checks: it lists objects, asks for input types, and cleans up. */
import { createContext, type OwnedContext } from '../contract/context.js'
import type { Target } from '../client/target.js'
import { createProfile } from '../profile.js'
import { openLedger, type Ledger } from '../writing/ledger.js'
import { contractShapes } from '../../contracts/support/shapes.js'
import type { CleanupOptions } from './check/options.js'
import { guardHost } from './check/writing.js'
import { openTarget, type TargetSurroundings } from './target-options.js'

export interface ReadingOptions {
  readonly target: Target
  readonly includeAssumed?: boolean | undefined
  readonly recoverPages?: number | undefined
  readonly signal: AbortSignal
}

export const readingContext = ({ signal, ...options }: ReadingOptions): OwnedContext =>
  createContext({
    ...options,
    shapes: contractShapes(),
    expected: createProfile(),
    limits: { maxRequests: Infinity, signal },
    shared: new Map(),
  })

/** What a cleanup command works with. */
export interface LedgerAtWork {
  readonly ledger: Ledger
  readonly context: OwnedContext
  readonly consistencyTimeout: number
}

/** Opens a ledger of a command and its target for a cleanup, and closes both. Throws a UsageError if it cannot be used. */
export async function withLedger<Result>(
  by: 'check' | 'seed',
  options: CleanupOptions,
  { signal, ...surroundings }: TargetSurroundings & { readonly signal: AbortSignal },
  work: (opened: LedgerAtWork) => Promise<Result>,
  assertUsable: (ledger: Ledger) => void = () => {},
): Promise<Result> {
  const { confirmHost, includeAssumed, recoverPages, consistencyTimeout = 2000 } = options
  const ledger = openLedger(options.ledger, by)
  try {
    assertUsable(ledger)
    const { target, url } = openTarget(ledger.head.baseUrl, options, surroundings)
    try {
      guardHost(url, confirmHost, `${by} cleanup`)
      const context = readingContext({ target, includeAssumed, recoverPages, signal })
      return await work({ ledger, context, consistencyTimeout })
    } finally {
      await target.close()
    }
  } finally {
    ledger.close()
  }
}
