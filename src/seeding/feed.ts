/** Hands out the steps of a run. Writes them into the ledger before, in blocks, because each block costs a sync. */
import type { Ledger } from '../writing/ledger.js'
import type { Step } from './plan.js'

const blockSize = 1024

export interface Feed {
  /** The next step, or nothing at the end. Throws a LedgerError if the ledger cannot be written. */
  next(): Step | undefined
  /** Records that the remaining steps of the block were not sent. */
  giveBack(): void
}

export function createFeed(steps: Iterator<Step>, ledger: Ledger): Feed {
  let block: Step[] = []

  function load(): void {
    while (block.length < blockSize) {
      const { done, value } = steps.next()
      if (done) break
      block.push(value)
    }
    if (block.length > 0) ledger.intend(block.map(({ n, resource, key }) => ({ n, kind: resource.name, key })))
    block.reverse()
  }

  return {
    next() {
      if (block.length === 0) load()
      return block.pop()
    },
    giveBack() {
      for (const { n } of block) ledger.record(n, 'undone')
      block = []
    },
  }
}
