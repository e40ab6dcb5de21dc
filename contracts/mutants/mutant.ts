/** Mutants and conforming variants as values: how they change a target, and which results the suite must have. */
import type { Profile } from '../../src/profile.js'
import type { Shapes } from '../../src/contract/shape.js'
import type { Target } from '../../src/client/target.js'

/** Options of the mock that is changed. */
export interface MockSetup {
  readonly counts?: Readonly<Record<string, number>>
  readonly profile?: Partial<Profile>
  /** Strings of `schema.graphql` and their replacements. */
  readonly schema?: Readonly<Record<string, string>>
}

/** Changes a target. Called for each run. */
export type Wrap = (target: Target, shapes: Shapes) => Target

/** The mock with one documented promise broken. */
export interface Mutant {
  readonly id: string
  /** The broken promise: what the server does. */
  readonly about: string
  /** The checks that must fail; all others must not. */
  readonly killedBy: readonly string[]
  /** The checks that must give a notice, if only an assumption of a documented check is broken. */
  readonly notices?: readonly string[]
  readonly world?: MockSetup | undefined
  readonly wrap: Wrap
}

/** A server that keeps each documented promise, but is unusual. */
export interface Variant {
  readonly id: string
  /** What is unusual. */
  readonly about: string
  /** The exit code of a run, 0 unless given: 2 if something allowed cannot be written. */
  readonly exitCode?: number
  /** The checks that must give a notice; all others must not. */
  readonly notices?: readonly string[]
  /** The checks that may be skipped or inconclusive. */
  readonly open?: readonly string[]
  /** The profile entries for which an observation must find a difference; all others must not. */
  readonly differs?: readonly string[]
  readonly world?: MockSetup | undefined
  readonly wrap?: Wrap | undefined
  /** Changes HTTP responses; the variant then runs over HTTP. */
  readonly http?: HttpRule | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Several buffers are sent one by one. */
  readonly body: Buffer | readonly Buffer[]
}

/** @param call counted from 1 */
export type HttpRule = (answer: HttpAnswer, call: number) => HttpAnswer | Promise<HttpAnswer>

/** Several changes; the first is next to the mock. */
export const layered =
  (...wraps: readonly Wrap[]): Wrap =>
  (target, shapes) =>
    wraps.reduce((it, wrap) => wrap(it, shapes), target)
