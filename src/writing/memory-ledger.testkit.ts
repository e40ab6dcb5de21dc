/** A ledger that is lost with the process, for a target that is lost with it too. */
import type { Entry, Ledger } from './ledger.js'

export function ledgerInMemory(run = 'cm-abcdef'): Ledger {
  const entries: Entry[] = []
  return {
    path: 'nowhere',
    head: { run, baseUrl: 'the mock in this process', by: 'check' },
    entries: () => [...entries],
    entry: (n) => entries[n],
    intend(intents) {
      const added = intents.map((it, at): Entry => ({ ...it, n: entries.length + at, state: 'intended' }))
      entries.push(...added)
      return added
    },
    record(n, outcome, id) {
      const entry = entries[n] as Entry
      entries[n] = { ...entry, state: outcome, id: id ?? entry.id }
    },
    note: (n, keep) => void (entries[n] = { ...(entries[n] as Entry), keep }),
    replace: () => {},
    blocked: new Map(),
    close: () => {},
  }
}
