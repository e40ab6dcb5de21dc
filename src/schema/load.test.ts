/** The schema as clients see it: marks turned into words, and inputs that may be made lenient. */
import { buildSchema, introspectionFromSchema, isInputObjectType, printSchema, printType } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { expect, test } from 'vitest'
import { ownPackage } from '../shared/package.js'
import { parseSchema, servedSchema, type ServedSchemaOptions } from './load.js'

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

test('Introspection shows what the service has, and nothing of the marks.', () => {
  const { types, directives } = introspectionFromSchema(own()).__schema
  expect(types.map(({ name }) => name)).not.toContain('AssumedPart')
  expect(types.map(({ name }) => name)).toEqual(expect.arrayContaining(['Query', 'Mutation', 'Node', 'Customer']))
  expect(directives.map(({ name }) => name).sort()).toEqual(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy'])
  expect(JSON.stringify(types)).not.toMatch(/@assumed|@disputed|AssumedPart/)
})

test.each([
  ['Query', 'What can be asked.'],
  ['InputPixel.label', 'Name for people.'],
  [
    'Query.segments(first:)',
    'At most this many elements. Left out, at most 25.\n\n_Disputed:_ Int in the declaration of the query, String in the table of its arguments.',
  ],
  [
    'Store.slug',
    'Short name in addresses, one of its kind in the account.\n\n_Assumed:_ Other Store fields are not shown.',
  ],
  ['Product.title', 'Name for people.\n\n_The type is assumed:_ The specification names the field without a type.'],
  [
    'SegmentEdge',
    'A segment in a page.\n\n_The name of the type is assumed:_ The specification describes the edge by its fields and names no type.',
  ],
  ['SegmentOperator', 'How the tags of a condition are joined.\n\n_Assumed:_ Other Segment fields are not shown.'],
  [
    'InputUpdateAccount.slug',
    'Short name in addresses.\n\n_Assumed:_ Other fields of InputUpdateAccount are not shown.',
  ],
])('The description of %s says what is assumed or disputed.', (coordinate, description) => {
  expect(described(own(), coordinate)).toBe(description)
})

test('A mark gives words to what had no description.', () => {
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

test('Marks take nothing from a schema but themselves.', () => {
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

const documentedAsRequired = [
  'AddProductsToStoreInput.products_uids: [String!]!',
  'FacebookConversionApi.label: String!',
  'FacebookConversionApi.pixels: [String!]!',
  'FacebookConversionApi.token: String!',
  'InputPixel.label: String!',
  'InputPixel.value: String!',
]

const assumedAsRequired = [
  'InputCustomer.accepts_marketing: Boolean!',
  'InputCustomer.email: String!',
  'InputCustomer.first_name: String!',
  'InputCustomer.last_name: String!',
  'InputCustomer.phone: String!',
  'InputCustomer.tags: [String!]!',
  'StoreInput.lang: Lang!',
  'StoreInput.name: String!',
  'StoreInput.slug: String!',
]

test('Inputs require what is documented and what public material says.', () => {
  expect(required(own())).toEqual([...documentedAsRequired, ...assumedAsRequired].sort())
})

test('Lenient inputs require what is documented and nothing else.', () => {
  expect(required(own({ lenientInputs: true }))).toEqual(documentedAsRequired)
})

test('Lenient inputs change nothing but that.', () => {
  const lenient = own({ lenientInputs: true })
  expect(inputFields(lenient)).toEqual(
    inputFields(own()).map((line) => (assumedAsRequired.includes(line) ? line.slice(0, -1) : line)),
  )
  const others = (schema: GraphQLSchema) =>
    Object.values(schema.getTypeMap()).flatMap((type) => (isInputObjectType(type) ? [] : [printType(type)]))
  expect(others(lenient)).toEqual(others(own()))
})

test('A mark on an input type lifts what its fields require; documented arguments stay required.', () => {
  const schema = served(
    `type Query { list(in: In!, query: String!): Int }
     input In @assumed(reason: "Not shown.") { a: Int! b: [Int!]! c: [Int!] }`,
    { lenientInputs: true },
  )
  expect(printSchema(schema)).toMatch(/list\(in: In!, query: String!\)/)
  expect(required(schema)).toEqual([])
  expect(printSchema(schema)).toMatch(/a: Int\n {2}b: \[Int!\]\n {2}c: \[Int!\]\n/)
})

test('A text that is no schema is refused with the place.', () => {
  expect(() => parseSchema('type Query { a: ')).toThrow(/Syntax Error: Expected Name, found <EOF>/)
  expect(() => served('type Query { a: Nothing }')).toThrow('Unknown type "Nothing".')
})
