/** GraphiQL, served from this package: no part of it comes from the network. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/**
 * Gives the page with a tab for each document, compressed with gzip. It weighs 9 MB otherwise, so all is loaded and
 * made when it is first asked for.
 */
export function createGraphiql(endpoint: string, documents: () => readonly string[]): () => Promise<Uint8Array> {
  let page: Promise<Uint8Array> | undefined
  return () =>
    (page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) => {
      const defaultTabs = documents().map((query) => ({ query }))
      return promisify(gzip)(renderGraphiQL({ title: 'commerce-mock', endpoint, defaultTabs }))
    }))
}
