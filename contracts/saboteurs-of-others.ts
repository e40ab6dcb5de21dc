/** The mock with one promise broken: beside what it is asked to write, it harms what others have in the account. */
import { ofAnyRun } from '../src/contract/mark.js'
import type { Saboteur } from './saboteur.js'
import { mutating, type Data, type MutationRule, type Tools } from './write-rules.js'

/** Where the objects of a kind are asked for, and the mutation that harms one of them. */
interface Kind {
  readonly list: string
  readonly rowsIn: (data: Data) => readonly Data[]
  readonly harm: string
  /** Variables of the harm, by the id of the object. */
  readonly with: (id: unknown) => Data
}

const inAccount = (list: string) => (data: Data) =>
  (data['account'] as Readonly<Record<string, readonly Data[]>>)[list] ?? []
const inConnection = (name: string) => (data: Data) =>
  (data[name] as { readonly edges: readonly { readonly node: Data }[] }).edges.map(({ node }) => node)

const listOf = {
  segments: { list: '{ segments(query: "") { edges { node { id name } } } }', rowsIn: inConnection('segments') },
  stores: { list: '{ account { stores { id name } } }', rowsIn: inAccount('stores') },
  customers: {
    list: '{ customers(query: "") { edges { node { id full_name } } } }',
    rowsIn: inConnection('customers'),
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
  harm: 'mutation H($id: ID!) { updateSegment(id: $id, node: { name: "Taken over" }) { id } }',
  with: (id) => ({ id }),
}
const renamedStore: Kind = {
  ...listOf.stores,
  harm: 'mutation H($id: ID!) { updateStore(id: $id, node: { slug: "taken-over" }) { id } }',
  with: (id) => ({ id }),
}
const renamedCustomer: Kind = {
  ...listOf.customers,
  harm: 'mutation H($id: ID!) { updateCustomer(id: $id, node: { last_name: "Taken-Over" }) { id } }',
  with: (id) => ({ id }),
}
const account = (node: Data): Kind => ({
  list: '{ account { id } }',
  rowsIn: (data) => [data['account'] as Data],
  harm: 'mutation H($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }',
  with: () => ({ node }),
})

/** Does what it is asked, and then harms the first object that no run made. */
const harming =
  ({ list, rowsIn, harm, with: variables }: Kind): MutationRule =>
  async (_, proceed, { ask }: Tools) => {
    const value = await proceed()
    const first = rowsIn(await ask(list)).find((it) => ofAnyRun(JSON.stringify(it)) === undefined)
    if (first) await ask(harm, variables(first['id']))
    return value
  }

interface Harm {
  readonly id: string
  /** What is written when it happens. */
  readonly writing: string
  readonly mutation: string
  readonly does: string
  readonly kind: Kind
}

const renamed = { does: 'overwrites the name of the account', kind: account({ account_name: 'Test' }) }
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
  { id: 'others-store-moved-by-products', writing: 'stores', mutation: 'addProductsToStore', ...moves },
  {
    id: 'others-customer-renamed',
    writing: 'customers',
    mutation: 'updateCustomer',
    does: 'renames another customer',
    kind: renamedCustomer,
  },
  {
    id: 'others-pixels-emptied',
    writing: 'integrations',
    mutation: 'removeIntegration',
    does: 'empties a list of pixels',
    kind: account({ tiktok_pixels: [] }),
  },
  { id: 'others-account-renamed', writing: 'pixels', mutation: 'updateAccount', ...renamed },
  { id: 'others-account-renamed-by-store', writing: 'stores', mutation: 'createStore', ...renamed },
]

export const saboteursOfOthers: readonly Saboteur[] = harms.map(({ id, writing, mutation, does, kind }) => ({
  id,
  breaks: `${mutation} ${does} as well.`,
  fails: [`${writing}-spare-others`],
  wrap: mutating({ [mutation]: harming(kind) }),
}))
