/** Which headers a user may add, and what is said about the others. */
import { describe, expect, test } from 'vitest'
import { headerProblem, readHeader, readHeaderEnv } from './header.js'

const env = { SHOP: ' one ', EMPTY: '', BLANK: ' ', BROKEN: 'canary\nX: y' }

const said = (read: () => unknown) => {
  try {
    return `Read as ${JSON.stringify(read())}`
  } catch (thrown) {
    return (thrown as Error).message
  }
}

test.each([
  ['X-Shop: one', 'X-Shop', 'one'],
  ['X-Shop:one: two ', 'X-Shop', 'one: two'],
  ["x!#$%&'*+.^`|~-1: \u00e9", "x!#$%&'*+.^`|~-1", '\u00e9'],
])('--header %j', (text, name, value) => {
  expect(readHeader(text)).toEqual({ name, value })
})

test('--header-env takes the value from the environment, secret names too.', () => {
  expect(readHeaderEnv('X-Api-Key: SHOP', env)).toEqual({ name: 'X-Api-Key', value: 'one', variable: 'SHOP' })
})

const form = (option: string, of: string) =>
  `${option} takes '${of}', and the name of a header is letters, digits and hyphens.`
const secret = (name: string) =>
  `--header: ${name} looks like a secret, and others can read a command line. Put it into an environment variable and name that: --header-env '${name}: VARIABLE'.`

describe('--header refuses', () => {
  test.each([
    ['canary', form('--header', 'Name: value')],
    [': canary', form('--header', 'Name: value')],
    ['X Shop: canary', form('--header', 'Name: value')],
    ['X-Sh\u00f6p: canary', form('--header', 'Name: value')],
    ['X-Shop\r\nHost: canary', form('--header', 'Name: value')],
    ['X-Shop:', "--header: nothing follows X-Shop. Write --header 'Name: value'."],
    [
      'X-Shop: canary\r\nHost: x',
      '--header: the value of X-Shop holds a character that no header can carry. Take it out.',
    ],
    ['X-Shop: canary\u0000', '--header: the value of X-Shop holds a character that no header can carry. Take it out.'],
    ['X-Shop: canary\u20ac', '--header: the value of X-Shop holds a character that no header can carry. Take it out.'],
    ['Host: canary', '--header: Host is set by the request itself. Leave it out.'],
    ['content-length: canary', '--header: content-length is set by the request itself. Leave it out.'],
    ['Transfer-Encoding: canary', '--header: Transfer-Encoding is set by the request itself. Leave it out.'],
    ['Accept: canary', '--header: Accept is set by the request itself. Leave it out.'],
    ['Content-Type: canary', '--header: Content-Type is set by the request itself. Leave it out.'],
    ['Authorization: canary', secret('Authorization')],
    ['COOKIE: canary', secret('COOKIE')],
    ['X-Api-Key: canary', secret('X-Api-Key')],
    ['X-Shop-Token: canary', secret('X-Shop-Token')],
    ['X-Secret: canary', secret('X-Secret')],
    ['X-Password: canary', secret('X-Password')],
  ])('%j', (text, sentence) => {
    expect(said(() => readHeader(text))).toBe(sentence)
    expect(sentence).not.toContain('canary')
  })
})

describe('--header-env refuses', () => {
  test.each([
    ['canary', form('--header-env', 'Name: VARIABLE')],
    [
      'X-Key: Bearer canary',
      "--header-env: what follows X-Key is no name of an environment variable. Write --header-env 'X-Key: VARIABLE', and the value into that variable.",
    ],
    [
      'X-Key: MISSING',
      '--header-env: the environment variable MISSING for X-Key is not set. Set it to the value of the header.',
    ],
    [
      'X-Key: EMPTY',
      '--header-env: the environment variable EMPTY for X-Key is empty. Set it to the value of the header.',
    ],
    [
      'X-Key: BLANK',
      '--header-env: the environment variable BLANK for X-Key is empty. Set it to the value of the header.',
    ],
    [
      'X-Key: constructor',
      '--header-env: the environment variable constructor for X-Key is not set. Set it to the value of the header.',
    ],
    [
      'X-Key: BROKEN',
      '--header-env: the environment variable BROKEN holds a character that no header can carry, such as a line break. Take it out.',
    ],
    ['Host: SHOP', '--header-env: Host is set by the request itself. Leave it out.'],
    ['Proxy-Authorization: SHOP', '--header-env: Proxy-Authorization is set by the request itself. Leave it out.'],
  ])('%j', (text, sentence) => {
    expect(said(() => readHeaderEnv(text, env))).toBe(sentence)
    expect(sentence).not.toContain('canary')
  })
})

test('A header from elsewhere is looked at too.', () => {
  expect(headerProblem({ name: 'X', value: 'y' })).toBeUndefined()
  expect(headerProblem({ name: 'X\n', value: 'y' })).toBe('"X\\\\u{a}" is no name of a header.')
  expect(headerProblem({ name: 'X', value: 'canary\n' })).toBe(
    'The value of X holds a character that no header can carry.',
  )
})
