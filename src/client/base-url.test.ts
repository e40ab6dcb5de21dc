import { describe, expect, test } from 'vitest'
import { readBaseUrl } from './base-url.js'

describe('accepted', () => {
  test.each([
    ['https://staging.example.com/api/v2', 'https://staging.example.com/api/v2'],
    ['HTTPS://Staging.Example.com:8443/eu/api/v2', 'https://staging.example.com:8443/eu/api/v2'],
    ['http://localhost:4000/api/v2', 'http://localhost:4000/api/v2'],
    ['http://shop.localhost/api/v2', 'http://shop.localhost/api/v2'],
    ['http://127.0.0.1:4000/api/v2', 'http://127.0.0.1:4000/api/v2'],
    ['http://127.1/api/v2', 'http://127.0.0.1/api/v2'],
    ['http://[::1]:4000/api/v2', 'http://[::1]:4000/api/v2'],
    ['http://[::ffff:127.0.0.1]/api/v2', 'http://[::ffff:7f00:1]/api/v2'],
  ])('%s', (text, href) => {
    const { url, warnings } = readBaseUrl(text, { hasSecret: true })
    expect(url.href).toBe(href)
    expect(warnings).toEqual([])
  })

  test('http to another machine, without a secret', () => {
    expect(readBaseUrl('http://staging.example.com/api/v2', { hasSecret: false }).warnings).toEqual([])
  })
})

const error = (text: string) => {
  try {
    return `Accepted as ${readBaseUrl(text, { hasSecret: true }).url.href}`
  } catch (thrown) {
    return (thrown as Error).message
  }
}

const form = 'The base_url must be an http or https URL, such as https://staging.example.com/api/v2.'
const blank = 'The base_url contains a space or a control character. Remove it, or write a space as %20.'
const user = 'The base_url contains a user name or password. Remove it; use --token-env or --token-file.'
const overHttp = (href: string) =>
  `The base_url ${href} would send the token unencrypted. Use https, or http to this machine only.`

describe('refused', () => {
  test.each([
    ['', form],
    ['staging.example.com/api/v2', form],
    ['/api/v2', form],
    ['ftp://example.com/api/v2', form],
    ['javascript:alert(1)', form],
    ['https:example.com/api/v2', form],
    ['https:///example.com/api/v2', form],
    ['https:\\\\example.com\\api\\v2', form],
    ['https://example.com\\@other.example/api/v2', form],
    ['https://exa mple.com/api/v2', blank],
    ['https://example.com/api/v2\n', blank],
    [' https://example.com/api/v2', blank],
    ['https://example.com/\tapi/v2', blank],
    ['https://exam\u202eple.com/api/v2', blank],
    ['https://example.com\u2028/api/v2', blank],
    ['https://canary:pw@example.com/api/v2', user],
    ['https://canary@example.com/api/v2', user],
    ['https://:canary@example.com/api/v2?x', user],
    [
      'https://example.com/api/v2?canary',
      'The base_url contains a query or a fragment. Use https://example.com/api/v2.',
    ],
    ['https://example.com/api/v2?', 'The base_url contains a query or a fragment. Use https://example.com/api/v2.'],
    [
      'https://example.com/api/v2#canary',
      'The base_url contains a query or a fragment. Use https://example.com/api/v2.',
    ],
    ['http://staging.example.com/api/v2', overHttp('http://staging.example.com/api/v2')],
    ['http://localhost.example.com/api/v2', overHttp('http://localhost.example.com/api/v2')],
    ['http://notlocalhost/api/v2', overHttp('http://notlocalhost/api/v2')],
    ['http://127.0.0.1.example.com/api/v2', overHttp('http://127.0.0.1.example.com/api/v2')],
    ['http://128.0.0.1/api/v2', overHttp('http://128.0.0.1/api/v2')],
    ['http://0.0.0.0/api/v2', overHttp('http://0.0.0.0/api/v2')],
  ])('%j', (text, sentence) => {
    expect(error(text)).toBe(sentence)
    expect(error(text)).not.toContain('canary')
  })
})

test('warns of an unusual path', () => {
  expect(readBaseUrl('https://example.com/graphql/', { hasSecret: true }).warnings).toEqual([
    'The base_url https://example.com/graphql/ does not end in /api/v2, as the specification says.',
  ])
})
