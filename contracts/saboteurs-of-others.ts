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

const harms = (id: string, mutation: string, does: string, kind: Kind, fails: readonly string[]): Saboteur => ({
  id,
  breaks: `${mutation} ${does} as well.`,
  fails,
  wrap: mutating({ [mutation]: harming(kind) }),
})

export const saboteursOfOthers: readonly Saboteur[] = [
  harms('others-segment-deleted', 'deleteSegments', "deletes somebody else's segment", deletedSegment, [
    'segments-spare-others',
  ]),
  harms('others-segment-pushed-out', 'createSegment', "deletes somebody else's segment", deletedSegment, [
    'segments-spare-others',
  ]),
  harms('others-segment-renamed', 'updateSegment', "renames somebody else's segment", renamedSegment, [
    'segments-spare-others',
  ]),
  harms('others-store-deleted', 'deleteStore', "deletes somebody else's store", deletedStore, ['stores-spare-others']),
  harms('others-store-moved', 'updateStore', "changes the slug of somebody else's store", renamedStore, [
    'stores-spare-others',
  ]),
  harms('others-store-renamed-by-products', 'addProductsToStore', 'changes the slug of another store', renamedStore, [
    'stores-spare-others',
  ]),
  harms('others-customer-renamed', 'updateCustomer', 'renames another customer', renamedCustomer, [
    'customers-spare-others',
  ]),
  harms('others-pixels-emptied', 'removeIntegration', 'empties a list of pixels', account({ tiktok_pixels: [] }), [
    'integrations-spare-others',
  ]),
  harms(
    'others-account-renamed',
    'updateAccount',
    'overwrites the name of the account',
    account({ account_name: 'Test' }),
    ['pixels-spare-others'],
  ),
  harms(
    'others-account-renamed-by-store',
    'createStore',
    'overwrites the name of the account',
    account({ account_name: 'Test' }),
    ['stores-spare-others'],
  ),
]
