/** Reads ISO 8601 instants, in UTC unless an offset is given. Digits beyond milliseconds are dropped. */

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

/** Years 1000 to 9999: those that every format writes with four digits. */
export const isUsable = (instant: number): boolean =>
  instant >= Date.UTC(1000, 0, 1) && instant < Date.UTC(10_000, 0, 1)
