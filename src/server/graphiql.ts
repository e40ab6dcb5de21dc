/** GraphiQL, served from this package: no part of it comes from the network. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface GraphiqlPage {
  /** The page, compressed with gzip. It weighs 9 MB otherwise. */
  readonly zipped: Uint8Array
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64')

/** Gives the page with a tab for each document. All is loaded and made when it is first asked for. */
export function createGraphiql(endpoint: string, documents: () => readonly string[]): () => Promise<GraphiqlPage> {
  let page: Promise<GraphiqlPage> | undefined
  return () => (page ??= makePage(endpoint, documents()))
}

async function makePage(endpoint: string, documents: readonly string[]): Promise<GraphiqlPage> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const defaultTabs = documents.map((query) => ({ query }))
  const html = renderGraphiQL({ title: 'commerce-mock', endpoint, defaultTabs })
  return {
    zipped: await promisify(gzip)(html),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(html),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      etag: `"${digest(html)}"`,
    },
  }
}

/** Nothing from anywhere else: scripts by their hash, workers and fonts that the page itself holds, calls to the mock. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${digest(code as string)}'`,
  )
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
