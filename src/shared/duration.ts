/** Durations as people write them: a number with a unit. */

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Milliseconds of a duration, as text or as a number. Throws an Error in one line. */
export function toDuration(value: number | string): number {
  const ms = typeof value === 'string' ? readDuration(value) : value
  if (ms !== undefined && Number.isSafeInteger(ms)) return ms
  throw new Error(`Cannot read the duration ${JSON.stringify(value)}. Write whole milliseconds, or text such as "3h".`)
}

/** Milliseconds, or undefined if the text is not a duration such as `90s`, `3h`, `-2d` or `2 days`. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(-?\d+(?:\.\d+)?) ?(ms|[smhdw]|(?:second|minute|hour|day|week)s?)$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  return Math.round(Number(count) * (units[unit] ?? (units[unit.charAt(0)] as number)))
}
