/** Copies answers into plain objects: graphql-js makes them without a prototype, compiled queries do not. */

/** The characters that an answer may still have. */
export interface CharacterBudget {
  left: number
}

/** Copies a JSON value and takes the length of its names and values from the budget; stops when that is used up. */
export function plainCopy<Value>(value: Value, budget: CharacterBudget): Value {
  return copy(value, budget) as Value
}

function copy(value: unknown, budget: CharacterBudget): unknown {
  if (typeof value === 'string') {
    budget.left -= value.length
    return value
  }
  if (Array.isArray(value)) return value.map((item) => (budget.left < 0 ? null : copy(item, budget)))
  if (!isRecord(value)) {
    budget.left -= 1
    return value
  }
  const data = {}
  for (const name of Object.keys(value)) {
    budget.left -= name.length
    if (budget.left < 0) break
    setOwn(data, name, copy(value[name], budget))
  }
  return data
}

/** Other objects, such as a Date that a scalar returns, stay as they are. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  // Assigning to __proto__ would set the prototype, and a client may choose this name as an alias.
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
