/** What a request of the control API is made of. */
import * as z from 'zod'
import type { Method } from '../server/http/front-door.js'
import type { Path } from '../shared/mistakes.js'
import type { Fault } from './faults/fault.js'
import type { Rule } from './faults/rules.js'
import type { Session } from './session.js'
import type { Sessions } from './sessions.js'

type Json = Readonly<Record<string, unknown>>

/** The records of a session. All of it throws an Error in one line for bad input. */
export interface Records {
  list(type: string, options?: { readonly first?: number }): readonly Json[]
  get(type: string, id: string): Json
  create(type: string, fields: Json): Json
  set(type: string, id: string, fields: Json): Json
  remove(type: string, id: string): void
}

export interface Call<Body, Query = unknown> {
  readonly sessions: Sessions
  readonly session: Session
  readonly records: Records
  /** Checks what faults name. Throws an Error with one line for each mistake. */
  readonly createRules: (faults: readonly Fault[], placeOf: (path: Path) => string) => readonly Rule[]
  /** The parts of the path that stand for names. */
  readonly names: readonly string[]
  readonly query: Query
  readonly body: Body
  /** Aborted when the client leaves or the server stops. */
  readonly signal: () => AbortSignal
}

export interface Route {
  readonly method: Method
  /** Names in capitals stand for one part of the path. */
  readonly path: string
  readonly about: string
  /** An empty body stands for `{}`. */
  readonly body?: z.ZodType
  /** The parameters of the query. Without it, they are ignored. */
  readonly query?: z.ZodType
  /** Whether it acts on no session, so that the one of the request need not exist. */
  readonly withoutSession?: boolean
  /** The JSON of the response, a TextResponse, or a promise of one; undefined if there is none. */
  readonly handle: (call: Call<never, never>) => unknown
}

const wholeNumberText = 'must be a whole number from 0'
/** A number in a query. */
export const wholeNumber = z.coerce.number(wholeNumberText).int(wholeNumberText).min(0, wholeNumberText)

/** A response that is no JSON. */
export class TextResponse {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Infers the types of the body and the query. */
export const route = <Body extends z.ZodType = z.ZodType<Json>, Query extends z.ZodType = z.ZodType<unknown>>(
  given: Omit<Route, 'body' | 'query' | 'handle'> & {
    body?: Body
    query?: Query
    handle: (call: Call<z.infer<Body>, z.infer<Query>>) => unknown
  },
): Route => given as Route
