/** Caches pure functions: of strings that recur, such as the Host header, and of objects, while these exist. */

interface CacheSize<Value> {
  /** Longer strings rarely recur, and would take memory. */
  readonly maxLength?: number
  /** How much the entries may weigh together. If they weigh more, the cache starts again empty. */
  readonly capacity?: number
  readonly weightOf?: (text: string, value: Value) => number
}

/** Caches the results of a pure function. */
export function memoize<Value>(
  compute: (text: string) => Value,
  { maxLength = 300, capacity = 100, weightOf = () => 1 }: CacheSize<Value> = {},
): (text: string) => Value {
  const cache = new Map<string, Value>()
  let weight = 0
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined || cache.has(text)) return cached as Value
    const value = compute(text)
    const added = weightOf(text, value)
    if (text.length > maxLength || added > capacity) return value
    if (weight + added > capacity) {
      cache.clear()
      weight = 0
    }
    cache.set(text, value)
    weight += added
    return value
  }
}

/** Caches the results of a pure function of an object for as long as the object is there. */
export function memoizeWeak<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>()
  return (key) => {
    let value = cache.get(key)
    if (value === undefined) cache.set(key, (value = compute(key)))
    return value
  }
}
