/** A list by name may be in the order of any common collation. */
import { expect, test } from 'vitest'
import { misplacedPair } from './collations.js'

const names = [
  'Øster',
  'øde',
  'Amélie Trần',
  'Amélie Øster',
  'Zoë',
  'ana',
  'Ana',
  'Артём',
  "O'Brien",
  'O Brien',
  'Óscar',
]
const pairsOf = (sorted: readonly string[]) => sorted.slice(1).map((b, at) => [sorted[at] as string, b] as const)

test.each<[string, (a: string, b: string) => number]>([
  ['English', new Intl.Collator('en').compare],
  ['Danish', new Intl.Collator('da').compare],
  ['code points', (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))],
  ['code units', (a, b) => (a < b ? -1 : 1)],
  ['LOWER()', (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)],
])('Right: %s', (_, compare) => {
  expect(misplacedPair(pairsOf(names.toSorted(compare)))).toBeUndefined()
})

test('Wrong: names in no order at all.', () => {
  expect(misplacedPair(pairsOf(['Ana', 'Zoë', 'Bo']))).toBe(1)
})
