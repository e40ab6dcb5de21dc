/** Times as the service words them: elapsed time in the wording of dayjs, or a pattern in UTC. */
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(relativeTime)
dayjs.extend(utc)

export interface TimeStampArguments {
  /** `fromNow`, or a pattern of dayjs such as `YYYY-MM-DDTHH:mm:ssZ`. Null is the same as left out. */
  readonly format?: string | null
  /** Whether elapsed time ends in "ago" or begins with "in". Null is the same as left out. */
  readonly suffix?: boolean | null
}

/** What was worded last: a document that asks for the same time under many names has it worded once. */
const worded = new Map<string, string>()
const mostWorded = 100

/** `then` and `now` in milliseconds since 1970-01-01T00:00:00Z. */
export function timeStamp(then: number, now: number, args: TimeStampArguments = {}): string {
  const { format, suffix } = args
  const key = `${then} ${now} ${suffix} ${format}`
  const known = worded.get(key)
  if (known !== undefined) return known
  const text = wordedTime(then, now, args)
  if (worded.size === mostWorded) worded.clear()
  worded.set(key, text)
  return text
}

function wordedTime(then: number, now: number, { format, suffix }: TimeStampArguments): string {
  const moment = dayjs.utc(then)
  if ((format ?? 'fromNow') !== 'fromNow') return moment.format(format as string)
  return moment.from(dayjs.utc(now), suffix === false)
}
