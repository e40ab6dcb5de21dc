/** Hands out steps that stand in the ledger already: a block of them is synced while the one before is being sent. */
import type { Step } from './seed-kind.js'
import type { SeedLedger } from './ledger.js'

const blockSize = 128

export interface Feed {
  /** The next step, or nothing at the end. */
  take(): Promise<Step | undefined>
  /** Says of the steps that were not handed out that they were never sent. */
  giveBack(): Promise<void>
}

export function createFeed(steps: Iterator<Step>, ledger: SeedLedger): Feed {
  let ready: Step[] = []
  let next = load()

  async function load(): Promise<Step[]> {
    const block: Step[] = []
    while (block.length < blockSize) {
      const { done, value } = steps.next()
      if (done) break
      block.push(value)
    }
    if (block.length > 0) await ledger.intend(block)
    return block.toReversed()
  }

  return {
    async take() {
      while (ready.length === 0) {
        const coming = next
        const block = await coming
        // Somebody else may have taken it meanwhile.
        if (coming !== next) continue
        if (block.length === 0) return undefined
        ready = block
        next = load()
        // Whoever waits for it learns of its failure; until then it is nobody's.
        next.catch(() => {})
      }
      return ready.pop()
    },
    async giveBack() {
      const rest = [...ready, ...(await next)]
      ready = []
      next = Promise.resolve([])
      for (const { n } of rest) ledger.settle(n, 'undone')
    },
  }
}
