/** The schema as clients see it: provenance in descriptions, and lenient inputs. */
import { buildSchema, introspectionFromSchema, isInputObjectType, printSchema, printType } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { expect, test } from 'vitest'
import { ownPackage } from '../shared/package.js'
import { parseSchema, servedSchema, type ServedSchemaOptions } from './load.js'
import { provenanceOf } from './provenance.js'

const served = (text: string, options?: ServedSchemaOptions) => servedSchema(parseSchema(text), options)
const own = (options?: ServedSchemaOptions) => served(ownPackage().schema, options)

interface Described {
  readonly name: string
  readonly description?: string | null
  readonly [members: string]: unknown
}

const membersOf = (it: Described | undefined): Described[] =>
  ['fields', 'inputFields', 'enumValues', 'args'].flatMap((kind) => (it?.[kind] ?? []) as Described[])

/** The description of a coordinate, as introspection gives it. */
function described(schema: GraphQLSchema, coordinate: string): string | null | undefined {
  const [typeName, ...path] = coordinate.split(/[.(:)]+/).filter(Boolean)
  const types = introspectionFromSchema(schema).__schema.types as unknown as Described[]
  const type = types.find(({ name }) => name === typeName)
  return path.reduce((at, name) => membersOf(at).find((it) => it.name === name), type)?.description
}

test('Introspection shows what the service has, without our directives.', () => {
  const { types, directives } = introspectionFromSchema(own()).__schema
  expect(types.map(({ name }) => name)).not.toContain('AssumedPart')
  expect(types.map(({ name }) => name)).toEqual(expect.arrayContaining(['Query', 'Mutation', 'Node', 'Customer']))
  expect(directives.map(({ name }) => name).sort()).toEqual(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy'])
  expect(JSON.stringify(types)).not.toMatch(/@assumed|@disputed|AssumedPart/)
})

test.each([
  ['Query', 'Queries.'],
  ['InputPixel.label', 'Display name.'],
  [
    'Query.segments(first:)',
    'At most this many elements. Without it, at most 25.\n\n_Disputed:_ Int in the declaration of the query, String in the table of its arguments.',
  ],
  ['Store.slug', 'Short name in URLs, unique in the account.\n\n_Assumed:_ Other Store fields are not shown.'],
  ['Product.title', 'Display name.\n\n_The type is assumed:_ The specification names the field without a type.'],
  [
    'SegmentEdge',
    'A segment in a page.\n\n_The name of the type is assumed:_ The specification describes the edge by its fields and names no type.',
  ],
  ['SegmentOperator', 'How the tags of a condition are combined.\n\n_Assumed:_ Other Segment fields are not shown.'],
  ['InputUpdateAccount.slug', 'Short name in URLs.\n\n_Assumed:_ Other fields of InputUpdateAccount are not shown.'],
])('The description of %s says what is assumed or disputed.', (coordinate, description) => {
  expect(described(own(), coordinate)).toBe(description)
})

test('Provenance describes what had no description.', () => {
  const schema = served(`
    type Query { a: Int @assumed(reason: "Not shown.") b: Int }
    scalar Text @assumed(reason: "Not shown.")
  `)
  expect(described(schema, 'Query.a')).toBe('_Assumed:_ Not shown.')
  expect(described(schema, 'Text')).toBe('_Assumed:_ Not shown.')
  expect(described(schema, 'Query.b')).toBeNull()
})

test('Other directives stay where they are.', () => {
  const schema = served('type Query { a: Int @deprecated(reason: "Gone.") @assumed(reason: "Not shown.") b: Int }')
  expect(printSchema(schema)).toContain('a: Int @deprecated(reason: "Gone.")')
})

test('Only our directives are removed.', () => {
  const withMarks = buildSchema(ownPackage().schema)
  const bare = (schema: GraphQLSchema) =>
    Object.values(schema.getTypeMap())
      .filter(({ name }) => name !== 'AssumedPart')
      .map((type) => printType(type).replace(/"""[^]*?"""\s*/g, ''))
  expect(bare(own())).toEqual(bare(withMarks))
})

const inputFields = (schema: GraphQLSchema) =>
  Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((it) => `${type.name}.${it.name}: ${String(it.type)}`))
    .sort()

const required = (schema: GraphQLSchema) => inputFields(schema).filter((line) => line.endsWith('!'))

const provenance = provenanceOf(parseSchema(ownPackage().schema))
const isDocumented = (line: string) => provenance.get(line.split(':')[0] ?? '')?.basis === 'documented'

test('Lenient inputs require what is documented, and nothing else changes.', () => {
  const lenient = own({ lenientInputs: true })
  const assumed = required(own()).filter((line) => !isDocumented(line))
  expect(required(lenient)).toEqual(required(own()).filter(isDocumented))
  expect(inputFields(lenient)).toEqual(
    inputFields(own()).map((line) => (assumed.includes(line) ? line.slice(0, -1) : line)),
  )
  expect(assumed).toContain('StoreInput.slug: String!')
  const others = (schema: GraphQLSchema) =>
    Object.values(schema.getTypeMap()).flatMap((type) => (isInputObjectType(type) ? [] : [printType(type)]))
  expect(others(lenient)).toEqual(others(own()))
})

test('On an assumed input type, lenient fields are optional; documented arguments stay required.', () => {
  const schema = served(
    `type Query { list(in: In!, query: String!): Int }
     input In @assumed(reason: "Not shown.") { a: Int! b: [Int!]! c: [Int!] }`,
    { lenientInputs: true },
  )
  expect(printSchema(schema)).toMatch(/list\(in: In!, query: String!\)/)
  expect(required(schema)).toEqual([])
  expect(printSchema(schema)).toMatch(/a: Int\n {2}b: \[Int!\]\n {2}c: \[Int!\]\n/)
})

test('A syntax error is reported.', () => {
  expect(() => parseSchema('type Query { a: ')).toThrow(/Syntax Error: Expected Name, found <EOF>/)
  expect(() => served('type Query { a: Nothing }')).toThrow('Unknown type "Nothing".')
})
