/** The walk under writes: cheap on a long list, and not misled by changes of other people. */
import { expect, test } from 'vitest'
import { plainTarget } from '../mutants/write-run.js'
import type { Result } from '../../src/contract/report.js'
import type { Target } from '../../src/client/target.js'
import { walkWhileWritten } from './walk-under-writes.js'
import { lagging } from '../mutants/late-reads.js'
import { mutationsIn } from '../mutants/mutation-rules.js'
import { held, mockOf, runWriting } from '../mutants/writing.testkit.js'

const checks = [walkWhileWritten]
const ofWalk = (results: readonly Result[]) => results.find(({ id }) => id === walkWhileWritten.id)

test('The walk takes few requests, however many segments there are, and leaves none behind.', async () => {
  const birth = { counts: { segments: 5000 } }
  const mock = mockOf(birth)
  const { results } = await runWriting({ target: plainTarget(mock), mock, checks })
  expect(ofWalk(results)).toMatchObject({ outcome: 'pass' })
  expect(ofWalk(results)?.calls).toBeLessThan(60)
  const { data } = await mock.execute({
    query: '{ segments(query: "order_by:_id order_dir:desc", first: 1) { edges { node { name } } } }',
  })
  expect(JSON.stringify(data)).not.toContain('cm-abcdef')
})

test('If the requests run out, what was created is removed.', async () => {
  const mock = mockOf()
  const { results } = await runWriting({ target: plainTarget(mock), mock, checks, maxRequests: 25 })
  expect(ofWalk(results)?.sentence).toMatch(/used up its 25 requests\. Allow more with --max-requests\.$/)
  expect(held(mock)).toEqual(held(mockOf()))
})

test('A walk through a stale copy passes within the consistency timeout.', async () => {
  const mock = mockOf()
  const target = plainTarget(mock)
  const late = lagging(300)(target, plainTarget(mock.fork()))
  const behind: Target = {
    ...target,
    send(request, options) {
      const pageOfWalk = request.variables?.['first'] === 2
      return (pageOfWalk || mutationsIn(request.query).length > 0 ? late : target).send(request, options)
    },
  }
  const { results } = await runWriting({ target: behind, mock, checks, consistencyTimeout: 10_000 })
  expect(ofWalk(results)).toMatchObject({ outcome: 'pass' })
})

const theirs = {
  'makes a segment': 'mutation { createSegment(node: { name: "Of somebody else" }) { id } }',
  'deletes the newest that was there': 'mutation M($items: [ID!]!) { deleteSegments(items: $items) }',
}

test.each(Object.entries(theirs).flatMap(([what, query]) => [1, 2, 3, 4].map((page) => [page, what, query] as const)))(
  'Before page %i, somebody else %s: no notice.',
  async (walkPage, _, query) => {
    const mock = mockOf({ counts: { segments: 9 } })
    const target = plainTarget(mock)
    const { body } = await target.send({
      query: '{ segments(query: "order_by:_id order_dir:desc", first: 1) { edges { node { id } } } }',
    })
    const { segments } = body.data as { segments: { edges: { node: { id: string } }[] } }
    let pages = 0
    const busy: Target = {
      ...target,
      async send(request, options) {
        if (request.query.includes('segments(') && request.variables?.['first'] === 2) pages += 1
        if (pages === walkPage) {
          pages += 1
          await target.send({ query, variables: { items: [segments.edges[0]?.node.id] } })
        }
        return target.send(request, options)
      },
    }
    const { results } = await runWriting({ target: busy, mock, checks })
    expect(pages).toBeGreaterThan(walkPage)
    expect(ofWalk(results)?.outcome).not.toBe('notice')
  },
)
