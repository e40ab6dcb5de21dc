/** Orders of texts that servers and databases have: a list by name may be in any of them. */
type Compare = (a: string, b: string) => number

const byCodePoint: Compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byCodeUnit: Compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1)
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')
const after = (change: (text: string) => string): readonly Compare[] =>
  [byCodePoint, byCodeUnit].map((compare) => (a, b) => compare(change(a), change(b)))

const locales = ['en', 'ar', 'cs', 'da', 'de', 'es', 'fr', 'hu', 'pl', 'ro', 'sv', 'tr']

/** `base` finds letters equal that differ in case or accents, so it contradicts fewest servers. */
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

/** The first pair that is in the wrong order in the usual collation, unless all pairs are right in another one. */
export function misplacedPair(pairs: readonly (readonly [string, string])[]): number | undefined {
  const wrong = collations.map((compare) => pairs.findIndex(([a, b]) => compare(a, b) > 0))
  return wrong.includes(-1) ? undefined : wrong[0]
}
