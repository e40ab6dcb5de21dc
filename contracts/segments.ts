/** Segments in operations: listing, making, changing and deleting them. */
import { operation, type Operation } from '../src/contract/operation.js'

export const segments = operation(
  /* GraphQL */ `
    query Segments($query: String!, $first: Int, $after: String) {
      segments(query: $query, first: $first, after: $after) {
        edges {
          node {
            id
            name
            description
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

export const segment = operation(/* GraphQL */ `
  query Segment($id: ID!) {
    node(id: $id) {
      id
      ... on Segment {
        name
        description
      }
    }
  }
`)

export const createSegment = operation(/* GraphQL */ `
  mutation CreateSegment($node: SegmentInput!) {
    createSegment(node: $node) {
      id
      name
      description
    }
  }
`)

export const updateSegment = operation(/* GraphQL */ `
  mutation UpdateSegment($id: ID!, $node: SegmentInput!) {
    updateSegment(id: $id, node: $node) {
      id
      name
      description
    }
  }
`)

export const deleteSegments = operation(/* GraphQL */ `
  mutation DeleteSegments($items: [ID!]!) {
    deleteSegments(items: $items)
  }
`)

export const segmentOperations: readonly Operation[] = [segments, segment, createSegment, updateSegment, deleteSegments]

/** An input of createSegment. Its fields are assumed. */
export const exampleSegment = { name: 'Autumn guests', description: 'Invited to the autumn evening.' }

/** An input of updateSegment. Its fields are assumed. */
export const exampleSegmentUpdate = { description: 'Came to the autumn evening.' }
