/** The documents that GraphiQL opens in its first tabs. */
import type { GraphQLSchema } from 'graphql'
import { customers } from '../../contracts/customers.js'
import { createSegment, exampleSegment, segments } from '../../contracts/segments.js'
import { stores } from '../../contracts/products.js'
import { withLiterals, withVariables } from '../contract/operation.js'

export const exampleDocuments = (schema: GraphQLSchema): string[] =>
  [
    withVariables(customers, { query: 'order_by:created_at order_dir:desc', first: 5 }),
    withVariables(segments, { query: '', first: 5 }),
    stores,
    withVariables(createSegment, { node: exampleSegment }),
  ].map((it) => withLiterals(it, schema))
