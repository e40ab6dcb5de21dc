/** When a target that rejects everything as too many is given up. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPace } from './pace.js'

test('A target is hopeless after a dozen rejections within its patience, unless it answers in between.', async () => {
  const pace = createPace({ patienceMs: 30 })
  const reject = (times: number) => {
    for (let i = 0; i < times; i += 1) pace.slow(performance.now(), undefined)
  }
  reject(12)
  expect(pace.hopeless).toBe(false)
  await wait(40)
  expect(pace.hopeless).toBe(true)
  pace.answered()
  reject(11)
  await wait(40)
  expect(pace.hopeless).toBe(false)
})
