/** Suggestions for misspelled names. */

/** Throws an Error in one line if an object has a key that is not known: JavaScript users get no other hint. */
export function checkNames(what: string, given: object, known: object): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new Error(`There is no ${what} "${unknown}". ${suggestion(unknown, Object.keys(known))}`)
}

/** Suggests what an unknown word could have been: the nearest of the words, else all of them. */
export function suggestion(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? `Choose one of: ${words.join(', ')}.` : `Did you mean ${near}?`
}

/** The word that is closest to a misspelt one, if any is close. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((it) => ({ it, edits: editDistance(word.slice(0, 40).toLowerCase(), it.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(1, Math.floor(best.it.length / 3)) ? best.it : undefined
}

/** The number of insertions, deletions, changes and swaps of neighbors between two words. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = (rows[i] = [i])
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      )
    }
  }
  return at(a.length, b.length)
}
