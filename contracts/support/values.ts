/** Values whose form the specification describes in words: elapsed time, and URLs of images. Compares such values. */
import type { Data } from '../../src/contract/check.js'
import { deepEqual } from '../../src/shared/json.js'

const month = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?'
const weekday = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?'

/** Forms that are not elapsed time in words. A list of the words themselves would lack most languages. */
const otherForms: readonly RegExp[] = [
  // No letters: empty, a number, or a date or time in digits.
  /^\P{L}*$/u,
  /^\d{1,2}:\d\d(?::\d\d)?\s*[ap]\.?m\.?$/i,
  /\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|^\d{8}T\d{6}/,
  // A date in words: a year and a day, in any language.
  /(?<!\d)(?:19|20)\d\d(?!\d).*\d|\d.*(?<!\d)(?:19|20)\d\d(?!\d)/,
  new RegExp(`^(?:${weekday}\\s+)?(?:${month},?\\s+\\d{1,4}|\\d{1,2}\\.?\\s+${month})$`, 'i'),
  // A duration of ISO 8601, and what a program shows by mistake.
  /^P(?:\d+[YMWD])*(?:T(?:[\d.]+[HMS])+)?$/,
  /\b(?:NaN|undefined|null|invalid)\b|\[object/i,
]

/** Whether a string can be elapsed time in words, such as `3 days ago` or `vor 3 Tagen`. An instant cannot. */
export const canBeElapsedTime = (text: string): boolean => !otherForms.some((form) => form.test(text.trim()))

/** Whether elapsed time says that something is still to come. The clocks of servers differ by seconds. */
const isFuture = (text: string) =>
  !/second|sec\b|moment|\ds\b|less than a minute/i.test(text) && /^in\s|\bfrom now$|^tomorrow|^next /i.test(text.trim())

/** Whether a string is the elapsed time since something happened. */
export const isPastTime = (text: string): boolean => canBeElapsedTime(text) && !isFuture(text)

/** Whether a string can be the URL of an image, with or without a protocol. */
export function isImageUrl(text: string): boolean {
  if (!/^(?:https?:)?\/\/[^\s/]+/i.test(text)) return false
  return URL.canParse(text.startsWith('//') ? `https:${text}` : text)
}

/** Whether two elapsed times can be of one instant: the number moves on while it is read twice. */
function isSameTime(a: string, b: string, seconds: number): boolean {
  const [one, two] = [a, b].map((it) => ({ words: it.replace(/\p{Nd}+/gu, '#'), numbers: it.match(/\p{Nd}+/gu) ?? [] }))
  if (!one || one.words !== two?.words) return false
  return one.numbers.every((it, at) => !(Math.abs(Number(it) - Number(two.numbers[at])) > 1 + seconds))
}

/** The fields that two readings of an object show with different values. */
export function fieldsThatDiffer(one: Data, two: Data, seconds = 0): readonly string[] {
  return Object.keys(one).filter((field) => {
    const [a, b] = [one[field], two[field]]
    // A type that we do not know has only the fields of its interface.
    if (field === '__typename' || !Object.hasOwn(two, field) || deepEqual(a, b)) return false
    return !(field.endsWith('_at') && typeof a === 'string' && typeof b === 'string' && isSameTime(a, b, seconds))
  })
}

/** A stopwatch in whole seconds. */
export function elapsedSeconds(): () => number {
  const began = performance.now()
  return () => Math.floor((performance.now() - began) / 1000)
}
