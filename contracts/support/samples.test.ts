/** Objects that other people delete while a check looks at them. */
import { expect, test } from 'vitest'
import type { Target } from '../../src/client/target.js'
import { runChecks } from '../../src/contract/runner.js'
import { createMock } from '../../src/mock/create-mock.js'
import { mockTarget } from '../../src/mock/mock-target.js'
import { defaultProfile } from '../../src/profile.js'
import { segmentChecks } from '../segments.js'
import { contractShapes } from './shapes.js'

test('A segment that somebody deletes right after it was listed is not missed, however often that happens.', async () => {
  const mock = createMock({ counts: { segments: 30 } })
  const up = mockTarget(mock)
  const query = 'mutation D($items: [ID!]!) { deleteSegments(items: $items) }'
  const target: Target = {
    ...up,
    async send(...asked) {
      const answer = await up.send(...asked)
      const list = answer.body.data?.['segments'] as { edges: { node: { id: string } }[] } | undefined
      if (list) await mock.execute({ query, variables: { items: [list.edges[0]?.node.id] } })
      return answer
    },
  }
  const shapes = contractShapes()
  const checks = segmentChecks.filter(({ id }) => id === 'segment-shape')
  const { results } = await runChecks({ checks, target, shapes, expected: defaultProfile })
  expect(results[1]).toMatchObject({ id: 'segment-shape', outcome: 'inconclusive' })
})
