/** Segments: operations to list, create, update and delete them, and the checks that read them. */
import { documented, type Check } from '../src/contract/check.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import { judgeNodes, ofListing } from './support/samples.js'
import type { Listing } from './support/pages.js'

export const segments = operation(
  `query Segments($query: String!, $first: Int, $after: String) {
  segments(query: $query, first: $first, after: $after) {
    edges {
      node { id name description }
      cursor
    }
    pageInfo { endCursor hasNextPage }
  }
}`,
  { query: '' },
)

export const segment = operation(`query Segment($id: ID!) {
  node(id: $id) {
    id
    ... on Segment { name description }
  }
}`)

export const createSegment = operation(`mutation CreateSegment($node: SegmentInput!) {
  createSegment(node: $node) { id name description }
}`)

export const updateSegment = operation(`mutation UpdateSegment($id: ID!, $node: SegmentInput!) {
  updateSegment(id: $id, node: $node) { id name description }
}`)

export const deleteSegments = operation(`mutation DeleteSegments($items: [ID!]!) {
  deleteSegments(items: $items)
}`)

export const segmentOperations: readonly Operation[] = [segments, segment, createSegment, updateSegment, deleteSegments]

/** An input of createSegment. Its fields are assumed. */
export const exampleSegment = { name: 'Autumn guests', description: 'Invited to the autumn evening.' }

/** An input of updateSegment. Its fields are assumed. */
export const exampleSegmentUpdate = { description: 'Came to the autumn evening.' }

export const segmentListing: Listing = {
  name: 'segments',
  orderKeys: ['id', '_id', 'name', 'created_at', 'updated_at'],
  visibleKeys: { name: 'text' },
}

export const segmentChecks: readonly Check[] = [
  {
    id: 'segments-shape',
    title: '`segments` MUST return a connection of segments.',
    basis: documented(
      'Segments: connection: `edges` (list of `{node: Segment, cursor: String}`) and `pageInfo` (`endCursor`: String, `hasNextPage`: Boolean).',
    ),
    async run(context) {
      await context.ask(withVariables(segments, { query: '', first: 25 }))
    },
  },
  {
    id: 'segment-shape',
    title: '`node` MUST return a segment by its id.',
    basis: documented('Segments: node (fragment on Segment): the Segment.'),
    async run(context) {
      const read = (fresh: boolean) => ofListing(context, segments, 'segments', fresh)
      await judgeNodes(context, read, segment, ['id', 'name', 'description'])
    },
  },
]
