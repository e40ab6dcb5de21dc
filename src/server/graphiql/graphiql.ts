/** GraphiQL, served from this package: nothing is loaded from the network. */
import type { HttpResponse } from '../http/response.js'

/** The input of the worker. */
export interface PageOptions {
  readonly title: string
  readonly endpoint: string
  readonly defaultTabs: { readonly query: string }[]
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // From 9 MB. Every browser accepts it.
  'content-encoding': 'gzip',
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'",
  vary: 'accept',
}

/** Returns a function that gives the page, with a tab for each document. The page is rendered once, when it is needed. */
export function createGraphiql(endpoint: string, documents: () => readonly string[]): () => Promise<HttpResponse> {
  let page: Promise<Uint8Array> | undefined
  return async () => {
    const defaultTabs = documents().map((query) => ({ query }))
    page ??= render({ title: 'commerce-mock', endpoint, defaultTabs }).catch((error: unknown) => {
      page = undefined
      throw error
    })
    return { status: 200, headers, body: await page }
  }
}

/** Renders and compresses the page. */
async function render(workerData: PageOptions): Promise<Uint8Array> {
  // Few servers ever show the page, so it must not slow down the start.
  const { Worker } = await import('node:worker_threads')
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./graphiql-worker.js', import.meta.url), { workerData })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The worker that renders GraphiQL ended without a page.')))
  })
}
