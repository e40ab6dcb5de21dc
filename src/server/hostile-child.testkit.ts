/** The process that the hostile tests attack: mocks on sockets, and a report on their state. */
import { createMock } from '../index.js'

/** The state of the process. */
export interface ChildReport {
  /** Resident set in bytes, after garbage collection. */
  readonly rss: number
  /** Lines about unexpected errors. */
  readonly unexpected: readonly string[]
  /** The request log, one line for each entry. */
  readonly log: readonly string[]
}

/** The ports of the mocks. */
export interface ChildPorts {
  /** The mock that is attacked. */
  readonly attacked: number
  /** A fork of it from before the attack. */
  readonly untouched: number
  /** A mock with more customers than one answer may hold. */
  readonly large: number
  /** A mock that holds few connections. */
  readonly narrow: number
}

export const childCounts = { customers: 3000 }
export const largeCount = 20_001
export const fewConnections = 4

const unexpected: string[] = []
const log: string[] = []
const keepsLog = process.argv[2] !== 'no-log'

async function run(tell: (message: ChildPorts | ChildReport) => void): Promise<void> {
  const options = { freeze: true, onUnexpected: (line: string) => void unexpected.push(line) }
  const attacked = createMock({
    ...options,
    counts: childCounts,
    log: (entry) => {
      if (keepsLog) log.push(JSON.stringify(entry))
    },
  })
  const untouched = attacked.fork()
  const large = createMock({ ...options, counts: { customers: largeCount } })
  const narrow = createMock({ ...options, limits: { connections: fewConnections } })
  const portOf = async (listening: Promise<{ url: string }>) => Number(new URL((await listening).url).port)
  process.on('message', () => void settled().then(() => tell({ rss: process.memoryUsage.rss(), unexpected, log })))
  tell({
    attacked: await portOf(attacked.listen({ port: 0 })),
    untouched: await portOf(untouched.listen({ port: 0 })),
    large: await portOf(large.listen({ port: 0 })),
    narrow: await portOf(narrow.listen({ port: 0 })),
  })
}

/** Collects garbage and waits until the memory is returned to the system. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await new Promise((later) => setTimeout(later, 300))
  }
}

// The tests import this file for its constants; that starts nothing.
if (process.send) {
  process.once('disconnect', () => process.exit())
  await run((message) => process.send?.(message))
}
