/** A ledger into which no secret gets, whatever a server answers. */
import type { Ledger } from './ledger.js'
import type { Target } from '../client/target.js'

/** An id that holds a secret is not believed, and stands there without it. */
export const secretFree = (ledger: Ledger, { redact }: Target): Ledger => ({
  ...ledger,
  settle(n, state, id) {
    const clean = id === undefined ? id : redact(id)
    ledger.settle(n, clean === id ? state : 'unproven', clean)
  },
  bar: (operation, words) => ledger.bar(operation, redact(words)),
})
