/** Instants as people write them: ISO 8601, in UTC where no offset is given. */

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Milliseconds since 1970-01-01T00:00:00Z, or undefined where the text is no instant. */
export function readInstant(text: string): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset = 'Z'] =
    form.exec(text) ?? []
  if (year === undefined) return undefined
  const parts = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)] as const
  const [y, mo, d, h, mi, s] = parts
  const utc = new Date(Date.UTC(y, mo - 1, d, h, mi, s, Number(fraction.padEnd(3, '0'))))
  const back = [
    utc.getUTCFullYear(),
    utc.getUTCMonth() + 1,
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  ]
  // A day such as 30 February would roll over into the next month.
  if (!parts.every((part, i) => part === back[i])) return undefined
  const shift = offsetMs(offset)
  const instant = utc.getTime() - (shift ?? NaN)
  return isUsable(instant) ? instant : undefined
}

/** From the year 1000 to 9999: what every format words in four digits, with the two years before the world begins. */
export const isUsable = (instant: number): boolean =>
  instant >= Date.UTC(1000, 0, 1) && instant < Date.UTC(10_000, 0, 1)

/** An offset of UTC in milliseconds, or undefined where no clock on earth has it. */
function offsetMs(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0
  const digits = offset.replace(/[^\d]/g, '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (hours > 14 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
