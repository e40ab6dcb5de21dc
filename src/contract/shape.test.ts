/** Shapes: whether an answer has what its document selects. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { isObject, isString } from './scalar-validators.js'
import { createShapes } from './shape.js'

const definitions = parse(/* GraphQL */ `
  directive @assumed(reason: String!, part: AssumedPart) on OBJECT | FIELD_DEFINITION | SCALAR
  enum AssumedPart {
    TYPE
    NAME
  }
  type Query {
    letter(id: ID): Letter
    letters: [Letter!]!
    thing(id: ID!): Node
    page: Page
  }
  interface Node {
    id: ID!
  }
  type Letter implements Node {
    id: ID!
    name: String
    count: Int
    size: Float
    big: Boolean
    tags: [String!]
    parts: [Part]
    free: Free
    when: When
    guess: Int @assumed(reason: "Not shown.")
    price: Float @assumed(reason: "No type is named.", part: TYPE)
  }
  type Part implements Node {
    id: ID!
    of: Letter
  }
  type Page @assumed(reason: "No name is written.", part: NAME) {
    end: String
  }
  scalar Free
  scalar When
`)

const shapes = createShapes({ definitions, scalars: { Free: isObject, When: isString } })

const problems = (document: string, data: object, variables = {}) =>
  shapes.judge(shapes.prepared(document), data, variables).problems.map(({ sentence }) => sentence)

const a = { id: 'a', name: 'A' }

describe('An answer in the right shape', () => {
  test.each<[string, object]>([
    ['{ letter { id name } }', { letter: a }],
    ['{ letter { id name } }', { letter: null }],
    ['{ letter { count } }', { letter: { count: 9_007_199_254_740_991 } }],
    ['{ letter { count size big } }', { letter: { count: null, size: 1, big: false } }],
    ['{ letter { free when } }', { letter: { free: { deep: [1, { x: null }] }, when: 'a day ago' } }],
    ['{ letter { tags parts { id } } }', { letter: { tags: [], parts: [null, { id: '1' }] } }],
    ['{ one: letter { key: id } two: letter { key: name } }', { one: { key: 'a' }, two: { key: null } }],
    [
      '{ letter { __typename ...F } } fragment F on Letter { id ... { name } }',
      { letter: { __typename: 'Letter', ...a } },
    ],
    ['{ page { __typename end } }', { page: { __typename: 'Page', end: null } }],
    ['{ thing(id: 1) { id ... on Letter { name } } }', { thing: { __typename: 'Letter', ...a } }],
    ['{ thing(id: 1) { id ... on Letter { name } } }', { thing: { __typename: 'Part', id: 'a' } }],
    ['{ thing(id: 1) { id ... on Letter { name } } }', { thing: { __typename: 'Stranger', id: 'a' } }],
    ['query ($no: Boolean!) { letter { id name @skip(if: $no) } }', { letter: { id: 'a' } }],
  ])('%s', (document, data) => {
    expect(problems(document, data, { no: true })).toEqual([])
  })
})

