/** Identifiers: a bijection between indexes and random-looking strings with a checksum. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIds } from './ids.js'

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-']
const ids = createIds(1, 'let_')
const anyIndex = fc.oneof(
  fc.nat(1000),
  fc.integer({ min: 2 ** 30 - 5, max: 2 ** 30 + 5 }),
  fc.integer({ min: 2 ** 32 - 5, max: 2 ** 32 + 5 }),
  fc.integer({ min: 2 ** 53 - 5, max: 2 ** 53 - 1 }),
  fc.maxSafeNat(),
)

test('An identifier is the prefix and 21 URL-safe characters.', () => {
  fc.assert(fc.property(anyIndex, (index) => void expect(ids.encode(index)).toMatch(/^let_[A-Za-z0-9_-]{21}$/)))
})

test('An identifier decodes to its index.', () => {
  fc.assert(
    fc.property(anyIndex, fc.maxSafeInteger(), fc.constantFrom('', 'let_', 'a-long-prefix_'), (index, seed, prefix) => {
      const { encode, decode } = createIds(seed, prefix)
      expect(decode(encode(index))).toBe(index)
    }),
    { numRuns: 1000 },
  )
})

test.each([0, 1, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])(
  'The identifier of index %d decodes to it.',
  (index) => {
    expect(ids.decode(ids.encode(index))).toBe(index)
  },
)

test('No two indexes share an identifier.', () => {
  const given = new Set<string>()
  for (let index = 0; index < 200_000; index++) given.add(ids.encode(index))
  expect(given.size).toBe(200_000)
})

test('Identifiers are the same in every release.', () => {
  expect([0, 1, 1_000_000].map((index) => ids.encode(index))).toMatchInlineSnapshot(`
    [
      "let_NmF0bSZH4In_t29bT6wEx",
      "let_ufgU1wGFUxy4lFX2fSstN",
      "let_zpRLbDLEcdk6o5-QkBXIj",
    ]
  `)
})

test('An identifier with one changed character does not decode.', () => {
  const character = fc.oneof(fc.constantFrom(...alphabet), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }))
  fc.assert(
    fc.property(anyIndex, fc.nat(24), character, (index, at, changed) => {
      const id = ids.encode(index)
      fc.pre(id[at] !== changed)
      expect(ids.decode(id.slice(0, at) + changed + id.slice(at + 1))).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})

test('No identifier with any one character replaced decodes.', () => {
  const id = ids.encode(7)
  for (let at = 0; at < id.length; at++) {
    for (const changed of alphabet) {
      if (changed === id[at]) continue
      expect(ids.decode(id.slice(0, at) + changed + id.slice(at + 1))).toBeUndefined()
    }
  }
})

test('A string that decodes is the identifier of its index.', () => {
  const parts = fc.tuple(anyIndex, anyIndex, fc.integer({ min: 4, max: 25 }))
  fc.assert(
    fc.property(parts, fc.nat(24), fc.string({ unit: 'binary', maxLength: 2 }), ([a, b, cut], at, text) => {
      const mixed = ids.encode(a).slice(0, cut) + ids.encode(b).slice(cut)
      for (const id of [mixed, mixed.slice(0, at) + text + mixed.slice(at + text.length)]) {
        const index = ids.decode(id)
        expect(index === undefined || ids.encode(index) === id).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})

test('A guessed string does not decode.', () => {
  const guess = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 21, maxLength: 21 })
  fc.assert(fc.property(guess, (text) => void expect(ids.decode(`let_${text}`)).toBeUndefined()))
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void expect(ids.decode(text)).toBeUndefined()))
})

test.each([
  ['the empty text', ''],
  ['a number', '1'],
  ['a long number', '1234567890123456789012345'],
  ['the prefix', 'let_'],
  ['one that is cut', ids.encode(7).slice(0, -1)],
  ['one without its first character', ids.encode(7).slice(1)],
  ['one without prefix', ids.encode(7).slice(4)],
  ['one that is lengthened', `${ids.encode(7)}A`],
  ['one with a space before it', ` ${ids.encode(7)}`],
  ['one with a line feed behind it', `${ids.encode(7)}\n`],
  ['one in capitals', ids.encode(7).toUpperCase()],
  ['one of another seed', createIds(2, 'let_').encode(7)],
  ['one of another seed above 32 bits', createIds(1 + 2 ** 32, 'let_').encode(7)],
  ['one of another prefix', createIds(1, 'wor_').encode(7)],
  ['one of another prefix under this one', createIds(1, 'wor_').encode(7).replace('wor_', 'let_')],
])('It is no identifier here: %s.', (_, id) => {
  expect(ids.decode(id)).toBeUndefined()
})
