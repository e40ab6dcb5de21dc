/** The schema against the specification: two lists written by hand, one of what it states and one of what was filled in. */
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
  Kind,
  type GraphQLNamedType,
} from 'graphql'
import { expect, test } from 'vitest'
import { ownPackage } from '../shared/package.js'
import { parseSchema } from './load.js'
import { markAt, markTypes, marksOf, type Mark } from './provenance.js'

const document = parseSchema(ownPackage().schema)
const schema = buildASTSchema(document)
const marks = marksOf(document)

/**
 * What the specification states, in its order: `coordinate: type`, then `disputed` or the part that is assumed. A type
 * is non-null where the specification says so, and where GraphQL wants it of `id` because Node.id is.
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
  Mutation.createConversionApiFacebookIntegration: Integration | part TYPE
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

/** What goes beyond the specification. Outputs are nullable whatever a vendor shows; inputs keep what is required. */
const filledIn = `
  Store.uid: ID
  Store.slug: String
  Store.refund_policy: String
  Store.privacy_policy: String
  Store.terms_of_services: String
  Store.single_checkout_page: Boolean
  Store.shipping_group_id: String
  Store.defaultDomain: String
  Store.address: String
  Store.legal_name: String
  Store.email: String
  Store.currency: String
  Store.header_scripts: String
  Store.published: Boolean

  Product.thumbnail: String
  Product.compare_at_price: Float
  Product.reviews_value: Float
  Product.slug: String

  Segment.uid: ID
  Segment._id: Int
  Segment.settings: SegmentConfig
  Segment.statistics: Int
  Segment.created_at: TimeStamp
  Segment.created_at(format:): String = "fromNow"
  Segment.created_at(suffix:): Boolean = true
  Segment.updated_at: TimeStamp
  Segment.updated_at(format:): String = "fromNow"
  Segment.updated_at(suffix:): Boolean = true
  type SegmentConfig
  SegmentConfig.include: SegmentCondition
  SegmentConfig.exclude: SegmentCondition
  type SegmentCondition
  SegmentCondition.operator: SegmentOperator
  SegmentCondition.tags: [String]
  enum SegmentOperator
  SegmentOperator.AND
  SegmentOperator.OR

  Customer.created_at(format:): String = "fromNow"
  Customer.created_at(suffix:): Boolean = true
  Customer.updated_at(format:): String = "fromNow"
  Customer.updated_at(suffix:): Boolean = true
  Customer.email: Email
  Customer.phone: String
  Customer.first_name: String
  Customer.last_name: String
  Customer.location: String
  Customer.accepts_marketing: Boolean
  Customer.notes: String
  Customer.shipping_address: Address
  Customer.billing_address: Address
  Customer.custom: CustomFields
  Customer.tags: [String]
  scalar Email
  scalar CustomFields
  type Address
  Address.line1: String
  Address.line2: String
  Address.city: String
  Address.area: String
  Address.first_name: String
  Address.last_name: String
  Address.zip: String
  Address.state: String
  Address.country: String
  Address.email: String
  Address.phone: String

  Account.account_name: String
  Account.slug: String
  Account.email: String
  Account.timezone: String
  Account.store_currency: String
  Account.created_at: TimeStamp
  Account.created_at(format:): String = "fromNow"
  Account.created_at(suffix:): Boolean = true
  Account.updated_at: TimeStamp
  Account.updated_at(format:): String = "fromNow"
  Account.updated_at(suffix:): Boolean = true

  PageInfo.hasPreviousPage: Boolean
  PageInfo.startCursor: String

  StoreInput.name: String!
  StoreInput.slug: String!
  StoreInput.lang: Lang!
  StoreInput.currency: String
  StoreInput.style_id: ID
  StoreInput.single_checkout_page: Boolean
  scalar Lang

  StoreUpdateInput.slug: String
  StoreUpdateInput.email: String
  StoreUpdateInput.legal_name: String
  StoreUpdateInput.address: String
  StoreUpdateInput.refund_policy: String
  StoreUpdateInput.privacy_policy: String
  StoreUpdateInput.terms_of_services: String
  StoreUpdateInput.single_checkout_page: Boolean
  StoreUpdateInput.collections_uids: [ID!]
  StoreUpdateInput.shipping_group_uid: ID

  SegmentInput.name: String
  SegmentInput.description: String
  SegmentInput.settings: SegmentConfigInput
  input SegmentConfigInput
  SegmentConfigInput.include: SegmentConditionInput
  SegmentConfigInput.exclude: SegmentConditionInput
  input SegmentConditionInput
  SegmentConditionInput.operator: SegmentOperator
  SegmentConditionInput.tags: [String!]

  InputCustomer.email: String!
  InputCustomer.phone: String!
  InputCustomer.first_name: String!
  InputCustomer.last_name: String!
  InputCustomer.accepts_marketing: Boolean!
  InputCustomer.tags: [String!]!
  InputCustomer.shipping_address: InputAddress
  InputCustomer.billing_address: InputAddress

  InputUpdateCustomer.email: String
  InputUpdateCustomer.phone: String
  InputUpdateCustomer.first_name: String
  InputUpdateCustomer.last_name: String
  InputUpdateCustomer.accepts_marketing: Boolean
  InputUpdateCustomer.tags: [String!]
  InputUpdateCustomer.shipping_address: InputAddress
  InputUpdateCustomer.billing_address: InputAddress
  InputUpdateCustomer.notes: String
  InputUpdateCustomer.custom: CustomFields
  input InputAddress
  InputAddress.line1: String
  InputAddress.line2: String
  InputAddress.city: String
  InputAddress.area: String
  InputAddress.first_name: String
  InputAddress.last_name: String
  InputAddress.zip: String
  InputAddress.state: String
  InputAddress.country: String
  InputAddress.email: String
  InputAddress.phone: String

  InputUpdateAccount.account_name: String
  InputUpdateAccount.slug: String
  InputUpdateAccount.email: String
  InputUpdateAccount.timezone: String
  InputUpdateAccount.store_currency: String
`

