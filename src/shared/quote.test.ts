import { expect, test } from 'vitest'
import { quote } from './quote.js'

test.each([
  ['', '""'],
  ['a b', '"a b"'],
  ['say "a"', '"say "a""'],
  ['two\nlines\r\n\tand more', '"two lines and more"'],
  ['\u0000\u001b[31m\u202e', '" [31m "'],
  ['\uD800', '" "'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  ['😀'.repeat(41), `"${'😀'.repeat(40)}…"`],
])('%j is quoted as %s', (value, text) => {
  expect(quote(value)).toBe(text)
})
