/** Provenance is read from directives, and inherited. */
import { Kind, type ObjectTypeDefinitionNode } from 'graphql'
import { expect, test } from 'vitest'
import { parseSchema } from './load.js'
import { inherit, provenanceOf, statedProvenance } from './provenance.js'

const directives = `
  directive @assumed(reason: String!, part: AssumedPart) on OBJECT | SCALAR | ENUM | FIELD_DEFINITION
  directive @disputed(reason: String!) on FIELD_DEFINITION | ARGUMENT_DEFINITION
  enum AssumedPart { TYPE NAME }
`
const provenanceIn = (text: string) => Object.fromEntries(provenanceOf(parseSchema(directives + text)))

const plain = { basis: 'documented' }

test('Without a directive, everything is documented.', () => {
  expect(
    provenanceIn(
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

test('The provenance of a type covers its fields, their arguments and its values.', () => {
  const assumed = { basis: 'assumed', reason: 'Not shown.' }
  expect(
    provenanceIn(`
      type Letter @assumed(reason: "Not shown.") { char(upper: Boolean): String }
      enum E @assumed(reason: "Not shown.") { A }
      input In @assumed(reason: "Not shown.") { a: Int }
      interface I @assumed(reason: "Not shown.") { a: Int }
      scalar S @assumed(reason: "Not shown.")
      union U @assumed(reason: "Not shown.") = Letter
    `),
  ).toEqual({
    Letter: assumed,
    'Letter.char': assumed,
    'Letter.char(upper:)': assumed,
    E: assumed,
    'E.A': assumed,
    In: assumed,
    'In.a': assumed,
    I: assumed,
    'I.a': assumed,
    S: assumed,
    U: assumed,
  })
})

test('If only the name of a type is assumed, its fields are documented.', () => {
  expect(provenanceIn('type Page @assumed(reason: "Names no type.", part: NAME) { cursor: String }')).toEqual({
    Page: { basis: 'assumed', part: 'NAME', reason: 'Names no type.' },
    'Page.cursor': plain,
  })
})

test('If only the type of a field is assumed, its arguments are documented.', () => {
  expect(provenanceIn('type Query { list(first: Int): Int @assumed(reason: "Without a type.", part: TYPE) }')).toEqual({
    Query: plain,
    'Query.list': { basis: 'assumed', part: 'TYPE', reason: 'Without a type.' },
    'Query.list(first:)': plain,
  })
})

test('Its own directive overrides the one of its parent.', () => {
  expect(
    provenanceIn(`
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

test('Our directives and their types are not coordinates.', () => {
  expect(provenanceIn('type Query { a: Int }')).toEqual({ Query: plain, 'Query.a': plain })
})

test('Other directives are ignored.', () => {
  const [type] = parseSchema('type Letter @deprecated { char: String @deprecated(reason: "Gone.") }').definitions
  const node = type as ObjectTypeDefinitionNode
  expect(node.kind).toBe(Kind.OBJECT_TYPE_DEFINITION)
  expect(statedProvenance(node)).toBeUndefined()
  expect(inherit(node, { basis: 'disputed', reason: 'Two things.' })).toEqual({
    basis: 'disputed',
    reason: 'Two things.',
  })
})
