/** Compares schema.graphql with the specification, which this list repeats by hand. */
import {
  buildASTSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLNamedType,
} from 'graphql'
import { expect, test } from 'vitest'
import { ownPackage } from '../shared/package.js'
import { parseSchema } from './load.js'
import { provenanceOf, provenanceTypes, type Provenance } from './provenance.js'

const document = parseSchema(ownPackage().schema)
const schema = buildASTSchema(document)
const provenance = provenanceOf(document)

/**
 * What the specification states, in its order: `coordinate: type`, then `disputed` or the part that is assumed.
 * `id` is non-null everywhere, because Node.id is.
 */
const stated = `
  type Query
  type Mutation
  interface Node
  Node.id: ID!

  type Account
  Account.id: ID!
  Account.stores: [Store]
  Account.facebook_pixels: [Pixel!]!
  Account.snapchat_pixels: [Pixel!]!
  Account.tiktok_pixels: [Pixel!]!
  Account.integrations: [Integration!]!

  type Pixel
  Pixel.label: String!
  Pixel.value: String!
  input InputPixel
  InputPixel.label: String!
  InputPixel.value: String!

  type Integration
  Integration.id: ID!
  Integration.platform: String!
  Integration.label: String!
  Integration.details: IntegrationDetails
  scalar IntegrationDetails

  input FacebookConversionApi
  FacebookConversionApi.token: String!
  FacebookConversionApi.label: String!
  FacebookConversionApi.pixels: [String!]!

  type Store
  Store.id: ID!
  Store.name: String
  Store.products: [Product]
  Store.products(cursor:): String | part TYPE
  type Product | part NAME
  Product.title: String | part TYPE
  Product.price: Float | part TYPE
  Product.link: String | part TYPE
  Product.cursor: String | part TYPE

  input AddProductsToStoreInput
  AddProductsToStoreInput.products_uids: [String!]!

  type CreateStoreMutation
  CreateStoreMutation.account: Account!
  CreateStoreMutation.store: Store!

  type Segment
  Segment.id: ID!
  Segment.name: String
  Segment.description: String

  type Customer
  Customer.id: ID!
  Customer._id: Int
  Customer.avatar: String
  Customer.full_name: String
  Customer.expenses: Float
  Customer.orders_count: Int
  Customer.updated_at: TimeStamp
  Customer.created_at: TimeStamp
  scalar TimeStamp | part NAME

  input StoreInput
  input StoreUpdateInput
  input SegmentInput
  input InputCustomer
  input InputUpdateCustomer
  input InputUpdateAccount
  InputUpdateAccount.facebook_pixels: [InputPixel]
  InputUpdateAccount.snapchat_pixels: [InputPixel]
  InputUpdateAccount.tiktok_pixels: [InputPixel]

  Query.account: Account
  Query.node: Node
  Query.node(id:): ID!
  Mutation.createStore: CreateStoreMutation
  Mutation.createStore(node:): StoreInput!
  Mutation.updateStore: Store
  Mutation.updateStore(id:): ID!
  Mutation.updateStore(node:): StoreUpdateInput!
  Mutation.deleteStore: Account
  Mutation.deleteStore(items:): [ID!]!
  Mutation.addProductsToStore: Store
  Mutation.addProductsToStore(id:): ID! | disputed
  Mutation.addProductsToStore(node:): AddProductsToStoreInput!

  Mutation.updateAccount: Account
  Mutation.updateAccount(node:): InputUpdateAccount!
  Mutation.createConversionApiFacebookIntegration: Integration | part NAME
  Mutation.createConversionApiFacebookIntegration(node:): FacebookConversionApi!
  Mutation.removeIntegration: Account
  Mutation.removeIntegration(id:): ID!

  Query.segments: SegmentConnection
  Query.segments(query:): String!
  Query.segments(after:): String
  Query.segments(first:): Int | disputed
  type SegmentConnection | part NAME
  SegmentConnection.edges: [SegmentEdge]
  SegmentConnection.pageInfo: PageInfo
  type SegmentEdge | part NAME
  SegmentEdge.node: Segment
  SegmentEdge.cursor: String
  type PageInfo | part NAME
  PageInfo.endCursor: String
  PageInfo.hasNextPage: Boolean
  Mutation.createSegment: Segment
  Mutation.createSegment(node:): SegmentInput!
  Mutation.updateSegment: Segment
  Mutation.updateSegment(id:): ID! | disputed
  Mutation.updateSegment(node:): SegmentInput!
  Mutation.deleteSegments: [ID]
  Mutation.deleteSegments(items:): [ID!]!

  Query.customers: CustomerConnection
  Query.customers(query:): String!
  Query.customers(after:): String
  Query.customers(first:): Int | disputed
  type CustomerConnection | part NAME
  CustomerConnection.edges: [CustomerEdge]
  CustomerConnection.pageInfo: PageInfo
  type CustomerEdge | part NAME
  CustomerEdge.node: Customer
  CustomerEdge.cursor: String
  Mutation.createCustomer: Customer
  Mutation.createCustomer(node:): InputCustomer!
  Mutation.updateCustomer: Customer
  Mutation.updateCustomer(id:): ID!
  Mutation.updateCustomer(node:): InputUpdateCustomer!
`

