/** The mock with one promise broken: beside what it is asked to write, it harms what others have in the account. */
import { ofAnyRun } from '../../src/writing/run-tag.js'
import { mapFields, type Place } from './response-walk.js'
import type { Mutant, Wrap } from './mutant.js'
import { connectionRows } from './lifecycle-mutants.js'
import { mutating, type Data, type MutationRule, type Tools } from './mutation-rules.js'

/** Where the objects of a kind are asked for, and the mutation that harms one of them. */
interface Kind {
  readonly list: string
  readonly rowsIn: (data: Data) => readonly Data[]
  readonly harm: string
  /** Variables of the harm, by the id of the object; `n` counts the harms. */
  readonly with: (id: unknown, n: number) => Data
}

const inAccount = (list: string) => (data: Data) =>
  (data['account'] as Readonly<Record<string, readonly Data[]>>)[list] ?? []

const listOf = {
  segments: { list: '{ segments(query: "") { edges { node { id name } } } }', rowsIn: connectionRows('segments') },
  stores: { list: '{ account { stores { id name } } }', rowsIn: inAccount('stores') },
  customers: {
    list: '{ customers(query: "") { edges { node { id full_name } } } }',
    rowsIn: connectionRows('customers'),
  },
}

const deletedSegment: Kind = {
  ...listOf.segments,
  harm: 'mutation H($items: [ID!]!) { deleteSegments(items: $items) }',
  with: (id) => ({ items: [id] }),
}
const deletedStore: Kind = {
  ...listOf.stores,
  harm: 'mutation H($items: [ID!]!) { deleteStore(items: $items) { id } }',
  with: (id) => ({ items: [id] }),
}
const renamedSegment: Kind = {
  ...listOf.segments,
  harm: 'mutation H($id: ID!, $name: String!) { updateSegment(id: $id, node: { name: $name }) { id } }',
  with: (id, n) => ({ id, name: `Taken over ${n}` }),
}
const renamedStore: Kind = {
  ...listOf.stores,
  harm: 'mutation H($id: ID!, $slug: String!) { updateStore(id: $id, node: { slug: $slug }) { id } }',
  with: (id, n) => ({ id, slug: `taken-over-${n}` }),
}
const taggedCustomer: Kind = {
  ...listOf.customers,
  harm: 'mutation H($id: ID!, $tags: [String!]) { updateCustomer(id: $id, node: { tags: $tags }) { id } }',
  with: (id, n) => ({ id, tags: [`taken-over-${n}`] }),
}
const account = (nodeAt: (n: number) => Data): Kind => ({
  list: '{ account { id } }',
  rowsIn: (data) => [data['account'] as Data],
  harm: 'mutation H($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }',
  with: (_, n) => ({ node: nodeAt(n) }),
})

/** Does what it is asked, and then harms the first object that no run made. */
const harming = ({ list, rowsIn, harm, with: variables }: Kind): MutationRule => {
  let harms = 0
  return async (_, proceed, { ask }: Tools) => {
    const value = await proceed()
    harms += 1
    const first = rowsIn(await ask(list)).find((it) => ofAnyRun(JSON.stringify(it)) === undefined)
    if (first) await ask(harm, variables(first['id'], harms))
    return value
  }
}

interface Harm {
  readonly id: string
  /** What is written when it happens. */
  readonly writing: string
  readonly mutation: string
  readonly does: string
  readonly kind: Kind
}

const renamed = { does: 'overwrites the name of the account', kind: account((n) => ({ account_name: `Test ${n}` })) }
const deletes = { does: "deletes somebody else's segment", kind: deletedSegment }
const moves = { does: "changes the slug of somebody else's store", kind: renamedStore }

const harms: readonly Harm[] = [
  { id: 'others-segment-deleted', writing: 'segments', mutation: 'deleteSegments', ...deletes },
  { id: 'others-segment-pushed-out', writing: 'segments', mutation: 'createSegment', ...deletes },
  {
    id: 'others-segment-renamed',
    writing: 'segments',
    mutation: 'updateSegment',
    does: "renames somebody else's segment",
    kind: renamedSegment,
  },
  {
    id: 'others-store-deleted',
    writing: 'stores',
    mutation: 'deleteStore',
    does: "deletes somebody else's store",
    kind: deletedStore,
  },
  { id: 'others-store-moved', writing: 'stores', mutation: 'updateStore', ...moves },
  {
    id: 'others-customer-tagged',
    writing: 'customers',
    mutation: 'updateCustomer',
    does: 'overwrites the tags of another customer',
    kind: taggedCustomer,
  },
  {
    id: 'others-pixels-overwritten',
    writing: 'integrations',
    mutation: 'removeIntegration',
    does: 'overwrites a list of pixels',
    kind: account((n) => ({ tiktok_pixels: [{ label: 'Own', value: String(n) }] })),
  },
  { id: 'others-account-renamed', writing: 'pixels', mutation: 'updateAccount', ...renamed },
  { id: 'others-account-renamed-by-store', writing: 'stores', mutation: 'createStore', ...renamed },
]

/** The mock cannot be told to take a product away: its answers are. */
const takingProducts: Wrap = (target, shapes) => {
  let taken = 0
  const isOfOthers = ({ root, parent }: Place) => root === 'account' && ofAnyRun(JSON.stringify(parent)) === undefined
  const shown = mapFields({
    'Store.products': (value, place) => (isOfOthers(place) && Array.isArray(value) ? value.slice(taken) : value),
  })
  const taking: MutationRule = async (_, proceed) => {
    const value = await proceed()
    taken += 1
    return value
  }
  return mutating({ updateStore: taking })(shown(target, shapes), shapes)
}

export const mutantsOfOthers: readonly Mutant[] = [
  ...harms.map(({ id, writing, mutation, does, kind }): Mutant => ({
    id,
    breaks: `${mutation} ${does} as well.`,
    fails: [`${writing}-spare-others`],
    wrap: (target, shapes) => mutating({ [mutation]: harming(kind) })(target, shapes),
  })),
  {
    id: 'others-products-taken',
    breaks: "updateStore takes a product away from somebody else's store as well.",
    fails: ['stores-spare-others'],
    wrap: takingProducts,
  },
]
