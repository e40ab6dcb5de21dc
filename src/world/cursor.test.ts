/** Cursors: encoding, decoding, and strings that are not cursors. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.js'
import type { Order } from './page.js'

const byChar: Order = { key: 'char', dir: 'asc' }
const place = { value: 'c', index: 2 }
const cursor = encodeCursor('letters', byChar, place)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const written = (value: unknown) => base64(JSON.stringify(value))

test('A cursor is base64 of the sort value, the number, and the list with its order.', () => {
  expect(Buffer.from(cursor, 'base64').toString()).toMatchInlineSnapshot(`"["c",3,"letters char asc"]"`)
})

test.each([
  ['a letter', 'c'],
  ['the empty text', ''],
  ['accents', 'Zoë Ångström-O’Brien'],
  ['other scripts', '愛 😀'],
  ['what JSON escapes', '\u0000 "\\'],
  ['a combined accent', 'e\u0301'],
  ['half an emoji', '\ud83d'],
  ['a long text', 'x'.repeat(200_000)],
  ['a long text of emoji', '😀'.repeat(50_000)],
  ['zero', 0],
  ['a negative number', -1.5],
  ['a large number', 1e21],
])('A position survives encoding and decoding: %s.', (_, value) => {
  const given = encodeCursor('letters', byChar, { value, index: 2 })
  expect(given).toMatch(/^[A-Za-z0-9+/]+=*$/)
  expect(decodeCursor('letters', byChar, given)).toEqual({ value, index: 2 })
})

test('Any position survives encoding and decoding.', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(value, fc.nat(2 ** 31), fc.constantFrom('asc', 'desc'), (value, index, dir) => {
      const order = { key: 'char', dir } as const
      const back = decodeCursor('letters', order, encodeCursor('letters', order, { value, index }))
      expect(back).toEqual({ value: Object.is(value, -0) ? 0 : value, index })
    }),
  )
})

test.each([
  ['words', byChar],
  ['letters', { key: 'size', dir: 'asc' }],
  ['letters', { key: 'char', dir: 'desc' }],
] as const)('A cursor of letters by char is foreign to %s by %o.', (list, order) => {
  expect(decodeCursor(list, order, cursor)).toBe('foreign')
})

test.each([
  ['no base64', '{}'],
  ['no JSON', base64('letters')],
  ['no UTF-8', Buffer.from('["\xff", 3, "letters char asc"]', 'latin1').toString('base64')],
  ['half of one', cursor.slice(0, cursor.length >> 1)],
  ['the empty text', ''],
  ['a number', '2'],
  ['null', written(null)],
  ['a text', written('c')],
  ['an object', written({ value: 'c', index: 2, length: 3 })],
  ['an empty list', written([])],
  ['two parts', written(['c', 3])],
  ['four parts', written(['c', 3, 'letters char asc', 1])],
  ['no value', written([null, 3, 'letters char asc'])],
  ['a list as value', written([['c'], 3, 'letters char asc'])],
  ['a truth as value', written([true, 3, 'letters char asc'])],
  ['number 0', written(['c', 0, 'letters char asc'])],
  ['number -1', written(['c', -1, 'letters char asc'])],
  ['half a number', written(['c', 1.5, 'letters char asc'])],
  ['a number above 2^53', base64('["c", 9007199254740993, "letters char asc"]')],
  ['a number as text', written(['c', '3', 'letters char asc'])],
  ['a list name that is no text', written(['c', 3, null])],
])('Not a cursor: %s.', (_, text) => {
  expect(decodeCursor('letters', byChar, text)).toBe('broken')
})

test('Decoding never throws.', () => {
  const part = fc.oneof(fc.jsonValue(), fc.constant('letters char asc'))
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'AZaz09+/= ') }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
    fc.json().map(base64),
    fc.array(part, { maxLength: 4 }).map(written),
  )
  fc.assert(
    fc.property(text, (text) => {
      expect(() => decodeCursor('letters', byChar, text)).not.toThrow()
    }),
    { numRuns: 1000 },
  )
})