const linesOf = (list: string) =>
  list
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

interface Element {
  readonly coordinate: string
  /** As the lists above write it, without the mark. */
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
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !markTypes.includes(type.name),
)

const elements: readonly Element[] = types.flatMap((type) => [
  { coordinate: type.name, line: `${kindOf(type)} ${type.name}`, description: type.description },
  ...membersOf(type),
])

const markOf = (coordinate: string): Mark => {
  const mark = marks.get(coordinate)
  if (!mark) throw new Error(`marksOf has no ${coordinate}.`)
  return mark
}

const isStated = ({ coordinate }: Element) => {
  const { basis, part } = markOf(coordinate)
  return basis !== 'assumed' || part !== undefined
}

const withMark = ({ coordinate, line }: Element) => {
  const { basis, part } = markOf(coordinate)
  if (basis === 'disputed') return `${line} | disputed`
  return part ? `${line} | part ${part}` : line
}

test('What the specification states is in the schema with its type, and nothing else goes without a mark.', () => {
  expect(elements.filter(isStated).map(withMark).sort()).toEqual(linesOf(stated).sort())
})

test('What was filled in is marked as assumed, and it is what public material says.', () => {
  expect(
    elements
      .filter((it) => !isStated(it))
      .map(withMark)
      .sort(),
  ).toEqual(linesOf(filledIn).sort())
})

test('Every coordinate has one mark, and no mark stands at what is not there.', () => {
  expect([...marks.keys()].sort()).toEqual(elements.map(({ coordinate }) => coordinate).sort())
})

test('Stores, segments, customers, integrations and the account are nodes.', () => {
  const node = schema.getType('Node')
  if (!isInterfaceType(node)) throw new Error('Node is no interface.')
  const implementers = schema.getPossibleTypes(node).map(({ name }) => name)
  expect(implementers.sort()).toEqual(['Account', 'Customer', 'Integration', 'Segment', 'Store'])
})

test('No output promises a value that the specification does not promise.', () => {
  const outputs = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).map((field) => ({ coordinate: `${type.name}.${field.name}`, type: field.type }))
      : [],
  )
  const promised = outputs.filter(({ type }) => isNonNullType(type)).map(({ coordinate }) => coordinate)
  expect(promised.filter((coordinate) => markOf(coordinate).basis !== 'documented')).toEqual([])
  expect(outputs.filter(({ coordinate, type }) => coordinate.endsWith('.id') && !isNonNullType(type))).toEqual([])
})

test('A new name is no part of the input of updateStore.', () => {
  expect(elements.some(({ coordinate }) => coordinate === 'StoreUpdateInput.name')).toBe(false)
})

test('Everything has a description that ends as a sentence does.', () => {
  const wordless = elements.filter(({ description }) => !/^\S[^]+[.)]$/.test(description ?? ''))
  expect(wordless.map(({ coordinate }) => coordinate)).toEqual([])
})

/** How a reason can say what is missing. */
const missing: Record<string, RegExp> = {
  whole: /^(Other .+ fields|Other fields of .+|The fields of .+) are not shown\.$|^The specification shows .+\.$/,
  TYPE: /^The specification (names the (field|argument) without a type|states .+ and does not show the rest; .+)\.$/,
  NAME: /^The specification describes .+ and names no type\.$/,
  disputed: /^\S+ in the declaration of the (query|mutation), .+ in the table of its arguments\.$/,
}

test.each(Object.entries(missing))('Every reason of a mark says what is missing: %s.', (form, words) => {
  const reasons = [...marks].filter(
    ([, { basis, part }]) => basis !== 'documented' && (basis === 'disputed' ? basis : (part ?? 'whole')) === form,
  )
  expect(reasons.length).toBeGreaterThan(0)
  expect(reasons.filter(([, { reason }]) => !words.test(reason ?? ''))).toEqual([])
})

test('The reason for a field that is not shown names the type whose fields are not shown in full.', () => {
  const astray = document.definitions.flatMap((type) => {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return []
    return (type.fields ?? []).flatMap((field) => {
      const { basis, part, reason = '' } = markAt(field) ?? { basis: 'documented' }
      const named = reason.toLowerCase().includes(type.name.value.toLowerCase()) || type.name.value === 'PageInfo'
      return basis === 'assumed' && !part && !named ? [`${type.name.value}.${field.name.value}: ${reason}`] : []
    })
  })
  expect(astray).toEqual([])
})
