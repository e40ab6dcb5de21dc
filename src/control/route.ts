/** What a request of the control API is made of. */
import * as z from 'zod'
import type { Method, Page } from '../server/http/front-door.js'
import { validated, type Path } from '../shared/mistakes.js'
import { quote } from '../shared/text.js'
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

/** A name for each word in capitals: of `records/TYPE/ID`, two. */
type NamesIn<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? [...NamesIn<First>, ...NamesIn<Rest>]
  : Path extends Uppercase<Path>
    ? [string]
    : []

export interface Call<Body, Query, Names> {
  readonly sessions: Sessions
  readonly session: Session
  readonly records: Records
  /** The values of the placeholders in the path, in order. */
  readonly names: Names
  readonly query: Query
  readonly body: Body
  /** Aborted when the client leaves or the server stops. */
  readonly signal: () => AbortSignal
}

export interface Route extends Pick<Page, 'method' | 'path'> {
  readonly about: string
  /** An empty body stands for `{}`. */
  readonly body?: z.ZodType
  /** The parameters of the query. Without it, there are none. */
  readonly query?: z.ZodType
  /** Whether it acts on no session, so that the one of the request need not exist. */
  readonly withoutSession?: boolean
  /** The JSON of the response, a TextResponse, or a promise of one; undefined if there is none. */
  readonly handle: (call: Call<never, never, never>) => unknown
}

/** Infers the types of the names, the body and the query. `title` is the method and the path. */
export function route<Path extends string, Body extends z.ZodType, Query extends z.ZodType>(
  title: `${Method} /_mock/${Path}`,
  rest: Pick<Route, 'about' | 'withoutSession'> & {
    readonly body?: Body
    readonly query?: Query
    readonly handle: (call: Call<z.infer<Body>, z.infer<Query>, NamesIn<Path>>) => unknown
  },
): Route {
  const [method, path] = title.split(' ') as [Method, string]
  return { method, path, ...rest }
}

const wholeNumberText = 'must be a whole number from 0'
/** A number in a query. */
export const wholeNumber = z.coerce.number(wholeNumberText).int(wholeNumberText).min(0, wholeNumberText)

/**
 * The parameters of a query. Throws an Error with one line for each that has no value; else for each that is unknown or wrong.
 */
export function readQuery(sent: URLSearchParams, taken?: z.ZodType): unknown {
  const given = Object.fromEntries(sent)
  const shown = (name: string) => quote(`?${name}=${given[name]}`)
  const refuse = (names: readonly string[], why: string) => {
    if (names.length > 0) throw new Error(names.map((it) => `${shown(it)}: ${why}`).join('\n'))
  }
  const names = Object.keys(given)
  // As a number, no value would be 0.
  refuse(
    names.filter((it) => given[it] === ''),
    'has no value. Give it one, or leave it out.',
  )
  if (taken) return validated(taken, given, ([name]) => shown(String(name)))
  refuse(names, 'is unknown. This path takes no query parameters.')
  return undefined
}

/** Names the place of a mistake. */
export const placeOf = (path: Path, whole = 'The body'): string =>
  path.length === 0 ? whole : quote(z.core.toDotPath([...path]))

/** A response that is no JSON. */
export class TextResponse {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
