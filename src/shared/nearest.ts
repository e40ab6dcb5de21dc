/** The word that is most likely meant by a misspelt one, if any is close. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((it) => ({ it, edits: editDistance(word.slice(0, 40).toLowerCase(), it.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(1, Math.floor(best.it.length / 3)) ? best.it : undefined
}

/** The number of insertions, deletions, changes and swaps of neighbours between two words. */
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
