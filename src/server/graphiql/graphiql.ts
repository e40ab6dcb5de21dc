/** GraphiQL, served from this package: nothing is loaded from the network. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packageFolder } from '../../shared/package.js'
import { preferred } from '../http/media-types.js'
import type { HttpRequest, HttpResponse } from '../http/response.js'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'",
  vary: 'accept, accept-encoding',
}

/** The page, which is rendered and compressed when the package is built: it is 9 MB. */
export async function graphiql(request: HttpRequest): Promise<HttpResponse> {
  const compressed = await readFile(join(packageFolder(), 'dist/graphiql/page.html.gz'))
  const coding = preferred(request.headers['accept-encoding'] ?? '', ['identity', 'gzip'])
  if (coding !== 'gzip') return { status: 200, headers, body: await promisify(gunzip)(compressed) }
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed }
}
