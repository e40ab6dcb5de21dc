/** Times as the service words them: elapsed time in the wording of dayjs, or a pattern in UTC. */
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)

export interface TimeStampArguments {
  /** `fromNow`, or a pattern of dayjs such as `YYYY-MM-DDTHH:mm:ssZ`. Null is the same as left out. */
  readonly format?: string | null
  /** Whether elapsed time ends in "ago" or begins with "in". Null is the same as left out. */
  readonly suffix?: boolean | null
}

/** What was worded last: a document that asks for the same pattern under many names has it worded once. */
const patterns = new Map<string, string>()
const maxPatterns = 100

/** `then` and `now` in milliseconds since 1970-01-01T00:00:00Z. */
export function timeStamp(then: number, now: number, { format, suffix }: TimeStampArguments = {}): string {
  if (format != null && format !== 'fromNow') return byPattern(then, format)
  const words = elapsed(then, now)
  if (suffix === false) return words
  return then > now ? `in ${words}` : `${words} ago`
}

function byPattern(then: number, format: string): string {
  const key = `${then} ${format}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const text = dayjs.utc(then).format(format)
  if (patterns.size === maxPatterns) patterns.clear()
  patterns.set(key, text)
  return text
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
export const day = 24 * hour

interface Step {
  readonly unit: number
  /** The highest count, rounded, of which these words are used. */
  readonly most: number
  /** What a count of 1 is called, and any count where there is no plural. */
  readonly one: string
  readonly many?: string
}

const steps: readonly Step[] = [
  { unit: second, most: 44, one: 'a few seconds' },
  { unit: second, most: 89, one: 'a minute' },
  { unit: minute, most: 44, one: 'a minute', many: 'minutes' },
  { unit: minute, most: 89, one: 'an hour' },
  { unit: hour, most: 21, one: 'an hour', many: 'hours' },
  { unit: hour, most: 35, one: 'a day' },
  { unit: day, most: 25, one: 'a day', many: 'days' },
  { unit: day, most: 45, one: 'a month' },
]

/**
 * Elapsed time in the words of dayjs, which takes some twenty times as long: a list of customers words two times a
 * row. A test holds both together.
 */
function elapsed(then: number, now: number): string {
  const ms = Math.abs(then - now)
  for (const { unit, most, one, many } of steps) {
    const count = Math.round(ms / unit)
    if (count <= most) return many === undefined || count <= 1 ? one : `${count} ${many}`
  }
  const months = roundedMonths(then, now, 1)
  if (months <= 1) return 'a month'
  if (months <= 10) return `${months} months`
  const years = months <= 17 ? 1 : roundedMonths(then, now, 12)
  return years <= 1 ? 'a year' : `${years} years`
}

const meanMonth = (365.2425 / 12) * day
/** By how many months the calendar may differ from months that are all of one length. */
const calendarSlack = 0.13

/** The months between two instants divided by `by`, rounded. The calendar is asked only where it could matter. */
function roundedMonths(then: number, now: number, by: number): number {
  const months = Math.abs(then - now) / meanMonth
  const low = Math.round((months - calendarSlack) / by)
  const high = Math.round((months + calendarSlack) / by)
  return low === high ? low : Math.round(Math.abs(calendarMonths(then, now)) / by)
}

/** As moment and dayjs count: whole months of the calendar, and the share of the one that is not whole. */
function calendarMonths(a: number, b: number): number {
  const from = monthOf(a)
  const to = monthOf(b)
  // The day of the month, and the time of day with it: 0 is the beginning of the month.
  const into = a - startOf(from)
  const other = b - startOf(to)
  if (Math.floor(into / day) < Math.floor(other / day)) return calendarMonths(b, a)
  const whole = to - from
  const anchor = placeIn(to, into)
  const next = placeIn(to + (b < anchor ? -1 : 1), into)
  return whole + (b - anchor) / Math.abs(next - anchor)
}

/** As far into another month, or the same time on its last day where it has no such day. */
function placeIn(month: number, into: number): number {
  const lastDay = startOf(month + 1) - startOf(month) - day
  const rest = into % day
  return startOf(month) + Math.min(into - rest, lastDay) + rest
}

const meanDays = 30.436875

/** The month of an instant, counted from January of the year 0. Without Date, which takes ten times as long. */
function monthOf(instant: number): number {
  let month = 1970 * 12 + Math.floor(instant / day / meanDays)
  while (startOf(month) > instant) month -= 1
  while (startOf(month + 1) <= instant) month += 1
  return month
}

/** When a month begins. Years are counted from March on, so that the day that may be missing is their last one. */
function startOf(month: number): number {
  const year = Math.floor((month - 2) / 12)
  const months = month - 2 - year * 12
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return (365 * year + leapDays + Math.floor((153 * months + 2) / 5) - 719_468) * day
}
