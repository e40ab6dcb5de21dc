import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.js'

const secret = 'a/b+c "d"&é$^\\'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a secret is replaced as', () => {
  test.each([
    ['the value', `Bearer ${secret}`],
    ['the value without its scheme', secret],
    ['percent encoding', encodeURIComponent(secret)],
    ['percent encoding in lower case', encodeURIComponent(secret).replace(/%../g, (it) => it.toLowerCase())],
    ['form encoding', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON with its slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['HTML', 'a/b+c &quot;d&quot;&amp;é$^\\'],
    ['base64', base64(secret).replace(/=+$/, '')],
    ['base64 of the whole value', base64(`Bearer ${secret}`).replace(/=+$/, '')],
    ['base64url', Buffer.from(secret).toString('base64url')],
  ])('%s', (_, form) => {
    const redact = createRedactor([`Bearer ${secret}`])
    expect(redact(`<${form}|${form}>`)).toBe('<[secret]|[secret]>')
  })
})

test('a short secret is replaced only as a whole word', () => {
  const redact = createRedactor(['abc'])
  expect(redact('abc abcd "abc" xabc äabc _abc abc')).toBe('[secret] abcd "[secret]" xabc äabc _abc [secret]')
})

test('a secret that contains another is replaced as a whole', () => {
  expect(createRedactor(['abcd', 'abcdef'])('abcdef abcd')).toBe('[secret] [secret]')
})

test('without a secret, or with an empty one, nothing changes', () => {
  for (const secrets of [[], [''], [' '], ['Bearer ']]) expect(createRedactor(secrets)('a Beare r')).toBe('a Beare r')
})

test('a lone surrogate in a secret is no error', () => {
  expect(createRedactor(['abcd\ud800'])('<abcd\ud800>')).toBe('<[secret]>')
})
