/** Elapsed time at each boundary, patterns in UTC, and the clock of a mock. */
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime.js'
import utc from 'dayjs/plugin/utc.js'
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createMock, type Mock } from '../src/index.js'
import { timeStamp } from './relative-time.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 10, 27, 12)

/** The last millisecond of each wording, before the next one begins. */
const boundaries: readonly (readonly [ms: number, words: string])[] = [
  [44.5 * second - 1, 'a few seconds'],
  [90 * second - 1, 'a minute'],
  [2.5 * minute - 1, '2 minutes'],
  [3.5 * minute - 1, '3 minutes'],
  [44.5 * minute - 1, '44 minutes'],
  [90 * minute - 1, 'an hour'],
  [2.5 * hour - 1, '2 hours'],
  [21.5 * hour - 1, '21 hours'],
  [36 * hour - 1, 'a day'],
  [2.5 * day - 1, '2 days'],
  [25.5 * day - 1, '25 days'],
]

test.each(boundaries)('Up to %d ms ago is "%s ago", and no longer.', (ms, words) => {
  expect(timeStamp(now - ms, now)).toBe(`${words} ago`)
  expect(timeStamp(now - ms - 1, now)).not.toBe(`${words} ago`)
})

test.each(boundaries)('Up to %d ms from now is "in %s", and no longer.', (ms, words) => {
  expect(timeStamp(now + ms, now)).toBe(`in ${words}`)
  expect(timeStamp(now + ms + 1, now)).not.toBe(`in ${words}`)
})

const wordings: readonly (readonly [ms: number, words: string])[] = [
  [0, 'a few seconds'],
  [1, 'a few seconds'],
  [44 * second, 'a few seconds'],
  [45 * second, 'a minute'],
  [89 * second, 'a minute'],
  [90 * second, '2 minutes'],
  [44 * minute, '44 minutes'],
  [45 * minute, 'an hour'],
  [89 * minute, 'an hour'],
  [90 * minute, '2 hours'],
  [21 * hour, '21 hours'],
  [22 * hour, 'a day'],
  [35 * hour, 'a day'],
  [36 * hour, '2 days'],
  [25 * day, '25 days'],
  [26 * day, 'a month'],
  [45 * day, 'a month'],
  [46 * day, '2 months'],
  [304 * day, '10 months'],
  [325 * day, 'a year'],
  [517 * day, 'a year'],
  [538 * day, 'a year'],
  [556 * day, '2 years'],
  [2 * 365 * day, '2 years'],
  [3652 * day, '10 years'],
]

test.each(wordings)('%d ms ago is "%s ago".', (ms, words) => {
  expect(timeStamp(now - ms, now)).toBe(`${words} ago`)
  expect(timeStamp(now - ms, now, { suffix: true })).toBe(`${words} ago`)
  expect(timeStamp(now - ms, now, { suffix: false })).toBe(words)
  expect(timeStamp(now - ms, now, { suffix: null, format: null })).toBe(`${words} ago`)
  expect(timeStamp(now - ms, now, { format: 'fromNow' })).toBe(`${words} ago`)
})

test.each(wordings.slice(1))('%d ms from now is "in %s".', (ms, words) => {
  expect(timeStamp(now + ms, now)).toBe(`in ${words}`)
  expect(timeStamp(now + ms, now, { suffix: false })).toBe(words)
})

test.each([
  ['2026-10-12T12:00:01', 'a month ago'],
  ['2026-10-12T12:00:00', '2 months ago'],
  ['2026-01-27T12:00:00', '10 months ago'],
  ['2026-01-13T00:00:00', '10 months ago'],
  ['2026-01-11T12:00:00', 'a year ago'],
  ['2025-12-27T12:00:00', 'a year ago'],
  ['2025-06-27T12:00:00', 'a year ago'],
  ['2025-05-28T12:00:00', 'a year ago'],
  ['2025-05-27T12:00:00', '2 years ago'],
  ['2024-11-27T12:00:00', '2 years ago'],
  ['2024-05-29T12:00:00', '2 years ago'],
  ['2024-05-26T12:00:00', '3 years ago'],
  ['1970-01-01T00:00:00', '57 years ago'],
])('Months follow the calendar: on 27 November 2026, %s was %s.', (then, words) => {
  expect(timeStamp(Date.parse(`${then}Z`), now)).toBe(words)
})

