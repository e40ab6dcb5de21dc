import { expect, test } from 'vitest'
import { namesOfFaults, sendMany, ways } from './many.testkit.js'

test('600 requests with faults leave no socket, no timer and no memory behind, and health answers meanwhile.', async () => {
  const { open, heap, health, ends, happened } = await sendMany(2, 300)
  expect(open).toEqual([{}, {}])
  expect((heap[1] as number) - (heap[0] as number)).toBeLessThan(6 * 1024 * 1024)
  const sorted = health.toSorted((a, b) => a - b)
  // The soak measures it; here other tests take the processor.
  expect(sorted[sorted.length >> 1]).toBeLessThan(2000)
  expect([...happened]).toEqual(expect.arrayContaining(namesOfFaults))
  expect(Object.keys(ends)).toEqual(expect.arrayContaining(ways))
  expect(Object.values(ends).reduce((sum, it) => sum + it, 0)).toBe(600)
}, 300_000)
