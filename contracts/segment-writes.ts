/** What is promised of segments that are made, changed and deleted. */
import { documented, fail, type Check } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import { newestOf } from './support/copies.js'
import { noted, noteWrite } from './support/last-write.js'
import { judgeDeleting, lifecycleChecks } from './rules/lifecycle.js'
import { accepted, writerOf, type Resource } from './support/resource.js'
import type { Data } from './support/samples.js'
import { deleteSegments, segmentListing } from './segments.js'
import { deepEqual } from '../src/shared/deep-equal.js'
import { comesOf, judgeText, says } from './support/shown.js'
import { workingSubject } from './support/subjects.js'
import { listedIn } from './support/finding.js'

export const segmentResource: Resource = {
  name: 'segments',
  one: 'segment',
  type: 'Segment',
  create: {
    field: 'createSegment',
    input: 'SegmentInput',
    basis: documented('Segments: createSegment, mutation: the Segment.'),
    around: (selection) => selection,
    objectIn: (answer) => answer,
  },
  update: {
    field: 'updateSegment',
    input: 'SegmentInput',
    basis: documented('Segments: updateSegment, mutation: the updated Segment.'),
  },
  marked: (row, mark) => ({ ...row, name: `${mark} ${row['name']}` }),
  single: ['description', 'name'],
  // Times are told in words that change by themselves; customers come and go.
  moving: ['created_at', 'updated_at', 'statistics'],
  listed: listedIn(segmentListing, 'name'),
  newest: { field: 'name', read: newestOf(segmentListing) },
}

const order: Check = {
  id: 'mutations-in-order',
  title: 'Two mutations in one document run one after the other, in their order.',
  basis: documented(
    'What the service does: Every operation is a GraphQL query or mutation. The fields of a mutation run in order.',
  ),
  writes: 'segments',
  async run(context) {
    const subject = await workingSubject(context, segmentResource)
    const writer = writerOf(context)
    const named = (row: Data, word: string) =>
      writer.input('SegmentInput', { name: `${subject.mark} ${word} ${row['name']}` })
    const row = writer.row('Segment')
    const [one, two] = [await named(row, 'first'), await named(row, 'then')]
    const document = `mutation InOrder($id: ID!, $one: SegmentInput!, $two: SegmentInput!) {
  one: updateSegment(id: $id, node: $one) { id name }
  two: updateSegment(id: $id, node: $two) { id name }
}`
    const changing = writer.change(operation(document, { id: subject.id, one, two }), [subject.id])
    const data = await accepted(noted(context, subject.id, two, changing), 'two names for a segment')
    noteWrite(context, subject.id, two, (data['two'] ?? {}) as Data)
    for (const [alias, sent] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const shown = (data[alias] as Data | null)?.['name']
      const sentence = `The mutation \`${alias}\` was sent ${JSON.stringify(sent['name'])} and answers ${JSON.stringify(shown)}.`
      judgeText(context, sent['name'], shown, sentence)
    }
    const asked = operation('query InOrder($id: ID!) { node(id: $id) { id ... on Segment { name } } }', {
      id: subject.id,
    })
    const stands = await writer.eventually(
      async () => ((await context.ask(asked))['node'] as Data | null)?.['name'],
      (name) => says(two['name'], name, true) || comesOf(two['name'], name, true),
    )
    const sentence = `After two mutations in one document the second one does not stand: ${JSON.stringify(stands)}.`
    judgeText(context, two['name'], stands, sentence)
  },
}

export const segmentWrites: readonly Check[] = [...lifecycleChecks(segmentResource), order]

export const segmentDeletions: readonly Check[] = [
  {
    id: 'delete-segments',
    title: 'deleteSegments answers the ids that it deleted, and they are gone.',
    basis: documented('Segments: deleteSegments, mutation: list of ID (the deleted segment ids).'),
    writes: 'segments',
    async run(context) {
      await judgeDeleting(context, segmentResource, async (items) => {
        const { deleteSegments: ids } = await writerOf(context).change(withVariables(deleteSegments, { items }), items)
        if (!Array.isArray(ids) || !deepEqual(ids.toSorted(), items.toSorted())) {
          fail(`deleteSegments was sent ${items.join(' and ')} and answers ${JSON.stringify(ids)}.`)
        }
      })
    },
  },
]
