import { expect, test } from 'vitest'
import { readInstant } from './instant.js'

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31t12:00:05.5z', '2026-01-31T12:00:05.500Z'],
  ['2026-01-31 12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T12:00:00-0330', '2026-01-31T15:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is %s', (text, instant) => {
  expect(new Date(readInstant(text) as number).toISOString()).toBe(instant)
})

test.each([
  '',
  'yesterday',
  '2026-01-31T12',
  '2026-02-29',
  '2026-13-01',
  '2026-01-31T24:00',
  '2026-01-31T12:60',
  '2026-01-31T12:00+15:00',
  '2026-01-31+02:00',
  '0999-12-31',
  '0050-01-01',
  '9999-12-31T23:59-14:00',
])('%j is not an instant', (text) => {
  expect(readInstant(text)).toBeUndefined()
})
