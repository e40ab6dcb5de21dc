/** Operations and inputs that only tests and benchmarks send: the checks build their own, from what a server takes. */
import { operation } from '../src/contract/operation.js'
import { customerListing } from './customers.js'

export const createStore = operation(`mutation CreateStore($node: StoreInput!) {
  createStore(node: $node) { account { id stores { id } } store { id name } }
}`)

export const updateStore = operation(`mutation UpdateStore($id: ID!, $node: StoreUpdateInput!) {
  updateStore(id: $id, node: $node) { id name }
}`)

/** An input of createStore. Its fields are assumed. */
export const exampleStore = { name: 'Lantern & Loom', slug: 'lantern-and-loom', lang: 'en' }

/** An input of updateStore. Its fields are assumed. */
export const exampleStoreUpdate = {
  slug: 'lantern-loom',
  refund_policy: 'Unused goods can be returned within 30 days.',
}

export const updateSegment = operation(`mutation UpdateSegment($id: ID!, $node: SegmentInput!) {
  updateSegment(id: $id, node: $node) { id name description }
}`)

/** An input of updateSegment. Its fields are assumed. */
export const exampleSegmentUpdate = { description: 'Came to the autumn evening.' }

export const createCustomer = operation(`mutation CreateCustomer($node: InputCustomer!) {
  createCustomer(node: $node) { __typename id ${customerListing.fields} }
}`)

/** An input of createCustomer. Its fields are assumed. */
export const exampleCustomer = {
  email: 'ines.marlow@example.com',
  phone: '+1 312-555-0142',
  first_name: 'Ines',
  last_name: 'Marlow',
  accepts_marketing: true,
  tags: ['newsletter'],
}

/** An input of updateCustomer. Its fields are assumed. */
export const exampleCustomerUpdate = { last_name: 'Marlow-Reyes' }

export const createConversionApiFacebookIntegration =
  operation(`mutation CreateConversionApiFacebookIntegration($node: FacebookConversionApi!) {
  createConversionApiFacebookIntegration(node: $node) { id }
}`)

/** An input of createConversionApiFacebookIntegration with documented fields only. The token is not valid anywhere. */
export const exampleIntegration = {
  token: 'example-token-that-opens-nothing',
  label: 'Conversions of the outlet',
  pixels: ['204918830417755'],
}
