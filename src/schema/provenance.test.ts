/** Marks: read where they stand, inherited where they do not. */
import { Kind, type ObjectTypeDefinitionNode } from 'graphql'
import { expect, test } from 'vitest'
import { parseSchema } from './load.js'
import { inherit, markAt, marksOf } from './provenance.js'

const directives = `
  directive @assumed(reason: String!, part: AssumedPart) on OBJECT | SCALAR | ENUM | FIELD_DEFINITION
  directive @disputed(reason: String!) on FIELD_DEFINITION | ARGUMENT_DEFINITION
  enum AssumedPart { TYPE NAME }
`
const marksIn = (text: string) => Object.fromEntries(marksOf(parseSchema(directives + text)))

const plain = { basis: 'documented' }

test('What carries no mark is documented.', () => {
  expect(
    marksIn(
      'type Query { list(first: Int): [Letter!]! } type Letter { char: String } input In { a: Int } enum E { A }',
    ),
  ).toEqual({
    Query: plain,
    'Query.list': plain,
    'Query.list(first:)': plain,
    Letter: plain,
    'Letter.char': plain,
    In: plain,
    'In.a': plain,
    E: plain,
    'E.A': plain,
  })
})

test('A mark on a type covers its fields, their arguments and its values.', () => {
  const mark = { basis: 'assumed', reason: 'Not shown.' }
  expect(
    marksIn(`
      type Letter @assumed(reason: "Not shown.") { char(upper: Boolean): String }
      enum E @assumed(reason: "Not shown.") { A }
      input In @assumed(reason: "Not shown.") { a: Int }
      interface I @assumed(reason: "Not shown.") { a: Int }
      scalar S @assumed(reason: "Not shown.")
      union U @assumed(reason: "Not shown.") = Letter
    `),
  ).toEqual({
    Letter: mark,
    'Letter.char': mark,
    'Letter.char(upper:)': mark,
    E: mark,
    'E.A': mark,
    In: mark,
    'In.a': mark,
    I: mark,
    'I.a': mark,
    S: mark,
    U: mark,
  })
})

test('A mark for the name of a type leaves its fields documented.', () => {
  expect(marksIn('type Page @assumed(reason: "Names no type.", part: NAME) { cursor: String }')).toEqual({
    Page: { basis: 'assumed', part: 'NAME', reason: 'Names no type.' },
    'Page.cursor': plain,
  })
})

test('A mark for the type of a field leaves its arguments documented.', () => {
  expect(marksIn('type Query { list(first: Int): Int @assumed(reason: "Without a type.", part: TYPE) }')).toEqual({
    Query: plain,
    'Query.list': { basis: 'assumed', part: 'TYPE', reason: 'Without a type.' },
    'Query.list(first:)': plain,
  })
})

test('A mark of its own wins over that of what it belongs to.', () => {
  expect(
    marksIn(`
      type Letter @assumed(reason: "Not shown.") {
        char(
          upper: Boolean @disputed(reason: "Boolean here, Int there.")
        ): String @assumed(reason: "Without a type.", part: TYPE)
        size(in: Int @assumed(reason: "No arguments shown.")): Int @disputed(reason: "Int here, Float there.")
      }
    `),
  ).toMatchObject({
    'Letter.char': { basis: 'assumed', part: 'TYPE' },
    'Letter.char(upper:)': { basis: 'disputed', reason: 'Boolean here, Int there.' },
    'Letter.size': { basis: 'disputed' },
    'Letter.size(in:)': { basis: 'assumed', reason: 'No arguments shown.' },
  })
})

test('The types and directives of the marks themselves are no coordinates.', () => {
  expect(marksIn('type Query { a: Int }')).toEqual({ Query: plain, 'Query.a': plain })
})

test('Other directives are no marks.', () => {
  const [type] = parseSchema('type Letter @deprecated { char: String @deprecated(reason: "Gone.") }').definitions
  const node = type as ObjectTypeDefinitionNode
  expect(node.kind).toBe(Kind.OBJECT_TYPE_DEFINITION)
  expect(markAt(node)).toBeUndefined()
  expect(inherit(node, { basis: 'disputed', reason: 'Two things.' })).toEqual({
    basis: 'disputed',
    reason: 'Two things.',
  })
})
