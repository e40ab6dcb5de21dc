/** What a saboteur and a lawful variant are: values that say how a target is changed and what the suite must make of it. */
import type { Profile } from '../../src/profile.js'
import type { Shapes } from '../../src/contract/shape.js'
import type { Target } from '../../src/client/target.js'

/** How the mock behind is born, as plain data for whoever makes it. */
export interface WorldOptions {
  readonly counts?: Readonly<Record<string, number>>
  readonly profile?: Partial<Profile>
  /** Texts of `schema.graphql` and what stands in their place. */
  readonly schema?: Readonly<Record<string, string>>
}

/** A target that answers in another way than the one it asks. Each call of it begins anew. */
export type Wrap = (target: Target, shapes: Shapes) => Target

/** The mock with one documented promise broken. */
export interface Mutant {
  readonly id: string
  /** What it does, and must not. */
  readonly breaks: string
  /** The checks that fail for it, all of them. */
  readonly fails: readonly string[]
  readonly world?: WorldOptions | undefined
  readonly wrap: Wrap
}

/** A server that keeps every documented promise in its own way. */
export interface Variant {
  readonly id: string
  /** What is other than usual. */
  readonly about: string
  /** The exit code of a run, 0 unless given: 2 if something allowed cannot be written. */
  readonly exitCode?: number
  /** The checks that give a notice, all of them. */
  readonly notices?: readonly string[]
  /** The checks that may end in skip or cannot be told. */
  readonly open?: readonly string[]
  /** The profile entries of which an observation says that the server differs, all of them. */
  readonly differs?: readonly string[]
  readonly world?: WorldOptions | undefined
  readonly wrap?: Wrap | undefined
  /** Changes what goes over the wire; the variant is then asked over HTTP. */
  readonly http?: HttpRule | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** In one piece, or in several that are sent one by one. */
  readonly body: Buffer | readonly Buffer[]
}

/** @param call counted from 1 */
export type HttpRule = (answer: HttpAnswer, call: number) => HttpAnswer | Promise<HttpAnswer>

/** Several changes, the first of them next to the mock. */
export const layered =
  (...wraps: readonly Wrap[]): Wrap =>
  (target, shapes) =>
    wraps.reduce((it, wrap) => wrap(it, shapes), target)
