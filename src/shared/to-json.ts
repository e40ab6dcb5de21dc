/** The value that is left of one when it has been JSON. Throws an Error in one line if nothing is. */
export function toJson(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  const text = typeof value === 'bigint' ? undefined : JSON.stringify(value)
  if (text === undefined) throw new Error(`A record cannot hold a ${typeof value}, because that is no JSON value.`)
  return JSON.parse(text)
}
