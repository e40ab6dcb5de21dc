/** How many records and other elements of lists an answer may hold. */
import type { GraphQLError } from 'graphql'
import type { Limits } from './limit-rules.js'
import { overLimit } from './limits.js'

/** Whoever puts records into an answer takes them from here. */
export class RowBudget {
  left: number
  /** Elements of lists that are no records: texts and the like. */
  valuesLeft: number
  readonly #limits: Limits
  readonly #name: 'values' | 'rows'

  /** A document that selects much of each record, `fields` in all, may have fewer of them. */
  constructor(fields: number, limits: Limits) {
    const byValues = Math.ceil(limits.values / Math.max(fields, 1))
    this.left = Math.min(byValues, limits.rows)
    this.valuesLeft = limits.values
    this.#limits = limits
    this.#name = byValues < limits.rows ? 'values' : 'rows'
  }

  /** The error of an answer that would hold more. */
  over(): GraphQLError {
    return overLimit('The answer', this.#name, this.#limits[this.#name])
  }

  overValues(): GraphQLError {
    return overLimit('The answer', 'values', this.#limits.values)
  }
}
