import { afterEach, expect, test, vi } from 'vitest'
import { lateness, newLag, readPatiently } from './eventually.js'

afterEach(() => void vi.useRealTimers())

/** A read that shows true after some milliseconds. */
function shownAfter(ms: number) {
  const began = performance.now()
  return async () => performance.now() - began >= ms
}

test('A read that is late is waited for, and the lag is known to the next.', async () => {
  // A busy machine would be later than the timeout itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const lag = newLag(20)
  const reading = readPatiently(lag, shownAfter(50), Boolean)
  await vi.advanceTimersByTimeAsync(200)
  expect((await reading).value).toBe(true)
  expect(lag.ms).toBeGreaterThanOrEqual(50)
  expect(lateness({ ...lag, timeoutMs: 2000, ms: 4120 })).toMatchInlineSnapshot(
    `"A write became visible after 4.1 s, later than \`--consistency-timeout\` (2 s). Allow more time with \`--consistency-timeout 7s\`."`,
  )
})

test('A server that is always as late is read at most three times for each write.', async () => {
  const lag = newLag(1000)
  const readsOf = async () => (await readPatiently(lag, shownAfter(180), Boolean)).reads
  expect(await readsOf()).toBeGreaterThan(3)
  // A busy machine is later than the server now and then.
  expect(Math.min(await readsOf(), await readsOf(), await readsOf())).toBeLessThan(4)
  expect(lag.usualMs).toBeGreaterThan(100)
})

test('Reads that are in time, and a run without patience, are not late.', async () => {
  const lag = newLag(20)
  await readPatiently(lag, async () => true, Boolean)
  expect(lateness(lag)).toBe(undefined)
  await readPatiently({ ...lag, timeoutMs: 5, patience: 0 }, shownAfter(50), Boolean)
  expect(lateness({ ...lag, timeoutMs: 5 })).toBe(undefined)
})

test('What never shows costs a bounded time in all.', async () => {
  const lag = newLag(5)
  const began = performance.now()
  for (let n = 1; n <= 6; n += 1) await readPatiently(lag, async () => false, Boolean)
  expect(lag.patience).toBeLessThanOrEqual(0)
  expect(performance.now() - began).toBeLessThan(500)
})
