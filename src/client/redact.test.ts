/** A secret is found in every form in which it is likely to stand somewhere. */
import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.js'

const secret = 'a/b+c "d"&é$^\\'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('Replaced is', () => {
  test.each([
    ['the value', `Bearer ${secret}`],
    ['the value without its scheme', secret],
    ['percent encoding', encodeURIComponent(secret)],
    ['percent encoding in small letters', encodeURIComponent(secret).replace(/%../g, (it) => it.toLowerCase())],
    ['percent encoding of a form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON with its slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['HTML', 'a/b+c &quot;d&quot;&amp;é$^\\'],
    ['base64', base64(secret).replace(/=+$/, '')],
    ['base64 of the whole value', base64(`Bearer ${secret}`).replace(/=+$/, '')],
    ['base64 for addresses', Buffer.from(secret).toString('base64url')],
  ])('%s', (_, form) => {
    const redact = createRedactor([`Bearer ${secret}`])
    expect(redact(`<${form}|${form}>`)).toBe('<[secret]|[secret]>')
  })
})

test('A short secret goes where it stands as a word, because it is part of many others.', () => {
  const redact = createRedactor(['abc'])
  expect(redact('abc abcd "abc" xabc äabc _abc abc')).toBe('[secret] abcd "[secret]" xabc äabc _abc [secret]')
})

test('A secret that holds another goes as a whole.', () => {
  expect(createRedactor(['abcd', 'abcdef'])('abcdef abcd')).toBe('[secret] [secret]')
})

test('No secret, or one of nothing, changes nothing.', () => {
  for (const secrets of [[], [''], [' '], ['Bearer ']]) expect(createRedactor(secrets)('a Beare r')).toBe('a Beare r')
})

test('Half a character in a secret is no reason to fail.', () => {
  expect(createRedactor(['abcd\ud800'])('<abcd\ud800>')).toBe('<[secret]>')
})
