/** Values whose form the specification describes in words: elapsed time, URLs of images. And whether two are the same. */
import type { Data } from '../../src/contract/check.js'
import { deepEqual } from '../../src/shared/deep-equal.js'

/** The units of the usual libraries: moment, dayjs, date-fns, timeago, Rails. */
const unit =
  '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)\\.?'
const number =
  '(?:\\d+(?:[.,]\\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|half an?|several)'
const vague = '(?:about|almost|around|over|under|nearly|roughly|approximately|less than|more than|~|<|>)'
const amount = `(?:${vague}\\s*)?${number}\\s*${unit}(?:(?:,|\\s+and|,\\s*and)?\\s+${number}\\s*${unit})*`

const forms: readonly RegExp[] = [
  new RegExp(`^(?:in\\s+)?${amount}(?:\\s+(?:ago|from now|later|earlier))?$`, 'i'),
  /^(?:just now|right now|now|moments? ago|a moment ago|in a moment|recently|today|yesterday|tomorrow|never)$/i,
  /^(?:last|next|this) (?:second|minute|hour|night|day|week|month|quarter|year)$/i,
  /^the day (?:before yesterday|after tomorrow)$/i,
  /^(?:(?:today|yesterday|tomorrow)|(?:last |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day) at \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?$/i,
]

/** Whether a string is elapsed time in words, such as `3 days ago`. An instant is not. */
export const isElapsedTime = (text: string): boolean => {
  const plain = text.replace(/\s+/g, ' ').trim()
  return forms.some((form) => form.test(plain))
}

/** Whether elapsed time says that something is still to come. The clocks of servers differ by seconds. */
const isFuture = (text: string) =>
  !/second|sec\b|moment|\ds\b|less than a minute/i.test(text) && /^in\s|\bfrom now$|^tomorrow|^next /i.test(text.trim())

/** Whether a string is the elapsed time since something happened. */
export const isPastTime = (text: string): boolean => isElapsedTime(text) && !isFuture(text)

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

/** A field that two readings of an object show with different values. */
export function fieldThatDiffers(one: Data, two: Data, seconds = 0): string | undefined {
  return Object.keys(one).find((field) => {
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
