/** What the JSON value of a scalar must be, by the name of the scalar. */
import { isObject as isJsonObject } from '../shared/json.js'

/** Describes what the value must be; undefined if it is that. */
export type ScalarValidator = (value: unknown) => string | undefined

const must =
  (expected: string, isValid: (value: unknown) => boolean): ScalarValidator =>
  (value) =>
    isValid(value) ? undefined : expected

export const isString = must('a string', (value) => typeof value === 'string')
export const isObject = must('an object', isJsonObject)
export const isList = must('a list', Array.isArray)

/** The built-in scalars. Int is not limited to 32 bits, because JSON is not. */
export const scalarValidators: Readonly<Record<string, ScalarValidator>> = {
  ID: (value) => isString(value) ?? (value === '' ? 'an identifier' : undefined),
  String: isString,
  Boolean: must('true or false', (value) => typeof value === 'boolean'),
  Int: must('a whole number', Number.isInteger),
  Float: must('a number', (value) => typeof value === 'number'),
}

/** Describes a JSON value. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number with a fraction'
  return typeof value === 'boolean' ? String(value) : 'an object'
}
