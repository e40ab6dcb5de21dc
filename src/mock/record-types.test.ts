/** The types of records are those of `schema.graphql`, and hold for what a mock returns. */
import { join } from 'node:path'
import { buildASTSchema } from 'graphql'
import { expect, expectTypeOf, test } from 'vitest'
import { parseSchema } from '../schema/load.js'
import { formatted } from '../shared/format.testkit.js'
import { ownPackage } from '../shared/package.js'
import { createMock } from './create-mock.js'
import { recordTypesIn } from './record-types.testkit.js'

test('The file has the types of the schema.', async () => {
  const path = join(import.meta.dirname, 'record-types.ts')
  const text = recordTypesIn(buildASTSchema(parseSchema(ownPackage().schema)))
  await expect(await formatted(path, text)).toMatchFileSnapshot(path)
})

test('Records and their fields are typed; fields of a schema of your own are unknown.', () => {
  const mock = createMock({ freeze: true, counts: { customers: 1 } })
  const [customer] = mock.list('Customer')
  const id = customer?.id ?? ''
  expectTypeOf(customer?.full_name).toEqualTypeOf<string | null | undefined>()
  expectTypeOf(mock.get('Customer', id, 'expenses')).toEqualTypeOf<number | null>()
  expectTypeOf(mock.create('Segment', { name: 'VIP', created_at: new Date(0) }).created_at).toEqualTypeOf<
    string | null
  >()
  expectTypeOf(mock.get('Customer', id)['loyalty']).toBeUnknown()
  expect(() => {
    // @ts-expect-error A number is wanted.
    mock.set('Customer', id, { expenses: 'many' })
  }).toThrow('Customer.expenses cannot be set')
})
