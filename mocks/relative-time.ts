/** Times as the service words them: elapsed time in the words of dayjs, or a pattern in UTC. */
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)

export interface TimeStampArguments {
  /** `fromNow`, or a pattern of dayjs such as `YYYY-MM-DDTHH:mm:ssZ`. Null is the default, `fromNow`. */
  readonly format?: string | null
  /** Whether to add "ago" or "in" to elapsed time. Null is the default, true. */
  readonly suffix?: boolean | null
}

/** `then` and `now` in milliseconds since 1970-01-01T00:00:00Z. */
export function timeStamp(then: number, now: number, { format, suffix }: TimeStampArguments = {}): string {
  if (format != null && format !== 'fromNow') return dayjs.utc(then).format(format)
  const words = elapsed(then, now)
  if (suffix === false) return words
  return then > now ? `in ${words}` : `${words} ago`
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
export const day = 24 * hour

interface Step {
  readonly unit: number
  /** The highest rounded count that this step covers. */
  readonly max: number
  readonly one: string
  /** Without it, every count is worded as one. */
  readonly many?: string
}

const steps: readonly Step[] = [
  { unit: second, max: 44, one: 'a few seconds' },
  { unit: second, max: 89, one: 'a minute' },
  { unit: minute, max: 44, one: 'a minute', many: 'minutes' },
  { unit: minute, max: 89, one: 'an hour' },
  { unit: hour, max: 21, one: 'an hour', many: 'hours' },
  { unit: hour, max: 35, one: 'a day' },
  { unit: day, max: 25, one: 'a day', many: 'days' },
  { unit: day, max: 45, one: 'a month' },
]

/** Words elapsed time like dayjs, which takes 100 times as long: too slow for two times in every row of a list. */
function elapsed(then: number, now: number): string {
  const ms = Math.abs(then - now)
  for (const { unit, max, one, many } of steps) {
    const count = Math.round(ms / unit)
    if (count <= max) return many === undefined || count <= 1 ? one : `${count} ${many}`
  }
  const months = roundedMonths(then, now, 1)
  if (months <= 1) return 'a month'
  if (months <= 10) return `${months} months`
  const years = months <= 17 ? 1 : roundedMonths(then, now, 12)
  return years <= 1 ? 'a year' : `${years} years`
}

const meanMonth = (365.2425 / 12) * day
/** How far calendar months may differ from mean months. */
const slack = 0.13

/** The months between two instants divided by `by`, rounded. Uses the calendar only if it can make a difference. */
function roundedMonths(then: number, now: number, by: number): number {
  const months = Math.abs(then - now) / meanMonth
  const low = Math.round((months - slack) / by)
  const high = Math.round((months + slack) / by)
  return low === high ? low : Math.round(Math.abs(calendarMonths(then, now)) / by)
}

/** Counts like dayjs: whole months of the calendar, and a fraction of the last one. */
function calendarMonths(a: number, b: number): number {
  const from = monthOf(a)
  const to = monthOf(b)
  const sinceStart = a - startOf(from)
  if (Math.floor(sinceStart / day) < Math.floor((b - startOf(to)) / day)) return calendarMonths(b, a)
  const whole = to - from
  const anchor = inMonth(to, sinceStart)
  const next = inMonth(to + (b < anchor ? -1 : 1), sinceStart)
  return whole + (b - anchor) / Math.abs(next - anchor)
}

/** The same day and time in another month, on its last day if it is too short. */
function inMonth(month: number, sinceStart: number): number {
  const lastDay = startOf(month + 1) - startOf(month) - day
  const timeOfDay = sinceStart % day
  return startOf(month) + Math.min(sinceStart - timeOfDay, lastDay) + timeOfDay
}

/** The month of an instant, counted from January 1970. */
function monthOf(instant: number): number {
  let month = Math.floor(instant / meanMonth)
  while (startOf(month) > instant) month -= 1
  while (startOf(month + 1) <= instant) month += 1
  return month
}

const starts: number[] = []

const startOf = (month: number) => (starts[month] ??= Date.UTC(1970, month))
