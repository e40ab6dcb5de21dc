/** Segments: their operations, their resource, and the checks that read and write them. */
import { OperationTypeNode } from 'graphql'
import { type Check, documented, fail, type Data } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import { deepEqual } from '../src/shared/json.js'
import type { LifecycleResource } from '../src/writing/resource.js'
import { deletionCheck } from './rules/deletion.js'
import { lifecycleChecks } from './rules/lifecycle.js'
import { textCheck } from './rules/texts.js'
import { answeredIn, noted } from './support/last-write.js'
import { inListing } from './support/lists.js'
import type { Listing } from './support/pages.js'
import { asks, judgeNodes } from './support/samples.js'
import { comesOf, judgeText, says } from './support/shown.js'
import { partOf, workingSubject } from './support/subjects.js'
import { judgeAll, judgeEach } from './support/judge-each.js'
import { beforeWrite, judgeUntouched, subjectBetween } from './support/unchanged.js'
import { accepted, writerOf, type Subject } from './support/writer.js'

export const segments = operation(
  `query Segments($query: String!, $first: Int, $after: String) {
  segments(query: $query, first: $first, after: $after) {
    edges { node { id name description } cursor }
    pageInfo { endCursor hasNextPage }
  }
}`,
  { query: '' },
)

export const segment = operation(`query Segment($id: ID!) {
  node(id: $id) { id ... on Segment { name description } }
}`)

export const createSegment = operation(`mutation CreateSegment($node: SegmentInput!) {
  createSegment(node: $node) { id name description }
}`)

export const deleteSegments = operation(`mutation DeleteSegments($items: [ID!]!) {
  deleteSegments(items: $items)
}`)

/** An input of createSegment. Its fields are assumed. */
export const exampleSegment = { name: 'Autumn guests', description: 'Invited to the autumn evening.' }

export const segmentListing: Listing = {
  name: 'segments',
  orderKeys: ['id', '_id', 'name', 'created_at', 'updated_at'],
  visibleKeys: { name: 'text' },
  fields: 'name description',
  list: segments,
  node: segment,
}

export const segmentChecks: readonly Check[] = [
  {
    id: 'segments-shape',
    at: 'Query.segments',
    title: '`segments` MUST return a connection of segments.',
    basis: documented(
      'Segments: connection: `edges` (list of `{node: Segment, cursor: String}`) and `pageInfo` (`endCursor`: String, `hasNextPage`: Boolean).',
    ),
    ...asks(withVariables(segments, { query: '', first: 25 })),
  },
  {
    id: 'segment-shape',
    at: 'Query.node',
    title: '`node` MUST return a segment by its id.',
    basis: documented('Segments: node (fragment on Segment): the Segment.'),
    run: (context) => judgeNodes(context, segments, segment),
  },
]

export const segmentResource: LifecycleResource = {
  name: 'segments',
  one: 'segment',
  type: 'Segment',
  tagField: 'name',
  list: inListing(segmentListing),
  paged: true,
  create: {
    field: 'createSegment',
    input: 'SegmentInput',
    basis: documented('Segments: createSegment, mutation: the Segment.'),
  },
  update: {
    field: 'updateSegment',
    input: 'SegmentInput',
    basis: documented('Segments: updateSegment, mutation: the updated Segment.'),
  },
  remove: {
    max: 50,
    operation: (objects) => withVariables(deleteSegments, { items: objects.map(({ id }) => id) }),
  },
  announced: 'a few are created, updated and deleted.',
  keys: [{ name: 'name' }],
  tagged: (row, tag) => ({ ...row, name: `${tag} ${row['name']}` }),
  single: ['description', 'name'],
  texts: { name: 'line', description: 'block' },
  // Customers come and go.
  moving: ['updated_at', 'statistics'],
  aging: ['created_at'],
}

