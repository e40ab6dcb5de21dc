/** Random queries of the whole schema are answered alike at first sight and when they are compiled, errors included. */
import { expect, test } from 'vitest'
import { expectAlike } from '../server/graphql/alike.testkit.js'
import { createMock } from './create-mock.js'

const mock = createMock({ freeze: true, counts: { customers: 40, segments: 8 } })
const { schema, world, profile, execute } = mock

const values = {
  id: [
    ...world.population.kinds.flatMap(({ definition }) =>
      Array.from({ length: 3 }, (_, i) => world.at(definition, i)?.id ?? ''),
    ),
    'cus_unknown',
  ],
  query: ['', '', 'order_by:_id order_dir:desc', 'order_by:created_at', 'order_by:updated_at', '', 'order_by:name'],
  first: [0, 1, 3, 3, 7, 7, 25, 50, -1],
  after: ['', '', '', '', '', 'xyz'],
  cursor: ['', '', '', '', '', 'xyz'],
  format: ['fromNow', 'YYYY', ''],
  suffix: [true, false],
}

test('Random queries get the same answer at first sight and at the fourth, and without directives or errors it is compiled.', async () => {
  const contextOf = () => ({ world, profile })
  const seen = await expectAlike({ schema, values, rounds: 300, contextOf, execute })
  expect(seen.failed).toBeGreaterThan(40)
  expect(seen.compiled).toBeGreaterThan(120)
  expect(seen).not.toHaveProperty('compiled despite errors')
  expect(seen).not.toHaveProperty('other deopt')
})