dayjs.extend(relativeTime)
dayjs.extend(utc)

/** Mostly near a boundary of the calendar: a day of a month, plus or minus hours. */
const instant = fc
  .tuple(fc.integer({ min: 1970, max: 2100 }), fc.nat(11), fc.integer({ min: 1, max: 31 }), fc.nat(24 * 60 * 60))
  .map(([year, month, date, seconds]) => Date.UTC(year, month, date) + seconds * second)
const apart = fc.oneof(
  fc.integer({ min: -100 * 365, max: 100 * 365 }).map((days) => days * day),
  fc.integer({ min: -3 * 365 * 24, max: 3 * 365 * 24 }).map((hours) => hours * hour),
  fc.integer({ min: -40 * 86_400, max: 40 * 86_400 }).map((seconds) => seconds * second + 1),
)

test('Any two instants are worded like dayjs does.', () => {
  fc.assert(
    fc.property(instant, apart, fc.boolean(), (at, ms, suffix) => {
      const theirs = dayjs.utc(at + ms).from(dayjs.utc(at), !suffix)
      expect(timeStamp(at + ms, at, { suffix })).toBe(theirs)
    }),
    { numRuns: 4000, seed: 1 },
  )
})

const then = Date.UTC(2026, 1, 3, 4, 5, 6, 7)

const formats: readonly (readonly [format: string, text: string])[] = [
  ['YYYY-MM-DD', '2026-02-03'],
  ['YYYY-MM-DDTHH:mm:ss', '2026-02-03T04:05:06'],
  ['YYYY-MM-DDTHH:mm:ssZ', '2026-02-03T04:05:06+00:00'],
  ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2026-02-03T04:05:06.007+00:00'],
  ['YYYY-MM-DDTHH:mm:ss[Z]', '2026-02-03T04:05:06Z'],
  ['DD/MM/YYYY', '03/02/2026'],
  ['D MMMM YYYY, h:mm A', '3 February 2026, 4:05 AM'],
  ['[no pattern]', 'no pattern'],
  ['', '2026-02-03T04:05:06Z'],
]

test.each(formats)('The pattern %j gives %j, with or without a suffix.', (format, text) => {
  expect(timeStamp(then, now, { format })).toBe(text)
  expect(timeStamp(then, now, { format, suffix: false })).toBe(text)
})

test('An exact pattern reproduces the instant.', () => {
  const text = timeStamp(then, now, { format: 'YYYY-MM-DDTHH:mm:ssZ' })
  expect(Date.parse(text)).toBe(then - 7)
})

const zone = process.env['TZ']

afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test.each(['America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati', 'UTC'])(
  'The time zone %s of the machine does not matter.',
  (name) => {
    process.env['TZ'] = name
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(name)
    for (const [format, text] of formats) expect(timeStamp(then, now, { format })).toBe(text)
    for (const [ms, words] of boundaries) {
      expect(timeStamp(now - ms, now)).toBe(`${words} ago`)
      expect(timeStamp(now - ms - 1, now)).not.toBe(`${words} ago`)
    }
    // An hour that daylight saving time skips in Los Angeles.
    expect(timeStamp(Date.UTC(2026, 2, 8, 9), Date.UTC(2026, 2, 8, 11))).toBe('2 hours ago')
  },
)

const frozen = (options = {}) => createMock({ freeze: true, counts: { customers: 5, segments: 3 }, ...options })

type Times = Readonly<Record<string, string>>

