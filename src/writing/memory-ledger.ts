/** A ledger that is lost with the process, for targets that are too. */
import type { Entry, Ledger } from './ledger.js'

export function ledgerInMemory(run = 'cm-abcdef'): Ledger {
  const entries: Entry[] = []
  const barred = new Map<string, string>()
  return {
    path: 'nowhere',
    head: { run, baseUrl: 'the mock in this process', by: 'check' },
    entries: () => [...entries],
    intend(intents) {
      const made = intents.map((it, at): Entry => ({ ...it, n: entries.length + at, state: 'intended' }))
      entries.push(...made)
      return made
    },
    settle(n, state, id) {
      const entry = entries[n] as Entry
      entries[n] = { ...entry, state, id: id ?? entry.id }
    },
    note: (n, keep) => void (entries[n] = { ...(entries[n] as Entry), keep }),
    bar: (operation, words) => void barred.set(operation, words),
    barred: () => barred,
    close: () => {},
  }
}