describe('A problem is reported with its path', () => {
  test.each<[string, object, string[]]>([
    ['{ letter { id name } }', {}, ['data.letter is missing.']],
    ['{ letter { id name } }', { letter: { name: 'A' } }, ['data.letter.id is missing.']],
    ['{ letter { id } }', { letter: { id: null } }, ['data.letter.id is null and must not be.']],
    ['{ letter { id } }', { letter: { id: 7 } }, ['data.letter.id is a whole number and must be a string.']],
    [
      '{ letter { name } }',
      { letter: { name: 1.5 } },
      ['data.letter.name is a number with a fraction and must be a string.'],
    ],
    ['{ letter { count } }', { letter: { count: '7' } }, ['data.letter.count is a string and must be a whole number.']],
    [
      '{ letter { count } }',
      { letter: { count: 7.5 } },
      ['data.letter.count is a number with a fraction and must be a whole number.'],
    ],
    ['{ letter { size } }', { letter: { size: '1' } }, ['data.letter.size is a string and must be a number.']],
    ['{ letter { big } }', { letter: { big: 1 } }, ['data.letter.big is a whole number and must be true or false.']],
    ['{ letter { free } }', { letter: { free: '{}' } }, ['data.letter.free is a string and must be an object.']],
    ['{ letter { when } }', { letter: { when: 0 } }, ['data.letter.when is a whole number and must be a string.']],
    ['{ letter { tags } }', { letter: { tags: 'x' } }, ['data.letter.tags is a string and must be a list.']],
    ['{ letter { tags } }', { letter: { tags: ['x', null] } }, ['data.letter.tags[1] is null and must not be.']],
    ['{ letters { id } }', { letters: null }, ['data.letters is null and must not be.']],
    ['{ letters { id } }', { letters: { id: 'a' } }, ['data.letters is an object and must be a list.']],
    ['{ letters { id } }', { letters: [a] }, ['data.letters[0].name was not asked for.']],
    ['{ letter { id } }', { letter: { id: 'a' }, more: 1 }, ['data.more was not asked for.']],
    ['{ letter { id } }', { letter: [{ id: 'a' }] }, ['data.letter is a list and must be an object.']],
    ['{ letter { id } }', { letter: 'a' }, ['data.letter is a string and must be an object.']],
    [
      '{ letter { key: id } }',
      { letter: { id: 'a' } },
      ['data.letter.key is missing.', 'data.letter.id was not asked for.'],
    ],
    [
      '{ letter { __typename } }',
      { letter: { __typename: 'Part' } },
      ['data.letter.__typename is "Part" and must be "Letter".'],
    ],
    ['{ letter { __typename } }', { letter: {} }, ['data.letter.__typename is missing.']],
    [
      '{ thing(id: 1) { id } }',
      { thing: { id: 'a' } },
      ['data.thing.__typename is missing and must be the name of a type.'],
    ],
    [
      '{ thing(id: 1) { id } }',
      { thing: { __typename: 'Page', id: 'a' } },
      ['data.thing.__typename is "Page", which is not a possible type here.'],
    ],
    ['{ thing(id: 1) { id } }', { thing: { __typename: 'Stranger' } }, ['data.thing.id is missing.']],
    [
      '{ thing(id: 1) { id ... on Letter { name } } }',
      { thing: { __typename: 'Part', id: 'a', name: 'A' } },
      ['data.thing.name was not asked for.'],
    ],
    ['{ letter { constructor: id } }', { letter: {} }, ['data.letter.constructor is missing.']],
    [
      '{ letter { id } }',
      JSON.parse('{ "letter": { "id": "a", "__proto__": 1 } }') as object,
      ['data.letter.__proto__ was not asked for.'],
    ],
  ])('%s %j', (document, data, expected) => {
    expect(problems(document, data)).toEqual(expected)
  })

  test('All problems are reported.', () => {
    const data = { letters: [{ name: 1 }, { id: null, name: 'B', count: 1 }] }
    expect(problems('{ letters { id name } }', data)).toHaveLength(4)
  })
})

describe('A problem has the provenance of what is broken', () => {
  test.each<[string, object, string, string]>([
    ['{ letter { guess } }', { letter: { guess: 'x' } }, 'assumed', 'the type of an assumed field'],
    ['{ letter { guess } }', { letter: {} }, 'assumed', 'the presence of an assumed field'],
    ['{ letter { price } }', { letter: { price: '1' } }, 'assumed', 'the assumed type of a documented field'],
    ['{ letter { price } }', { letter: {} }, 'documented', 'the presence of a documented field'],
    ['{ page { __typename } }', { page: { __typename: 'Slice' } }, 'assumed', 'the assumed name of a type'],
    ['{ page { end } }', { page: { end: 1 } }, 'documented', 'a field of a type with an assumed name'],
  ])('%s %j is %s: %s', (document, data, basis) => {
    expect(shapes.judge(document, data).problems.map(({ provenance }) => provenance.basis)).toEqual([basis])
  })
})

test('A prepared document selects __typename of interfaces, and is unchanged otherwise.', () => {
  expect(shapes.prepared('{ letter { id } }')).toBe('{ letter { id } }')
  expect(shapes.prepared('{ thing(id: 1) { id } }')).toBe('{\n  thing(id: 1) {\n    __typename\n    id\n  }\n}')
  expect(shapes.prepared('{ thing(id: 1) { __typename } }')).toBe('{ thing(id: 1) { __typename } }')
  expect(shapes.prepared('{ thing(id: 1) { t: __typename } }')).toContain('    __typename\n')
})

test('Only the variables of @skip and @include matter, with their defaults.', () => {
  const document =
    'query ($id: ID!, $no: Boolean = true) { letter(id: $id) { id @skip(if: $no) name @include(if: $no) } }'
  expect(problems(document, { letter: { name: 'A' } }, { id: { not: 'an ID' } })).toEqual([])
  expect(problems(document, { letter: { id: 'a' } }, { no: false })).toEqual([])
})

test('Assumed coordinates are found in fragments too.', () => {
  const document = '{ letter { id price ...F } page { end } } fragment F on Letter { guess }'
  expect(shapes.assumedIn(document)).toEqual(['Letter.guess'])
})
