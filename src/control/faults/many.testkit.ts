/** Many requests to one server, with every fault among them, and what they leave behind. */
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMock, type Fault } from '../../index.js'

const chance = (seed: number, share: number) => ({ on: { seed, share } })

/** Without an answer, the client leaves after some milliseconds. */
export const faults: readonly Fault[] = [
  { delay: [0, 4], ...chance(1, 0.3) },
  { bytesPerSecond: 200_000, ...chance(2, 0.1) },
  { connection: 'reset', ...chance(3, 0.05) },
  { connection: 'reset-in-body', ...chance(4, 0.05) },
  { connection: 'cut', ...chance(5, 0.05) },
  { connection: 'hang', ...chance(6, 0.02) },
  { status: 503, retryAfter: 1, body: 'html', ...chance(7, 0.1) },
  { error: { at: 'Customer.expenses' }, ...chance(8, 0.2) },
  { list: 'repeats', ...chance(9, 0.2) },
  { null: 'Customer.id', ...chance(10, 0.2) },
  { tokenExpires: { requests: 2 }, ...chance(11, 0.3) },
  { rateLimit: 1_000_000 },
]

const query = `query Page($after: String) {
  customers(query: "", first: 5, after: $after) { edges { cursor node { id expenses } } pageInfo { hasNextPage endCursor } }
}`

export interface Left {
  /** What is open after each round more than before the first one. */
  readonly open: readonly Readonly<Record<string, number>>[]
  /** Bytes on the heap after each round. */
  readonly heap: readonly number[]
  /** Milliseconds that health took. */
  readonly health: readonly number[]
  /** How many requests ended in which way. */
  readonly ends: Readonly<Record<string, number>>
}

export async function sendMany(rounds: number, requests: number, all = faults): Promise<Left> {
  await using mock = createMock({ freeze: true, counts: { customers: 40 } })
  mock.faults.set(all)
  const { url } = await mock.listen({ port: 0 })
  const health: number[] = []
  const ends: Record<string, number> = {}
  const open: Record<string, number>[] = []
  const heap: number[] = []
  const before = await openHandles()
  for (let round = 0; round < rounds; round++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    let next = 0
    const state = { isOver: false }
    const work = async () => {
      while (next < requests) {
        const end = await sent(url, agent, round * requests + next++)
        ends[end] = (ends[end] ?? 0) + 1
      }
    }
    const watch = async () => {
      while (!state.isOver) {
        const began = performance.now()
        await sent(new URL('/_mock/health', url).href, agent)
        health.push(performance.now() - began)
        await wait(20)
      }
    }
    const watching = watch()
    await Promise.all(Array.from({ length: 12 }, work))
    state.isOver = true
    await watching
    agent.destroy()
    open.push(await differenceTo(before))
    heap.push(heapUsed())
  }
  return { open, heap, health, ends }
}

/** Sends a request. Returns how it ended. */
function sent(url: string, agent: Agent, number?: number): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer token-${number}` }
    const message = request(url, { agent, headers, method: number === undefined ? 'GET' : 'POST' }, (response) => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', ({ message }) => resolve(message))
    })
    message.setTimeout(500, () => message.destroy(new Error('left')))
    message.on('error', ({ message }) => resolve(message))
    message.end(number === undefined ? undefined : JSON.stringify({ query, variables: { after: null } }))
  })
}

async function openHandles(): Promise<Record<string, number>> {
  await wait(50)
  const counts: Record<string, number> = { TCPSocketWrap: 0, Timeout: 0, Immediate: 0 }
  for (const name of process.getActiveResourcesInfo()) if (name in counts) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Waits until there is none. */
async function differenceTo(before: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  for (let attempt = 0; ; attempt++) {
    const now = await openHandles()
    const more = Object.entries(now).filter(([name, count]) => count > (before[name] ?? 0))
    if (more.length === 0 || attempt === 200) return Object.fromEntries(more)
  }
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  return process.memoryUsage().heapUsed
}
