/** Stores: operations to list, create, update and delete them and to add products, and the checks that read them. */
import { inconclusive, documented, type Check } from '../src/contract/check.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import { judgeNodes, ofAccount, type Data } from './support/samples.js'

export const stores = operation(`query Stores {
  account {
    id
    stores { id name }
  }
}`)

export const store = operation(`query Store($id: ID!) {
  node(id: $id) {
    id
    ... on Store { name }
  }
}`)

export const storeProducts = operation(`query StoreProducts($id: ID!, $cursor: String) {
  node(id: $id) {
    id
    ... on Store {
      products(cursor: $cursor) { title price link cursor }
    }
  }
}`)

export const createStore = operation(`mutation CreateStore($node: StoreInput!) {
  createStore(node: $node) {
    account {
      id
      stores { id }
    }
    store { id name }
  }
}`)

export const updateStore = operation(`mutation UpdateStore($id: ID!, $node: StoreUpdateInput!) {
  updateStore(id: $id, node: $node) { id name }
}`)

export const deleteStore = operation(`mutation DeleteStore($items: [ID!]!) {
  deleteStore(items: $items) {
    id
    stores { id }
  }
}`)

export const addProductsToStore =
  operation(`mutation AddProductsToStore($id: ID!, $node: AddProductsToStoreInput!, $cursor: String) {
  addProductsToStore(id: $id, node: $node) {
    id
    products(cursor: $cursor) { title price link cursor }
  }
}`)

export const storeOperations: readonly Operation[] = [
  stores,
  store,
  storeProducts,
  createStore,
  updateStore,
  deleteStore,
  addProductsToStore,
]

/** An input of createStore. Its fields are assumed. */
export const exampleStore = { name: 'Lantern & Loom', slug: 'lantern-and-loom', lang: 'en' }

/** An input of updateStore. Its fields are assumed. */
export const exampleStoreUpdate = {
  slug: 'lantern-loom',
  refund_policy: 'Unused goods can be returned within 30 days.',
}

export const storeChecks: readonly Check[] = [
  {
    id: 'stores-shape',
    title: '`account { stores }` MUST be a list of stores.',
    basis: documented('Stores: account { stores { ... } }, query: list of Store under `data.account.stores`.'),
    async run(context) {
      await context.ask(stores)
    },
  },
  {
    id: 'store-shape',
    title: '`node` MUST return a store by its id.',
    basis: documented('Stores: node (fragment on Store): the Store under `data.node`.'),
    async run(context) {
      const read = (fresh: boolean) => ofAccount(context, stores, 'stores', fresh)
      await judgeNodes(context, read, store, ['id', 'name'])
    },
  },
  {
    id: 'store-products-shape',
    title: 'Each product of a store MUST have a title, a price, a link and a cursor.',
    basis: documented('Store: products(cursor): each product exposes `title`, `price`, `link`, `cursor`.'),
    async run(context) {
      let seen = 0
      for (const { id } of (await ofAccount(context, stores, 'stores')).slice(0, 3)) {
        const { node } = await context.ask(withVariables(storeProducts, { id, cursor: null }))
        seen += ((node as Data | null)?.['products'] as unknown[] | null)?.length ?? 0
        if (seen > 0) return
      }
      inconclusive('None of the first stores has products.')
    },
  },
]
