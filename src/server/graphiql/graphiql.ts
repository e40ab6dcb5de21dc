/** GraphiQL, served from this package: no part of it comes from the network. */

export interface GraphiqlPage {
  /** The page, compressed with gzip. It weighs 9 MB otherwise. */
  readonly zipped: Uint8Array
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

/** What the worker is given. */
export interface PageOptions {
  readonly title: string
  readonly endpoint: string
  readonly defaultTabs: { readonly query: string }[]
}

/** What the worker answers. The digests are SHA-256 in base64. */
export interface MadePage {
  readonly zipped: Uint8Array<ArrayBuffer>
  readonly digest: string
  /** A digest for each script. */
  readonly scripts: readonly string[]
}

/** Gives the page with a tab for each document. It is made when it is first asked for, once for all who ask meanwhile. */
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
  const { zipped, digest, scripts } = await made({ title: 'commerce-mock', endpoint, defaultTabs })
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

async function made(options: PageOptions): Promise<MadePage> {
  // Most servers never show the page, and none shall start later for it.
  const { Worker } = await import('node:worker_threads')
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./graphiql-worker.js', import.meta.url), { workerData: options })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that makes the page of GraphiQL ended without it.')))
  })
}

/** Nothing from anywhere else: scripts by their hash, workers and fonts that the page itself holds, calls to the mock. */
function policyOf(scripts: readonly string[]): string {
  return [
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
}
