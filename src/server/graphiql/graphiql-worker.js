/**
 * Renders the GraphiQL page in a thread: reading and compressing 9 MB would block requests. It is JavaScript, because tests
 * start it from here and Node 20 cannot load TypeScript.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

const zipped = gzipSync(renderGraphiQL(/** @type {import('./graphiql.js').PageOptions} */ (workerData)))
// Transferred, not copied.
parentPort?.postMessage(zipped, [zipped.buffer])
