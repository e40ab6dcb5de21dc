import { expect, test } from 'vitest'
import { quote, sanitize } from './text.js'

test.each([
  ['Zoë – 日本 👩 “a”', 'Zoë – 日本 👩 “a”'],
  ['\u001b[31mred\u001b]8;;x\u0007', '\\u{1b}[31mred\\u{1b}]8;;x\\u{7}'],
  ['a\r\nb\tc\0\u007f', 'a\\u{d}\\u{a}b\\u{9}c\\u{0}\\u{7f}'],
  ['\u0085\u009b', '\\u{85}\\u{9b}'],
  ['\u202e\u2066\u200f\u061c', '\\u{202e}\\u{2066}\\u{200f}\\u{61c}'],
  ['\u200b\u200d\u2060\ufeff\u00ad\u3164', '\\u{200b}\\u{200d}\\u{2060}\\u{feff}\\u{ad}\\u{3164}'],
  ['\u2028\u2029', '\\u{2028}\\u{2029}'],
  ['\ud800a\udc00', '\\u{d800}a\\u{dc00}'],
  ['\u{e0041}', '\\u{e0041}'],
])('%j', (text, safe) => {
  expect(sanitize(text)).toBe(safe)
})

test('cuts between characters, never inside one', () => {
  expect(sanitize('abc', 3)).toBe('abc')
  expect(sanitize('abcd', 3)).toBe('abc…')
  expect(sanitize('👩👩👩', 3)).toBe('👩👩👩')
  expect(sanitize('👩👩👩👩', 3)).toBe('👩👩👩…')
  expect(sanitize('👩👩👩a', 3)).toBe('👩👩👩…')
  expect(sanitize('\u001b\u001b', 1)).toBe('\\u{1b}…')
  expect(sanitize('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
})

test('is cheap for a text of megabytes', () => {
  const text = Buffer.from('é👩'.repeat(5_000_000)).toString()
  const start = performance.now()
  expect(sanitize(text, 2)).toBe('é👩…')
  expect(performance.now() - start).toBeLessThan(500)
})

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
