/**
 * Makes the page of GraphiQL in a thread of its own: 9 MB are read, hashed and compressed, and no request shall wait for
 * that. JavaScript, because the tests start it from here, where Node 20 could not load TypeScript.
 */
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest('base64')

const html = renderGraphiQL(/** @type {import('./graphiql.js').PageOptions} */ (workerData))
const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)]

/** @type {import('./graphiql.js').MadePage} */
const made = { zipped: gzipSync(html), digest: digest(html), scripts: scripts.map((it) => digest(it[1] ?? '')) }
// Handed over, because a copy would be made in the thread that answers requests.
parentPort?.postMessage(made, [made.zipped.buffer])
