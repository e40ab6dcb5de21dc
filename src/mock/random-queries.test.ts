/** graphql-js and the compiler give the same response to random queries of the whole schema, errors included. */
import { expect, test } from 'vitest'
import { expectAlike } from '../server/graphql/alike.testkit.js'
import { createMock } from './create-mock.js'

const mock = createMock({ freeze: true, counts: { customers: 15, segments: 8 } })
const { schema, world, profile, execute } = mock

const values = {
  id: [
    ...world.population.tables.flatMap(({ definition }) =>
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

test('random queries have the same response the first time and when they are compiled', async () => {
  const contextOf = () => ({ world, profile })
  const seen = await expectAlike({ schema, values, rounds: 100, contextOf, execute })
  expect(seen.failed).toBeGreaterThan(12)
  expect(seen.compiled).toBeGreaterThan(40)
  expect(seen).not.toHaveProperty('compiled despite errors')
  expect(seen).not.toHaveProperty('other deopt')
})
