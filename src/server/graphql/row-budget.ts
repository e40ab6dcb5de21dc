/** How many records and other list elements one response may still hold. */
import type { GraphQLError } from 'graphql'
import type { Limits } from './limit-rules.js'
import { overLimit } from './limits.js'

/** Resolvers take what they put into the response from here. */
export class RowBudget {
  /** Records. */
  left: number
  /** Elements of lists that are not records, such as tags. */
  valuesLeft: number
  readonly #limits: Limits
  readonly #limitedBy: 'values' | 'rows'

  /** The more fields a document selects, the fewer records it may have. */
  constructor(fields: number, limits: Limits) {
    const byValues = Math.ceil(limits.values / Math.max(fields, 1))
    this.left = Math.min(byValues, limits.rows)
    this.valuesLeft = limits.values
    this.#limits = limits
    this.#limitedBy = byValues < limits.rows ? 'values' : 'rows'
  }

  over(): GraphQLError {
    return overLimit('The response', this.#limitedBy, this.#limits[this.#limitedBy])
  }

  overValues(): GraphQLError {
    return overLimit('The response', 'values', this.#limits.values)
  }
}
