/** Errors for clients, and values as they repeat them. */
import { expect, test } from 'vitest'
import { serviceError } from './service-error.js'
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
])('The value %j is repeated as %s.', (value, text) => {
  expect(quote(value)).toBe(text)
})

test('An error of the service has a code, and a key where the vendor has one.', () => {
  expect(serviceError('NOT_FOUND', 'There is none.').toJSON()).toEqual({
    message: 'There is none.',
    extensions: { code: 'NOT_FOUND' },
  })
  expect(serviceError('NOT_FOUND', 'There is none.', 'errors_none').extensions).toEqual({
    code: 'NOT_FOUND',
    key: 'errors_none',
  })
})
