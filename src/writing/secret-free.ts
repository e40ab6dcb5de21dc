/** A ledger that never stores a secret, whatever a server returns. */
import type { Target } from '../client/target.js'
import type { Ledger } from './ledger.js'

/** An id that contains a secret is stored redacted and not trusted. */
export const secretFree = (ledger: Ledger, redact: Target['redact']): Ledger => ({
  ...ledger,
  record(n, outcome, id) {
    const clean = id === undefined ? id : redact(id)
    ledger.record(n, clean === id ? outcome : 'unproven', clean)
  },
})
