/** Reads and shows ISO 8601 instants, in UTC unless an offset is given, and relative times. Digits beyond milliseconds are dropped. */
import { readDuration } from './duration.js'

const iso =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})\d{0,6})?)?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)?)?$/i

/** Milliseconds since 1970-01-01T00:00:00Z, or undefined if the text is not an instant. */
export function readInstant(text: string): number | undefined {
  const [, date, time = '00:00', seconds = '00', fraction = '', sign, hours = 0, minutes = 0] = iso.exec(text) ?? []
  if (date === undefined) return undefined
  const utc = `${date}T${time}:${seconds}.${fraction.padEnd(3, '0')}Z`
  const ms = Date.parse(utc)
  // The parser turns 30 February into 2 March, and 24:00 into the next day.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== utc) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const instant = sign === '-' ? ms + offset : ms - offset
  return isUsable(instant) ? instant : undefined
}

/** Milliseconds of an instant: ISO 8601 text, a Date, or milliseconds. Throws an Error in one line. */
export function toInstant(value: unknown, alternative = ''): number {
  const instant =
    typeof value === 'string' ? readInstant(value) : value instanceof Date ? value.getTime() : (value as number)
  if (Number.isSafeInteger(instant) && isUsable(instant as number)) return instant as number
  const shown = typeof value === 'number' ? value : JSON.stringify(value)
  throw new Error(
    `Cannot read the instant ${shown}. Write it as 2026-01-31T12:00:00Z, in the years 1000 to 9999${alternative}.`,
  )
}

/** What is written for a span that has no number. */
const words = new Map([
  ['now', '0s ago'],
  ['yesterday', '1d ago'],
  ['tomorrow', 'in 1d'],
])

/**
 * The same, and times relative to `now`: `3 days ago`, `in 2 hours`, `-3d`, `now`, `yesterday`, `tomorrow`.
 * @example readTime('an hour ago', Date.now())
 */
export function readTime(text: string, now: number): number | undefined {
  const [, short, past, future] = /^(?:-(\d.*)|(.+) ago|in (.+))$/.exec(words.get(text) ?? text) ?? []
  const span = readDuration((short ?? past ?? future ?? '').replace(/^an? /, '1 '))
  const instant = span === undefined ? readInstant(text) : now + (future === undefined ? -span : span)
  return instant !== undefined && isUsable(instant) ? instant : undefined
}

/** Years 1000 to 9999: those that every format writes with four digits. */
const isUsable = (instant: number): boolean => instant >= Date.UTC(1000, 0, 1) && instant < Date.UTC(10_000, 0, 1)

/** The day of an instant in ISO 8601: `2026-01-31`. */
export const dayOf = (instant: string): string => instant.slice(0, 'YYYY-MM-DD'.length)

/** An instant in ISO 8601 to its minute: `2026-01-31 12:00`. */
export const instantText = (instant: string): string => instant.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')
