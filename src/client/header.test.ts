import { describe, expect, test } from 'vitest'
import { headerProblem, readHeader, readHeaderEnv as readVariable, secretOf } from './header.js'

const env = { SHOP: ' one ', EMPTY: '', BLANK: ' ' }

const readHeaderEnv = (text: string, of: typeof env) => secretOf(readVariable(text), of)

const result = (read: () => unknown) => {
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

test('--header-env reads the value from the environment, also of a secret', () => {
  expect(readHeaderEnv('X-Api-Key: SHOP', env)).toEqual({ name: 'X-Api-Key', value: 'one', variable: 'SHOP' })
})

const form = (option: string, of: string) => `${option} takes '${of}'. A name has only letters, digits and hyphens.`
const secret = (name: string) =>
  `--header: ${name} looks like a secret, and command lines are visible to others. Set an environment variable and use --header-env '${name}: VARIABLE'.`

describe('--header refuses', () => {
  test.each([
    ['canary', form('--header', 'Name: value')],
    [': canary', form('--header', 'Name: value')],
    ['X Shop: canary', form('--header', 'Name: value')],
    ['X-Sh\u00f6p: canary', form('--header', 'Name: value')],
    ['X-Shop\r\nHost: canary', form('--header', 'Name: value')],
    ['X-Shop:', "--header: X-Shop has no value. Write --header 'Name: value'."],
    ['Host: canary', '--header: the client sets Host itself. Leave it out.'],
    ['content-length: canary', '--header: the client sets content-length itself. Leave it out.'],
    ['Transfer-Encoding: canary', '--header: the client sets Transfer-Encoding itself. Leave it out.'],
    ['Accept: canary', '--header: the client sets Accept itself. Leave it out.'],
    ['Content-Type: canary', '--header: the client sets Content-Type itself. Leave it out.'],
    ['Authorization: canary', secret('Authorization')],
    ['COOKIE: canary', secret('COOKIE')],
    ['X-Api-Key: canary', secret('X-Api-Key')],
    ['X-Shop-Token: canary', secret('X-Shop-Token')],
    ['X-Secret: canary', secret('X-Secret')],
    ['X-Password: canary', secret('X-Password')],
  ])('%j', (text, sentence) => {
    expect(result(() => readHeader(text))).toBe(sentence)
    expect(sentence).not.toContain('canary')
  })
})

describe('--header-env refuses', () => {
  test.each([
    ['canary', form('--header-env', 'Name: VARIABLE')],
    [
      'X-Key: Bearer canary',
      "--header-env: X-Key needs the name of an environment variable. Write --header-env 'X-Key: VARIABLE', and put the value into that variable.",
    ],
    ['X-Key: MISSING', '--header-env: MISSING is unset or empty. Set it to the value of X-Key.'],
    ['X-Key: EMPTY', '--header-env: EMPTY is unset or empty. Set it to the value of X-Key.'],
    ['X-Key: BLANK', '--header-env: BLANK is unset or empty. Set it to the value of X-Key.'],
    ['X-Key: constructor', '--header-env: constructor is unset or empty. Set it to the value of X-Key.'],
    ['Host: SHOP', '--header-env: the client sets Host itself. Leave it out.'],
    ['Proxy-Authorization: SHOP', '--header-env: the client sets Proxy-Authorization itself. Leave it out.'],
  ])('%j', (text, sentence) => {
    expect(result(() => readHeaderEnv(text, env))).toBe(sentence)
    expect(sentence).not.toContain('canary')
  })
})

test('The target refuses invalid names and values, and does not repeat a value.', () => {
  expect(headerProblem({ name: 'X', value: 'y' })).toBeUndefined()
  expect(headerProblem({ name: 'X\n', value: 'y' })).toBe('"X\\\\u{a}" is not a valid header name.')
  expect(headerProblem({ name: 'X', value: 'canary\n' })).toBe(
    'The value of the header X contains an invalid character.',
  )
})