const inOrder: Check = {
  id: 'mutations-in-order',
  at: 'Mutation.updateSegment',
  title: 'Two mutations in one document MUST run one after the other, in document order.',
  basis: documented(
    'What the service does: Every operation is a GraphQL query or mutation. The fields of a mutation run in order.',
  ),
  writes: 'segments',
  async run(context) {
    const { id, tag } = (await subjectBetween(context, segmentResource)).subject
    const writer = writerOf(context)
    const row = writer.row('Segment')
    const named = (word: string) => partOf(context, segmentResource, id, { name: `${tag} ${word} ${row['name']}` })
    const inputs: Readonly<Record<string, Data>> = { one: await named('first'), two: await named('then') }
    const document = `mutation InOrder($id: ID!, $one: SegmentInput!, $two: SegmentInput!) {
  one: updateSegment(id: $id, node: $one) { id name }
  two: updateSegment(id: $id, node: $two) { id name }
}`
    const last = inputs['two'] as Data
    const changing = writer.change(operation(document, { id, ...inputs }), [id])
    const changed = noted(context, id, last, changing, ({ two }) => (two ?? {}) as Data)
    const data = await accepted(changed, 'two names for a segment')
    const judgeAnswer = ([alias, { name }]: [string, Data]) => {
      const shown = (data[alias] as Data | null)?.['name']
      const sentence = `The mutation \`${alias}\` was sent ${JSON.stringify(name)} and returned ${JSON.stringify(shown)}.`
      judgeText(context, name, shown, { sentence })
    }
    const judgeLater = async () => {
      const asked = operation('query InOrder($id: ID!) { node(id: $id) { id ... on Segment { name } } }', { id })
      const name = await writer.eventually(
        async () => ((await context.ask(asked))['node'] as Data | null)?.['name'],
        (it) => says(last['name'], it, true) || comesOf(last['name'], it, true),
      )
      const sentence = `After two mutations in one document, node shows ${JSON.stringify(name)}, which the second one did not send.`
      judgeText(context, last['name'], name, { sentence, at: 'Query.node' })
    }
    await judgeAll(context, () => judgeEach(context, Object.entries(inputs), judgeAnswer), judgeLater)
  },
}

const twoOperations = `mutation RenameFirst($first: ID!, $one: SegmentInput!) {
  updateSegment(id: $first, node: $one) { id name }
}
mutation RenameSecond($second: ID!, $two: SegmentInput!) {
  updateSegment(id: $second, node: $two) { id name }
}`

const named: Check = {
  id: 'mutations-operation-name',
  at: 'Mutation.updateSegment',
  title: 'Of two mutations in one document, only the one of `operationName` MUST run.',
  basis: documented(
    'What the service does: Every operation is a GraphQL query or mutation. Of several operations, the named one runs.',
  ),
  writes: 'segments',
  async run(context) {
    const writer = writerOf(context)
    const [first, second] = [
      await workingSubject(context, segmentResource),
      await workingSubject(context, segmentResource, 'second'),
    ]
    const before = await beforeWrite(context, segmentResource, first)
    const row = writer.row('Segment')
    const input = ({ id, tag }: Subject) =>
      partOf(context, segmentResource, id, { name: `${tag} by name ${row['name']}` })
    const [one, two] = [await input(first), await input(second)]
    const variables = { first: first.id, one, second: second.id, two }
    const asked = { name: 'RenameSecond', document: twoOperations, kind: OperationTypeNode.MUTATION, variables }
    const changing = writer.change(asked, [first.id, second.id])
    const changed = noted(context, second.id, two, changing, answeredIn('updateSegment'))
    await accepted(changed, 'two mutations in one document')
    await judgeUntouched(context, segmentResource, [before], 'The mutation that `operationName` does not name')
  },
}

export const segmentWrites: readonly Check[] = [...lifecycleChecks(segmentResource), inOrder, named]

export const segmentDeletions: readonly Check[] = [
  deletionCheck(
    segmentResource,
    'deleteSegments',
    deleteSegments,
    {
      id: 'delete-segments',
      title: '`deleteSegments` MUST return the ids that it deleted, and MUST NOT delete other segments.',
      basis: documented('Segments: deleteSegments, mutation: list of ID (the deleted segment ids).'),
    },
    (_context, answer, ids) => {
      if (Array.isArray(answer) && deepEqual(answer.toSorted(), ids.toSorted())) return
      fail(`deleteSegments was sent ${ids.join(' and ')} and returned ${JSON.stringify(answer)}.`)
    },
  ),
  // Last, because its object must not be a neighbor of those that are deleted.
  textCheck(segmentResource),
]
