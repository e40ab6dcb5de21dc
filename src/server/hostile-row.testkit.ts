/**
 * A hostile input with the answer that is wanted, and what rows of several kinds are made of. Rows that would differ only
 * in a name are one row that sends all of them.
 */
import type { ChildPorts } from './hostile-child.testkit.js'
import { ask, type Sent } from './hostile.testkit.js'

/** What rows can only know of the running mock. */
export interface Given {
  readonly customer: string
  /** A customer with long notes, and a telephone number that fills the rest of an answer. */
  readonly wordy: string
  readonly segment: string
  readonly store: string
  readonly otherStore: string
  /** Cursors by the list and the order that they were given for. */
  readonly cursors: Readonly<Record<'customers' | 'descending' | 'byName' | 'segments' | 'products', string>>
}

export interface More {
  /** What the message says of the way out. */
  readonly option?: string
  /** The code of the last error where it is another. */
  readonly last?: string
  /** Another mock than the attacked one. */
  readonly port?: keyof ChildPorts
  /** How many answers come over the one connection. */
  readonly answers?: number
}

/**
 * The code is that of the first error; `data` wants data and no errors, `page` an answer that is no JSON, `empty` no body.
 * A row that sends several wants the same of each.
 */
export type Row = readonly [
  name: string,
  send: (given: Given) => Sent | { readonly all: readonly Sent[] },
  status: number,
  code: string,
  more?: More,
]

const longest = 65_536
const maxAnswered = 32 * 1024 * 1024
const custom = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'x'.repeat(longest)]))
/** The names data, node, phone and custom, those in `custom` and 500 aliases of four characters. */
const ofNames = 4 + 4 + 5 + 6 + Object.keys(custom).join('').length + 500 * 4

/** A customer of whom 500 times the notes, the telephone number and the free fields fill an answer to its last character. */
export const wordyUpdate = {
  notes: 'x'.repeat(longest),
  custom,
  phone: 'x'.repeat(maxAnswered - 500 * longest - 11 * longest - ofNames),
}

/** A token as Facebook gives them, sent wherever a secret could be. */
export const secret = 'EAABwzLixnjYBOsecretsecretZCZAq0hostile'

export const mebibyte = 1024 * 1024
export const typeName = '{"query":"{ __typename }"}'
export const textOf = (length: number) => 'x'.repeat(length)
export const parse = 'GRAPHQL_PARSE_FAILED'
export const invalid = 'GRAPHQL_VALIDATION_FAILED'
export const badInput = 'BAD_USER_INPUT'
export const over = (name: string): More => ({ option: `--limit ${name}=` })
export const fixed =
  (sent: Sent): Row[1] =>
  () =>
    sent
export const doc = (query: string, variables?: unknown, more?: object): Row[1] => fixed(ask(query, variables, more))
export const all = (...sent: readonly Sent[]): ReturnType<Row[1]> => ({ all: sent })

export const update = 'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }'
/** An update of nobody: what comes to the resolver is NOT_FOUND. */
export const updateNobody = (node: unknown) => ask(update, { id: 'nobody', node })
