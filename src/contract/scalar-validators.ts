/** What a leaf of an answer must be as JSON, by the name of its scalar. */
import { isObject as isJsonObject } from '../shared/is-object.js'

/** What the value must be, in words, where it is not; nothing where it is. */
export type LeafRule = (value: unknown) => string | undefined

const must =
  (words: string, holds: (value: unknown) => boolean): LeafRule =>
  (value) =>
    holds(value) ? undefined : words

export const isText = must('a text', (value) => typeof value === 'string')
export const isObject = must('an object', isJsonObject)

/** The scalars that every schema has. Whole numbers are not held to 32 bits: JSON has no such limit. */
export const leafRules: Readonly<Record<string, LeafRule>> = {
  ID: isText,
  String: isText,
  Boolean: must('true or false', (value) => typeof value === 'boolean'),
  Int: must('a whole number', Number.isInteger),
  Float: must('a number', (value) => typeof value === 'number'),
}

/** What a JSON value is, in words. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number with a fraction'
  return typeof value === 'boolean' ? String(value) : 'an object'
}
