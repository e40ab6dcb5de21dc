/** The forms that a GraphQL request may take: whatever the form, the answer is the one that was asked for. */
import { inconclusive, documented, fail, type Check } from '../../src/contract/check.js'
import { judged } from '../../src/contract/judge.js'
import { operation, withLiterals, withVariables } from '../../src/contract/operation.js'
import { customers } from '../customers.js'
import { ofListing } from '../support/samples.js'

const selection = documented(
  'Endpoints: The selection set chosen by the client decides which fields of the returned type come back.',
)
const graphql = documented('What the service does: Every operation is a GraphQL query or mutation.')

export const aliased = operation(
  /* GraphQL */ `
    query Aliased($query: String!) {
      mine: account {
        id
      }
      few: customers(query: $query, first: 1) {
        all: edges {
          who: node {
            key: id
            full_name: id
          }
        }
      }
      more: customers(query: $query, first: 2) {
        edges {
          node {
            id
          }
        }
      }
    }
  `,
  { query: '' },
)

/** Only on types whose names the specification writes: the edge of a connection has none. */
export const fragments = operation(
  /* GraphQL */ `
    query Fragments($query: String!) {
      ...Owner
      customers(query: $query, first: 2) {
        edges {
          cursor
          node {
            ...Person
            ... on Customer {
              full_name
            }
            ... {
              orders_count
            }
          }
        }
      }
    }

    fragment Owner on Query {
      account {
        id
      }
    }

    fragment Person on Customer {
      id
      _id
    }
  `,
  { query: '' },
)

/** What a client sends that does not know what it will get. */
const byFragments = operation(/* GraphQL */ `
  query ByFragments($id: ID!) {
    node(id: $id) {
      id
      ... on Store {
        name
        products {
          title
        }
      }
      ... on Segment {
        name
        description
      }
      ... on Customer {
        full_name
        expenses
      }
    }
  }
`)

export const typeNames = operation(
  /* GraphQL */ `
    query TypeNames($query: String!) {
      account {
        __typename
        facebook_pixels {
          __typename
        }
        integrations {
          __typename
        }
        stores {
          __typename
        }
      }
      segments(query: $query, first: 3) {
        edges {
          node {
            __typename
          }
        }
      }
      customers(query: $query, first: 3) {
        edges {
          node {
            __typename
          }
        }
      }
    }
  `,
  { query: '' },
)

export const anonymous = operation(/* GraphQL */ `
  {
    account {
      id
    }
  }
`)

export const formChecks: readonly Check[] = [
  {
    id: 'aliases',
    title: 'Fields answer under their aliases, one field under several of them too.',
    basis: selection,
    async run(context) {
      const { body } = await context.send(aliased)
      // Limits are not shown, and a server may have one on aliases; what it answers must be right.
      if (body.errors?.[0]) inconclusive(`The server refuses them: “${body.errors[0].message}”.`)
      judged(body, aliased, context.shapes)
    },
  },
  {
    id: 'fragments',
    title: 'Named and inline fragments select what they name.',
    basis: selection,
    async run(context) {
      await context.ask(fragments)
    },
  },
  {
    id: 'node-fragments',
    title: 'Of several fragments on types, node answers the one that fits.',
    basis: documented(
      'What the service does: Any object can be retrieved through the generic `node(id)` query with a type fragment (`... on Store`, `... on Segment`, `... on Customer`).',
    ),
    async run(context) {
      const [one] = await ofListing(context, customers, 'customers')
      const { node } = await context.ask(withVariables(byFragments, { id: one?.['id'] }))
      if (node === null) fail(`\`node\` is null for ${String(one?.['id'])}, which the list shows.`)
    },
  },
  {
    id: 'type-names',
    title: '`__typename` is the name of the type.',
    basis: documented('Customer: __typename: string, the GraphQL type name (`Customer`).'),
    async run(context) {
      await context.ask(typeNames)
    },
  },
  {
    id: 'literals',
    title: 'An argument written into the document counts as one sent as a variable.',
    basis: graphql,
    async run(context) {
      const [one] = await ofListing(context, customers, 'customers')
      const asked = withVariables(byFragments, { id: one?.['id'] })
      const written = operation(withLiterals(asked, context.shapes.schema))
      const { node } = await context.ask(written)
      if (node === null) fail(`\`node\` is null for ${String(one?.['id'])} written as a literal, which the list shows.`)
    },
  },
  {
    id: 'anonymous',
    title: 'A request without a name is answered as one with a name is.',
    basis: graphql,
    async run(context) {
      await context.ask(anonymous)
    },
  },
]
