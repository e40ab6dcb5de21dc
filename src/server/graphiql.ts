/** GraphiQL, served from this package: no part of it comes from the network. */
import { gzip } from 'node:zlib'
import { promisify } from 'node:util'

let page: Promise<Uint8Array> | undefined

/** The page, compressed with gzip. It weighs 9 MB otherwise, so it is loaded when it is first asked for. */
export function graphiqlPage(endpoint: string): Promise<Uint8Array> {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) =>
    promisify(gzip)(renderGraphiQL({ title: 'commerce-mock', endpoint, defaultQuery: welcome })),
  )
  return page
}

const welcome = `# Every operation of the service is in the documentation on the left.
{
  __typename
}
`
