/** Renders the page of GraphiQL at build time. It has 9 MB, so no server should have to load and compress it. */
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { customers } from '../../contracts/customers.js'
import { createSegment, exampleSegment, segments } from '../../contracts/segments.js'
import { stores } from '../../contracts/products.js'
import { withLiterals, withVariables } from '../contract/operation.js'
import { parseSchema, servedSchema } from '../schema/load.js'

/** @param schema the text of our schema */
export function graphiqlPage(schema: string): string {
  const served = servedSchema(parseSchema(schema))
  const tabs = [
    withVariables(customers, { query: 'order_by:created_at order_dir:desc', first: 5 }),
    withVariables(segments, { query: '', first: 5 }),
    stores,
    withVariables(createSegment, { node: exampleSegment }),
  ]
  const defaultTabs = tabs.map((it) => ({ query: withLiterals(it, served) }))
  // Without an endpoint, it sends operations to its own address, which is below /s/NAME for a session.
  return renderGraphiQL({ title: 'commerce-mock', defaultTabs })
}
