/** A ledger into which no secret gets, whatever a server answers. */
import type { Ledger } from './ledger.js'
import type { Target } from '../client/target.js'

/** An id that holds a secret is not believed, and stands there without it. */
export const secretFree = (ledger: Ledger, { redact }: Target): Ledger => ({
  ...ledger,
  record(n, outcome, id) {
    const clean = id === undefined ? id : redact(id)
    ledger.record(n, clean === id ? outcome : 'unproven', clean)
  },
  block: (operation, words) => ledger.block(operation, redact(words)),
})
