/** Answers are plain objects, whichever executor made them. */
import { buildSchema, type GraphQLObjectType, type GraphQLScalarType } from 'graphql'
import { expect, test } from 'vitest'
import { createEngine } from './engine.js'
import { plainCopy } from './plain-data.js'

const bare = (members: object): object => Object.assign(Object.create(null) as object, members)

test.each([
  [null, 1],
  [7, 1],
  [12_345, 1],
  ['', 0],
  ['abc', 3],
  [[], 0],
  [[1, 'ab'], 3],
  [{}, 0],
  [{ ab: 'c' }, 3],
  [{ a: { bc: [null, 'd'] }, e: '' }, 6],
])('A copy of %j takes %j characters from the budget.', (value, length) => {
  const budget = { left: 10 }
  expect(plainCopy(value, budget)).toStrictEqual(value)
  expect(budget.left).toBe(10 - length)
})

test('Copying stops when the budget is used up.', () => {
  const budget = { left: 2 }
  let reads = 0
  const list = Array.from({ length: 100 }, () => ({
    get char() {
      reads += 1
      return 'a'
    },
  }))
  plainCopy(list, budget)
  expect(budget.left).toBeLessThan(0)
  expect(reads).toBeLessThan(3)
})

test('Objects without a prototype become plain, at any depth; a Date stays a Date.', () => {
  const date = new Date(0)
  const copy = plainCopy(bare({ a: [bare({ b: date })] }), { left: 100 })
  expect(copy).toStrictEqual({ a: [{ b: date }] })
})

test('A member called __proto__ stays a member.', () => {
  const copy = plainCopy(JSON.parse('{"__proto__":{"a":1}}') as object, { left: 100 })
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}')
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

const schema = buildSchema(`
  scalar Custom
  type Letter { char: String, next: Letter, custom: Custom }
  type Query { letters: [Letter] }
  type Mutation { add: Letter }
`)
const letter = { char: 'a', next: { char: 'b' }, custom: 'x' }
for (const [type, name, value] of [
  ['Query', 'letters', [letter]],
  ['Mutation', 'add', letter],
] as const) {
  const field = (schema.getType(type) as GraphQLObjectType).getFields()[name]
  Object.assign(field ?? {}, { resolve: () => value })
}
const custom = schema.getType('Custom') as GraphQLScalarType
custom.serialize = (value) => bare({ value: bare({ value }) })

test.each([
  ['{ letters { char next { char } custom } }', { letters: 1 }],
  ['mutation { add { char next { char } custom } }', { add: 1 }],
  ['{ letters { char next { char } custom } unknown: __typename @skip(if: true) }', { letters: 1 }],
])('%s has plain objects at the first execution and at the fourth.', async (query, names) => {
  const engine = createEngine({ schema })
  const expected = { char: 'a', next: { char: 'b' }, custom: { value: { value: 'x' } } }
  const data = 'add' in names ? { add: expected } : { letters: [expected] }
  for (let i = 1; i <= 4; i++) {
    expect(await engine.run(engine.prepare({ query }), () => ({}))).toStrictEqual({ data })
  }
})
