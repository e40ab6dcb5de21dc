/** Reads the age from a relative time in words. */

/** English only: `d` begins a second in Indonesian. */
const unit =
  '(?<unit>s|m|h|d|w|mo|y)(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?|(?:ee)?ks?|n?(?:th)?s?|(?:ea)?rs?)?\\b\\.?'
const form = new RegExp(
  `^(?<into>in\\s+)?(?:(?:about|almost|around|nearly|over|~)\\s*)?(?<count>\\d+|an?|a few)\\s*${unit}(?<later>\\s+(?:from now|later))?`,
  'i',
)

const hoursIn: Readonly<Record<string, number>> = { s: 0, m: 1 / 60, h: 1, d: 24, w: 168, mo: 730, y: 8766 }

/**
 * The hours since a relative time, negative in the future. Undefined if the words are not known.
 * @example hoursSince('3 days ago') // 72
 */
export function hoursSince(text: unknown): number | undefined {
  const { into, count, unit, later } = (typeof text === 'string' && form.exec(text.trim())?.groups) || {}
  const hours = hoursIn[unit?.toLowerCase() ?? '']
  if (hours === undefined) return undefined
  const amount = (Number(count) || (count === '0' ? 0 : 1)) * hours
  return into === undefined && later === undefined ? amount : -amount
}

/**
 * Whether two ages are too far apart for the same instant. Rounding may double an age, as in `an hour ago` and then
 * `2 hours ago`, but it never turns the future into the past.
 */
export function areFarApart(a: number, b: number): boolean {
  const [earlier, later] = [Math.max(a, b), Math.min(a, b)]
  if (later <= -1 && earlier >= 0) return true
  return earlier - later > Math.max(1, Math.min(Math.abs(a), Math.abs(b)))
}
