/** The ids of what a ledger lists, as lines for a shell: `SEED_STORE_1='…'`, numbered as in the plan. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { sanitize } from '../../shared/sanitize.js'
import { shellQuote } from '../../shared/shell-quote.js'
import type { SeedKind } from '../../seeding/seed-kind.js'
import { notesOf } from '../../seeding/ledger.js'

/** So many lines are put into order; what is further apart in a ledger stays as it is. */
const window = 10_000

/** Writes the file, the lines in the order of the plan. */
export function writeIds(path: string, ledger: string, kinds: readonly SeedKind[]): void {
  const file = openSync(path, 'w')
  try {
    for (const text of linesOf(ledger, kinds)) writeSync(file, text)
  } finally {
    closeSync(file)
  }
}

function* linesOf(ledger: string, kinds: readonly SeedKind[]): Generator<string> {
  const firsts = firstNumbers(ledger)
  const kindOf = (n: number) => firsts.findLast(({ first }) => first <= n)
  const waiting = new Map<number, string>()
  for (const { n, intent, state, id } of notesOf(ledger)) {
    if (intent) continue
    if (state === 'undone') waiting.delete(n)
    else if (id !== undefined) {
      const { kind = '', first = n } = kindOf(n) ?? {}
      const one = kinds.find(({ name }) => name === kind)?.one ?? kind
      waiting.set(n, `SEED_${one.toUpperCase()}_${n - first + 1}=${shellQuote(sanitize(id, 1000))}\n`)
    }
    if (waiting.size < 2 * window) continue
    const sorted = [...waiting].sort(([a], [b]) => a - b).slice(0, window)
    yield sorted.map(([, text]) => text).join('')
    for (const [number] of sorted) waiting.delete(number)
  }
  yield [...waiting]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('')
}

/** Where the numbers of each kind begin. Kinds are in the plan one after the other. */
function firstNumbers(ledger: string): readonly { readonly kind: string; readonly first: number }[] {
  const least = new Map<string, number>()
  for (const { n, intent } of notesOf(ledger)) {
    if (intent) least.set(intent.kind, Math.min(n, least.get(intent.kind) ?? n))
  }
  return [...least].map(([kind, first]) => ({ kind, first })).sort((a, b) => a.first - b.first)
}
