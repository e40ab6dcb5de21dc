/** Repeats a read until the target shows what was written or the consistency timeout is over. */

/** Reads until the value is as wanted or time is up. Returns the last value. */
export type Eventually = <Value>(read: () => Promise<Value>, isWanted: (value: Value) => boolean) => Promise<Value>

const firstPauseMs = 50

/** Also returns the number of reads and the milliseconds they took. */
export async function readUntil<Value>(
  timeoutMs: number,
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<{ readonly value: Value; readonly reads: number; readonly ms: number }> {
  const began = performance.now()
  for (let reads = 1; ; reads += 1) {
    const value = await read()
    const ms = performance.now() - began
    if (isWanted(value) || ms >= timeoutMs) return { value, reads, ms }
    await new Promise((resolve) => setTimeout(resolve, Math.min(firstPauseMs * 2 ** (reads - 1), timeoutMs - ms)))
  }
}