/** The first customer with these fields. */
async function first(mock: Mock, fields: string, variables = {}): Promise<Times> {
  const { data, errors } = await mock.execute({
    query: `query ($format: String, $suffix: Boolean) {
      customers(query: "order_by:_id", first: 1) { edges { node { ${fields} } } }
      unused: customers(query: "", first: 0) { edges { node { created_at(format: $format, suffix: $suffix) } } }
    }`,
    variables,
  })
  expect(errors).toBeUndefined()
  const { edges } = (data ?? {})['customers'] as { edges: { node: Times }[] }
  return edges[0]?.node as Times
}

test('Every time of the API takes a format and a suffix.', async () => {
  const times = `
    created_at updated_at
    bare: created_at(suffix: false)
    day: created_at(format: "YYYY-MM-DD")
    exact: updated_at(format: "YYYY-MM-DDTHH:mm:ssZ")
  `
  const { data, errors } = await frozen().execute({
    query: `{
      account { ${times} }
      segments(query: "", first: 1) { edges { node { ${times} } } }
      customers(query: "", first: 1) { edges { node { ${times} } } }
    }`,
  })
  expect(errors).toBeUndefined()
  const { account, segments, customers } = data as Record<string, { edges: { node: Times }[] }>
  for (const record of [account as unknown as Times, segments?.edges[0]?.node, customers?.edges[0]?.node] as Times[]) {
    expect(record['created_at']).toBe(`${record['bare']} ago`)
    expect(record['updated_at']).toMatch(/ ago$/)
    expect(record['day']).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(record['exact']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  }
})

test('Null and a missing variable mean the same as no argument.', async () => {
  const fields =
    'plain: created_at nulls: created_at(format: null, suffix: null) asked: created_at(format: $format, suffix: $suffix)'
  const mock = frozen()
  for (const variables of [{}, { format: null, suffix: null }]) {
    const { plain, nulls, asked } = await first(mock, fields, variables)
    expect(plain).toMatch(/ ago$/)
    expect([nulls, asked]).toEqual([plain, plain])
  }
  const { asked } = await first(mock, fields, { format: 'YYYY', suffix: false })
  expect(asked).toMatch(/^20\d\d$/)
})

test('Elapsed time follows the clock of the world; patterns do not.', async () => {
  const mock = frozen({ now: '2026-11-27T12:00:00Z' })
  const fields = 'created_at exact: created_at(format: "YYYY-MM-DDTHH:mm:ssZ")'
  const { exact = '' } = await first(mock, fields)
  const made = Date.parse(exact)
  const steps: readonly (readonly [ms: number, words: string])[] = [
    [0, 'a few seconds ago'],
    [44 * second, 'a few seconds ago'],
    [45 * second, 'a minute ago'],
    [90 * minute, '2 hours ago'],
    [3 * day, '3 days ago'],
    [-3 * day, 'in 3 days'],
  ]
  for (const [ms, words] of steps) {
    mock.clock.set(made + ms)
    expect(await first(mock, fields)).toMatchObject({ created_at: words, exact })
  }
  mock.clock.set(made)
  mock.clock.advance(hour)
  expect(await first(mock, fields)).toMatchObject({ created_at: 'an hour ago', exact })
})

test('A new record was created "a few seconds ago", and a day later "a day ago".', async () => {
  const mock = frozen({ now: '2030-05-06T07:08:09Z' })
  const made = await mock.execute({
    query:
      'mutation { createSegment(node: { name: "New" }) { id created_at updated_at(format: "YYYY-MM-DDTHH:mm:ssZ") } }',
  })
  expect(made.data?.['createSegment']).toMatchObject({
    created_at: 'a few seconds ago',
    updated_at: '2030-05-06T07:08:09+00:00',
  })
  mock.clock.advance(day)
  const { id } = (made.data ?? {})['createSegment'] as { id: string }
  const changed = await mock.execute({
    query: `mutation { updateSegment(id: "${id}", node: { name: "Newer" }) { created_at updated_at exact: updated_at(format: "YYYY-MM-DDTHH:mm:ssZ") } }`,
  })
  expect(changed.data?.['updateSegment']).toEqual({
    created_at: 'a day ago',
    updated_at: 'a few seconds ago',
    exact: '2030-05-07T07:08:09+00:00',
  })
})
