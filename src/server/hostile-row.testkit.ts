/** Hostile inputs with their expected responses, as rows of a table. */
import type { ChildPorts } from './hostile-child.testkit.js'
import { ask, type Sent } from './hostile.testkit.js'

/** Values that rows get from the running mock. */
export interface Given {
  readonly customer: string
  /** A customer with long notes, and a phone number that fills the rest of a response. */
  readonly wordy: string
  readonly segment: string
  readonly store: string
  readonly otherStore: string
  /** Cursors by list and order. */
  readonly cursors: Readonly<Record<'customers' | 'descending' | 'byName' | 'segments' | 'products', string>>
}

export interface More {
  /** The option that the message names. */
  readonly option?: string
  /** The code of the last error, if it differs. */
  readonly last?: string
  /** The port of another mock. */
  readonly port?: keyof ChildPorts
  /** How many responses arrive over the connection. */
  readonly answers?: number
}

/**
 * The code of the first error; `data` for data without errors, `page` for a body that is not JSON, `empty` for no body.
 * All requests of a row get the same response.
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

/** Values of a customer that fill a response to the last character if they are selected 500 times. */
export const wordyUpdate = {
  notes: 'x'.repeat(longest),
  custom,
  phone: 'x'.repeat(maxAnswered - 500 * longest - 11 * longest - ofNames),
}

/** A token in the form of Facebook tokens. */
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
/** An update of an unknown customer: if it reaches the resolver, the code is NOT_FOUND. */
export const updateNobody = (node: unknown) => ask(update, { id: 'nobody', node })
