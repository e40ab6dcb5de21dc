/** One measurement: so many requests of a case to a server, what the load saw and what the server's process spent. */
import { fileURLToPath } from 'node:url'
import { loadCore, startNode } from './process.mjs'

const loadFile = fileURLToPath(new URL('load.mjs', import.meta.url))

export function startLoad() {
  const child = startNode([loadFile], loadCore, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const result = () => new Promise((resolve) => child.once('message', resolve))
  return {
    /** `cpu` is in microseconds a request. */
    async measure(server, { bodies, clients = 16 }) {
      const answered = result()
      const before = server.cpu()
      child.send({ port: server.port, bodies, clients })
      const { failed, errors, ...seen } = await answered
      const cpu = (server.cpu() - before) / bodies.length
      if (failed) throw new Error(failed)
      if (errors > 0) throw new Error(`${errors} of ${bodies.length} answers were errors.`)
      return { ...seen, cpu }
    },
    stop: () => child.disconnect(),
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The median of each number. */
export const medians = (results) =>
  Object.fromEntries(Object.keys(results[0]).map((name) => [name, median(results.map((it) => it[name]))]))

/** Each round begins with another one. */
export const turned = (list, by) => list.map((_, i) => list[(i + by) % list.length])
