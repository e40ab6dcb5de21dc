/** Many requests to one server, with every fault among them, and what they leave behind. */
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMock, type Fault } from '../../index.js'

const chance = (seed: number, share: number) => ({ on: { seed, share } })

/** Without an answer, the client leaves after some milliseconds. */
export const faults = [
  { name: 'delay', delay: [0, 4], ...chance(1, 0.3) },
  { name: 'slow', bytesPerSecond: 200_000, ...chance(2, 0.1) },
  { name: 'reset', connection: 'reset', ...chance(3, 0.05) },
  { name: 'reset in body', connection: 'reset-in-body', ...chance(4, 0.05) },
  { name: 'cut', connection: 'cut', ...chance(5, 0.05) },
  { name: 'hang', connection: 'hang', ...chance(6, 0.02) },
  { name: '503', status: 503, retryAfter: 1, body: 'html', ...chance(7, 0.1) },
  { name: 'error', error: { at: 'Customer.expenses' }, ...chance(8, 0.2) },
  { name: 'repeats', list: 'repeats', ...chance(9, 0.2) },
  { name: 'null', null: 'Customer.id', ...chance(10, 0.2) },
  { name: 'token', tokenExpires: { requests: 1 }, ...chance(11, 0.3) },
  { name: 'rate', rateLimit: 1_000_000 },
] satisfies readonly Fault[]

/** How requests with them end. */
export const ways = ['200', '200 errors', '503', '401 errors', 'left', 'aborted', 'reset']

/** Those that the journal names: a rate limit that is never reached is not among them. */
export const namesOfFaults = faults.map(({ name }) => name).filter((name) => name !== 'rate')

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
  /** The names of the faults that happened, as the journal has them. */
  readonly happened: ReadonlySet<string | undefined>
}

export async function sendMany(rounds: number, requests: number, all = faults): Promise<Left> {
  await using mock = createMock({ freeze: true, counts: { customers: 40 } })
  mock.faults.set(all)
  const { url } = await mock.listen({ port: 0 })
  const health: number[] = []
  const ends: Record<string, number> = {}
  const open: Record<string, number>[] = []
  const heap: number[] = []
  const happened = new Set<string | undefined>()
  const before = await openHandles()
  for (let round = 0; round < rounds; round++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    let next = 0
    const state = { isOver: false }
    const work = async () => {
      let after: string | null = null
      while (next < requests) {
        const { end, body } = await sent(url, agent, { number: round * requests + next++, after })
        ends[end] = (ends[end] ?? 0) + 1
        // Goes on to the last page, and from the first one again.
        after = /"hasNextPage":true,"endCursor":"([^"]+)"/.exec(body)?.[1] ?? null
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
    for (const { fault } of mock.requests.list()) happened.add(fault)
    open.push(await differenceTo(before))
    heap.push(heapUsed())
  }
  return { open, heap, health, ends, happened }
}

interface Sent {
  readonly number: number
  readonly after: string | null
}

/** Sends a request for a page, or for health. Returns how it ended, and its body. */
function sent(url: string, agent: Agent, page?: Sent): Promise<{ readonly end: string; readonly body: string }> {
  return new Promise((resolve) => {
    let body = ''
    const finish = (end: string) => resolve({ end, body })
    // Twenty requests share a token.
    const authorization = `Bearer token-${Math.floor((page?.number ?? 0) / 20)}`
    const headers = { 'content-type': 'application/json', authorization }
    const message = request(url, { agent, headers, method: page ? 'POST' : 'GET' }, (response) => {
      response.setEncoding('utf8').on('data', (text) => (body += String(text)))
      response.on('end', () => finish(`${response.statusCode}${body.includes('"errors"') ? ' errors' : ''}`))
      response.on('error', ({ message }) => finish(message))
    })
    message.setTimeout(500, () => message.destroy(new Error('left')))
    message.on('error', ({ message, code }: NodeJS.ErrnoException) => finish(code === 'ECONNRESET' ? 'reset' : message))
    message.end(page && JSON.stringify({ query, variables: { after: page.after } }))
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
