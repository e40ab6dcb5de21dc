/** Repeats a read until the target shows what was written or the consistency timeout is over. */

/** Reads until the value is as wanted or time is up. Returns the last value. */
export type Eventually = <Value>(read: () => Promise<Value>, isWanted: (value: Value) => boolean) => Promise<Value>

const firstPauseMs = 10
const maxPauseMs = 500

/**
 * Also returns the number of reads and the milliseconds they took.
 * @param usualMs after how long the value is likely to be as wanted
 */
export async function readUntil<Value>(
  timeoutMs: number,
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
  usualMs = firstPauseMs,
): Promise<{ readonly value: Value; readonly reads: number; readonly ms: number }> {
  const began = performance.now()
  for (let reads = 1; ; reads += 1) {
    const value = await read()
    const ms = performance.now() - began
    if (isWanted(value) || ms >= timeoutMs) return { value, reads, ms }
    const pauseMs = reads === 1 ? usualMs : Math.min(firstPauseMs * 2 ** (reads - 2), maxPauseMs)
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, timeoutMs - ms)))
  }
}

/** How late reads show what the run wrote. The checks of a run and its cleanup share this measurement. */
export interface Lag {
  /** The consistency timeout. */
  readonly timeoutMs: number
  /** The longest time until a write became visible. */
  ms: number
  /** The last time until a write became visible. */
  usualMs?: number | undefined
  /** Milliseconds that reads may still take beyond the consistency timeout. */
  patience: number
}

/** The patience covers a few late reads. More may be broken promises, not lag. */
export const newLag = (timeoutMs: number): Lag => ({ timeoutMs, ms: 0, patience: 12 * timeoutMs })

/** Reads until the value is as wanted, beyond the consistency timeout if that may help, and measures the lag. */
export async function readPatiently<Value>(
  lag: Lag,
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
  timeoutMs = lag.timeoutMs,
): ReturnType<typeof readUntil<Value>> {
  const first = await readUntil(timeoutMs, read, isWanted, lag.usualMs)
  // A little less, so that it can also fall.
  if (first.reads > 1 && isWanted(first.value)) lag.usualMs = Math.max(firstPauseMs, 0.9 * first.ms)
  const extraMs = Math.min(4 * timeoutMs, lag.patience)
  if (isWanted(first.value) || extraMs <= 0) return first
  const more = await readUntil(extraMs, read, isWanted)
  lag.patience -= more.ms
  const ms = first.ms + more.ms
  if (isWanted(more.value)) lag.ms = Math.max(lag.ms, ms)
  return { value: more.value, reads: first.reads + more.reads, ms }
}

/** A timeout that is long enough for the lag. */
export const timeoutFor = ({ ms, timeoutMs }: Lag): number => Math.max(timeoutMs, 1.5 * ms)

/** Why reads cannot be judged, if they are later than the consistency timeout. */
export function lateness(lag: Lag): string | undefined {
  const { ms, timeoutMs } = lag
  if (ms <= timeoutMs) return undefined
  const seconds = (value: number) => `${Math.round(value / 100) / 10} s`
  const enough = Math.ceil(timeoutFor(lag) / 1000)
  return `A write became visible after ${seconds(ms)}, later than \`--consistency-timeout\` (${seconds(timeoutMs)}). Allow more time with \`--consistency-timeout ${enough}s\`.`
}
