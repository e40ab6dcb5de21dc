/** Durations such as `3h`, instants in ISO 8601, and relative times, as people write and read them. */

const letters = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** A month counts as 30 days, a year as 365, so that the text of a query says the same. */
const words = {
  second: letters.s,
  minute: letters.m,
  hour: letters.h,
  day: letters.d,
  week: letters.w,
  month: 30 * letters.d,
  year: 365 * letters.d,
}

const units: Readonly<Record<string, number>> = { ...letters, ...words }

const form = new RegExp(
  `^(-?\\d+(?:\\.\\d+)?) ?(?:(${Object.keys(letters).join('|')})|(${Object.keys(words).join('|')})s?)$`,
)

/** Milliseconds of a duration, as text or as a number. Throws an Error in one line. */
export function toDuration(value: number | string): number {
  const ms = typeof value === 'string' ? readDuration(value) : value
  if (ms !== undefined && Number.isSafeInteger(ms)) return ms
  throw new Error(`Cannot read the duration ${JSON.stringify(value)}. Write whole milliseconds, or text such as "3h".`)
}

/** Milliseconds, or undefined if the text is not a duration such as `90s`, `3h`, `-2d` or `2 days`. */
export function readDuration(text: string): number | undefined {
  const [, count, letter, word] = form.exec(text) ?? []
  const unit = units[letter ?? word ?? '']
  return unit === undefined ? undefined : Math.round(Number(count) * unit)
}

const iso =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})\d{0,6})?)?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)?)?$/i

/**
 * Milliseconds since 1970-01-01T00:00:00Z, or undefined if the text is not an instant. It is in UTC unless it has an offset.
 * Digits beyond milliseconds are dropped.
 */
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
const spans = new Map([
  ['now', '0s ago'],
  ['yesterday', '1d ago'],
  ['tomorrow', 'in 1d'],
])

/** What a record or a world file takes as a time, for messages. */
export const timeForms = 'a time such as 2026-01-31T12:00:00Z, "3 days ago" or -3d'

/**
 * The same, and times relative to `now`: `3 days ago`, `in 2 hours`, `-3d`, `now`, `yesterday`, `tomorrow`.
 * @example readTime('an hour ago', Date.now())
 */
export function readTime(text: string, now: number): number | undefined {
  const [, short, past, future] = /^(?:-(\d.*)|(.+) ago|in (.+))$/.exec(spans.get(text) ?? text) ?? []
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
