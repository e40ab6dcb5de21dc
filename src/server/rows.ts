/** How many records and other elements of lists an answer may hold. */
import type { GraphQLError } from 'graphql'
import type { Limits } from './limit-rules.js'
import { overLimit } from './limits.js'

/** Whoever puts records into an answer takes them from here. */
export interface RowBudget {
  left: number
  /** Elements of lists that are no records: texts and the like. */
  valuesLeft: number
  /** The error of an answer that would hold more. */
  readonly over: () => GraphQLError
  readonly overValues: () => GraphQLError
}

/** A document that selects much of each record, `fields` in all, may have fewer of them. */
export function budgetOf(fields: number, limits: Limits): RowBudget {
  const byValues = Math.ceil(limits.values / Math.max(fields, 1))
  const name = byValues < limits.rows ? 'values' : 'rows'
  return {
    left: Math.min(byValues, limits.rows),
    valuesLeft: limits.values,
    over: () => overLimit('The answer', name, limits[name]),
    overValues: () => overLimit('The answer', 'values', limits.values),
  }
}
