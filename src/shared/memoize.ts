/** Caches functions of short strings that recur in every request, such as the Host header. */

/** Longer strings rarely recur, and would take memory. */
const maxLength = 300
const maxEntries = 100

/** Caches the results of a pure function of a string. */
export function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined || cache.has(text)) return cached as Value
    const value = compute(text)
    if (text.length > maxLength) return value
    if (cache.size === maxEntries) cache.clear()
    cache.set(text, value)
    return value
  }
}
