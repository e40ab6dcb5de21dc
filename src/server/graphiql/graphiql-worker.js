/**
 * Renders the GraphiQL page in a thread: reading, hashing and compressing 9 MB would block requests. It is JavaScript,
 * because tests start it from here and Node 20 cannot load TypeScript.
 */
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest('base64')

const html = renderGraphiQL(/** @type {import('./graphiql.js').PageOptions} */ (workerData))
const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)]

/** @type {import('./graphiql.js').RenderedPage} */
const page = { zipped: gzipSync(html), digest: digest(html), scripts: scripts.map((it) => digest(it[1] ?? '')) }
// Transferred, not copied.
parentPort?.postMessage(page, [page.zipped.buffer])
