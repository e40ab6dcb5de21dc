/** Verdicts on short texts that come with every request, such as the Host header: reached once for each text. */

/** Longer texts are nobody's usual ones, and would take room. */
const longest = 300
const most = 100

/** The same function of a text, which answers what it answered before. It must depend on nothing else. */
export function memoize<Value>(rule: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as Value
    const value = rule(text)
    if (text.length > longest) return value
    if (known.size === most) known.clear()
    known.set(text, value)
    return value
  }
}
