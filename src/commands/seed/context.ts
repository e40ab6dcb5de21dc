/** A context that only reads: it lists objects and asks for input types. */
import type { Context } from '../../contract/check.js'
import { createContext } from '../../contract/context.js'
import type { Target } from '../../client/target.js'
import { createProfile } from '../../profile.js'
import { contractShapes } from '../check/contract-shapes.js'

export interface ReadingOptions {
  readonly target: Target
  readonly includeAssumed: boolean | undefined
  readonly signal: AbortSignal
}

export const readingContext = ({ target, includeAssumed, signal }: ReadingOptions): Context =>
  createContext({
    target,
    includeAssumed,
    shapes: contractShapes(),
    expected: createProfile(),
    limits: { calls: 0, maxRequests: Infinity, signal, failure: undefined },
    shared: new Map(),
  })
