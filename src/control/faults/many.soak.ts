import { expect, test } from 'vitest'
import { namesOfFaults, sendMany, ways } from './many.testkit.js'

test('100,000 requests with faults leave nothing behind, and health answers within 50 ms meanwhile.', async () => {
  const { open, heap, health, ends, happened } = await sendMany(5, 20_000)
  expect(open).toEqual([{}, {}, {}, {}, {}])
  expect((heap[4] as number) - (heap[1] as number)).toBeLessThan(6 * 1024 * 1024)
  expect([...happened]).toEqual(expect.arrayContaining(namesOfFaults))
  expect(Object.keys(ends)).toEqual(expect.arrayContaining(ways))
  const sorted = health.toSorted((a, b) => a - b)
  // The clients share the thread of the server.
  expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(50)
}, 3_600_000)
