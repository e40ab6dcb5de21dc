/** Customers in operations: listing, making and changing them. No operation deletes one. */
import { operation, type Operation } from '../src/contract/operation.js'

export const customers = operation(
  /* GraphQL */ `
    query Customers($query: String!, $first: Int, $after: String) {
      customers(query: $query, first: $first, after: $after) {
        edges {
          node {
            __typename
            id
            _id
            avatar
            full_name
            expenses
            orders_count
            updated_at
            created_at
          }
          cursor
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  `,
  { query: '' },
)

export const customer = operation(/* GraphQL */ `
  query Customer($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on Customer {
        _id
        avatar
        full_name
        expenses
        orders_count
        updated_at
        created_at
      }
    }
  }
`)

export const createCustomer = operation(/* GraphQL */ `
  mutation CreateCustomer($node: InputCustomer!) {
    createCustomer(node: $node) {
      __typename
      id
      _id
      avatar
      full_name
      expenses
      orders_count
      updated_at
      created_at
    }
  }
`)

export const updateCustomer = operation(/* GraphQL */ `
  mutation UpdateCustomer($id: ID!, $node: InputUpdateCustomer!) {
    updateCustomer(id: $id, node: $node) {
      __typename
      id
      _id
      avatar
      full_name
      expenses
      orders_count
      updated_at
      created_at
    }
  }
`)

export const customerOperations: readonly Operation[] = [customers, customer, createCustomer, updateCustomer]

/** An input of createCustomer. Its fields are assumed. */
export const exampleCustomer = {
  email: 'ines.marlow@example.com',
  phone: '+1 312-555-0142',
  first_name: 'Ines',
  last_name: 'Marlow',
  accepts_marketing: true,
  tags: ['newsletter'],
}

/** An input of updateCustomer. Its fields are assumed. */
export const exampleCustomerUpdate = { last_name: 'Marlow-Reyes' }
