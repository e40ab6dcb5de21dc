/** Caches functions of strings that recur in every request, such as the Host header. */

const maxEntries = 100

/** Caches the results of a pure function. Strings longer than `maxLength` rarely recur, and would take memory. */
export function memoize<Value>(
  compute: (text: string) => Value,
  { maxLength = 300 }: { readonly maxLength?: number } = {},
): (text: string) => Value {
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
