/** GraphiQL, served from this package: nothing is loaded from the network. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../shared/package.js'
import type { HttpResponse } from '../http/response.js'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // From 9 MB. Every browser accepts it.
  'content-encoding': 'gzip',
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'",
  vary: 'accept',
}

/** The page, which is rendered when the package is built. */
export const graphiql = async (): Promise<HttpResponse> => ({
  status: 200,
  headers,
  body: await readFile(join(packageFolder(), 'dist/graphiql/page.html.gz')),
})
