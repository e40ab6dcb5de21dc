/** Stores in operations: listing, making, changing and deleting them, and the products attached to one. */
import { operation, type Operation } from '../src/contract/operation.js'

export const stores = operation(/* GraphQL */ `
  query Stores {
    account {
      id
      stores {
        id
        name
      }
    }
  }
`)

export const store = operation(/* GraphQL */ `
  query Store($id: ID!) {
    node(id: $id) {
      id
      ... on Store {
        name
      }
    }
  }
`)

export const storeProducts = operation(/* GraphQL */ `
  query StoreProducts($id: ID!, $cursor: String) {
    node(id: $id) {
      id
      ... on Store {
        products(cursor: $cursor) {
          title
          price
          link
          cursor
        }
      }
    }
  }
`)

export const createStore = operation(/* GraphQL */ `
  mutation CreateStore($node: StoreInput!) {
    createStore(node: $node) {
      account {
        id
        stores {
          id
        }
      }
      store {
        id
        name
      }
    }
  }
`)

export const updateStore = operation(/* GraphQL */ `
  mutation UpdateStore($id: ID!, $node: StoreUpdateInput!) {
    updateStore(id: $id, node: $node) {
      id
      name
    }
  }
`)

export const deleteStore = operation(/* GraphQL */ `
  mutation DeleteStore($items: [ID!]!) {
    deleteStore(items: $items) {
      id
      stores {
        id
      }
    }
  }
`)

export const addProductsToStore = operation(/* GraphQL */ `
  mutation AddProductsToStore($id: ID!, $node: AddProductsToStoreInput!, $cursor: String) {
    addProductsToStore(id: $id, node: $node) {
      id
      products(cursor: $cursor) {
        title
        price
        link
        cursor
      }
    }
  }
`)

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
