/** The collations of servers and databases. A list ordered by name may use any of them. */
type Compare = (a: string, b: string) => number

const byCodePoint: Compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byCodeUnit: Compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1)
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')
const after = (change: (text: string) => string): readonly Compare[] =>
  [byCodePoint, byCodeUnit].map((compare) => (a, b) => compare(change(a), change(b)))

const locales = ['en', 'ar', 'cs', 'da', 'de', 'es', 'fr', 'hu', 'pl', 'ro', 'sv', 'tr']

/** `base` ignores case and accents, so it contradicts the fewest servers. */
const collations: readonly Compare[] = [
  ...[false, true].flatMap((ignorePunctuation) =>
    [false, true].flatMap((numeric) =>
      locales.map((it) => new Intl.Collator(it, { sensitivity: 'base', ignorePunctuation, numeric }).compare),
    ),
  ),
  ...[
    (text: string) => text,
    (text: string) => text.toLowerCase(),
    (text: string) => text.toUpperCase(),
    (text: string) => folded(text),
    (text: string) => folded(text).toLowerCase(),
    (text: string) => folded(text).toUpperCase(),
  ].flatMap(after),
]

/** The first pair that the usual collation orders differently; undefined if some collation agrees with all pairs. */
export function misplacedPair(pairs: readonly (readonly [string, string])[]): number | undefined {
  const wrong = collations.map((compare) => pairs.findIndex(([a, b]) => compare(a, b) > 0))
  return wrong.includes(-1) ? undefined : wrong[0]
}
