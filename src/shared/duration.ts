/** Durations as people write them: a number with a unit. */

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
