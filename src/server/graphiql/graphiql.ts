/** GraphiQL, served from this package: nothing is loaded from the network. */

export interface GraphiqlPage {
  /** The page, compressed with gzip from 9 MB. */
  readonly zipped: Uint8Array
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

/** The input of the worker. */
export interface PageOptions {
  readonly title: string
  readonly endpoint: string
  readonly defaultTabs: { readonly query: string }[]
}

/** The output of the worker. Digests are SHA-256 in base64. */
export interface RenderedPage {
  readonly zipped: Uint8Array<ArrayBuffer>
  readonly digest: string
  /** The digest of each script. */
  readonly scripts: readonly string[]
}

/** Returns a function that gives the page, with a tab for each document. The page is rendered once, when it is needed. */
export function createGraphiql(endpoint: string, documents: () => readonly string[]): () => Promise<GraphiqlPage> {
  let page: Promise<GraphiqlPage> | undefined
  return () => {
    page ??= makePage(endpoint, documents()).catch((error: unknown) => {
      page = undefined
      throw error
    })
    return page
  }
}

async function makePage(endpoint: string, documents: readonly string[]): Promise<GraphiqlPage> {
  const defaultTabs = documents.map((query) => ({ query }))
  const { zipped, digest, scripts } = await render({ title: 'commerce-mock', endpoint, defaultTabs })
  return {
    zipped,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(scripts),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      etag: `"${digest}"`,
    },
  }
}

async function render(options: PageOptions): Promise<RenderedPage> {
  // Few servers ever show the page, so it must not slow down the start.
  const { Worker } = await import('node:worker_threads')
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./graphiql-worker.js', import.meta.url), { workerData: options })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The worker that renders GraphiQL ended without a page.')))
  })
}

/** Allows the scripts of the page by their hash, workers and fonts inside the page, and calls to the mock. */
const policyOf = (scripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.map((it) => `'sha256-${it}'`).join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
