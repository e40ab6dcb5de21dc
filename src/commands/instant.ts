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
  return utc.getTime() - offsetMs(offset)
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const digits = offset.replace(/[^\d]/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (offset.startsWith('-') ? -1 : 1) * minutes * 60_000
}
