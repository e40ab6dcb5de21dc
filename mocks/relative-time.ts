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

/** `then` and `now` in milliseconds since 1970-01-01T00:00:00Z. */
export function timeStamp(then: number, now: number, { format, suffix }: TimeStampArguments = {}): string {
  const moment = dayjs.utc(then)
  if ((format ?? 'fromNow') !== 'fromNow') return moment.format(format as string)
  return moment.from(dayjs.utc(now), suffix === false)
}