const linesOf = (list: string) =>
  list
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

interface Element {
  readonly coordinate: string
  /** As the list above writes it, without provenance. */
  readonly line: string
  readonly description: string | null | undefined
}

const kindOf = (type: GraphQLNamedType): string => {
  if (isInterfaceType(type)) return 'interface'
  if (isScalarType(type)) return 'scalar'
  if (isEnumType(type)) return 'enum'
  return isInputObjectType(type) ? 'input' : 'type'
}

function membersOf(type: GraphQLNamedType): Element[] {
  if (isEnumType(type)) {
    return type.getValues().map(({ name, description }) => {
      return { coordinate: `${type.name}.${name}`, line: `${type.name}.${name}`, description }
    })
  }
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => {
      const coordinate = `${type.name}.${field.name}`
      const value = field.defaultValue === undefined ? '' : ` = ${JSON.stringify(field.defaultValue)}`
      return { coordinate, line: `${coordinate}: ${String(field.type)}${value}`, description: field.description }
    })
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => {
    const coordinate = `${type.name}.${field.name}`
    const args = field.args.map((it): Element => {
      const at = `${coordinate}(${it.name}:)`
      const value = it.defaultValue === undefined ? '' : ` = ${JSON.stringify(it.defaultValue)}`
      return { coordinate: at, line: `${at}: ${String(it.type)}${value}`, description: it.description }
    })
    return [{ coordinate, line: `${coordinate}: ${String(field.type)}`, description: field.description }, ...args]
  })
}

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !provenanceTypes.includes(type.name),
)

const elements: readonly Element[] = types.flatMap((type) => [
  { coordinate: type.name, line: `${kindOf(type)} ${type.name}`, description: type.description },
  ...membersOf(type),
])

const basisOf = (coordinate: string): Provenance => {
  const found = provenance.get(coordinate)
  if (!found) throw new Error(`provenanceOf has no ${coordinate}.`)
  return found
}

const isStated = ({ coordinate }: Element) => {
  const { basis, part } = basisOf(coordinate)
  return basis !== 'assumed' || part !== undefined
}

const withBasis = ({ coordinate, line }: Element) => {
  const { basis, part } = basisOf(coordinate)
  if (basis === 'disputed') return `${line} | disputed`
  return part ? `${line} | part ${part}` : line
}

test('The schema has what the specification states, and everything else is marked as assumed.', () => {
  expect(elements.filter(isStated).map(withBasis).sort()).toEqual(linesOf(stated).sort())
})

test('Every coordinate has a provenance.', () => {
  expect([...provenance.keys()].sort()).toEqual(elements.map(({ coordinate }) => coordinate).sort())
})

test('Stores, segments, customers, integrations and the account implement Node.', () => {
  const node = schema.getType('Node')
  if (!isInterfaceType(node)) throw new Error('Node is no interface.')
  const implementers = schema.getPossibleTypes(node).map(({ name }) => name)
  expect(implementers.sort()).toEqual(['Account', 'Customer', 'Integration', 'Segment', 'Store'])
})

test('An output is non-null only if that is documented.', () => {
  const outputs = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).map((field) => ({ coordinate: `${type.name}.${field.name}`, type: field.type }))
      : [],
  )
  const promised = outputs.filter(({ type }) => isNonNullType(type)).map(({ coordinate }) => coordinate)
  expect(promised.filter((coordinate) => basisOf(coordinate).basis !== 'documented')).toEqual([])
  expect(outputs.filter(({ coordinate, type }) => coordinate.endsWith('.id') && !isNonNullType(type))).toEqual([])
})

test('Everything has a description that ends with a full stop.', () => {
  const wordless = elements.filter(({ description }) => !/^\S[^]+[.)]$/.test(description ?? ''))
  expect(wordless.map(({ coordinate }) => coordinate)).toEqual([])
})
