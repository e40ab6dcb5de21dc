/** Servers and the load as processes of their own, each on a core of its own, and what Linux counts of them. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

function allowedCores() {
  const status = readFileSync('/proc/self/status', 'utf8')
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '0'
  return list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
}

const cores = allowedCores()
const hasTaskset = spawnSync('taskset', ['--version']).status === 0

/** One core for the servers, one for the load; undefined where that cannot be had. */
export const [serverCore, loadCore] = hasTaskset && cores.length > 1 ? cores : []
export const pinning =
  serverCore === undefined
    ? 'not pinned: there is no taskset or one core only, so the wall times say little'
    : `the server on core ${serverCore}, the load on core ${loadCore}`

/** The bench itself stays away from the core of the servers. */
if (loadCore !== undefined) spawnSync('taskset', ['-cp', String(loadCore), String(process.pid)])

export function startNode(args, core, options = {}) {
  const [command, ...before] =
    core === undefined ? [process.execPath] : ['taskset', '-c', String(core), process.execPath]
  return spawn(command, [...before, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // As servers are run: graphql-js does without its checks for developers.
    env: { ...process.env, NODE_ENV: 'production' },
    ...options,
  })
}

const running = new Set()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

/** A server that says its address on stdout. `began` is when it was spawned. */
export async function startServer(args, options) {
  const began = performance.now()
  const child = startNode(args, serverCore, options)
  running.add(child)
  let said = ''
  const port = await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code} before it served.`)))
    child.stdout.on('data', (chunk) => {
      said += chunk
      const [, found] = /http:\/\/localhost:(\d+)\/api\/v2/.exec(said) ?? []
      if (found) resolve(Number(found))
    })
  })
  child.removeAllListeners('exit')
  return {
    port,
    began,
    child,
    /** Microseconds that all threads of it ran so far. */
    cpu: () => cpuTime(child.pid),
    memory: () => memory(child.pid),
    async stop() {
      running.delete(child)
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Of every thread, those of the garbage collector and the compiler included. */
function cpuTime(pid) {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
  }
  return nanoseconds / 1000
}

/** Resident memory in MiB. */
const memory = (pid) => Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
