/** Only GraphQL names get into generated code. */
import { expect, test } from 'vitest'
import { makerOf, readerOf } from './generated.js'

const read = () => 1

test('Generated code builds an object with its members in order, also with keywords as names.', () => {
  const names = ['b', 'a', 'class', 'return', 'constructor', 'toString', '_', '__typename', 'source', 'reads', 'r0']
  const make = makerOf<string>(
    names.map((name) => ({ name, read: (source, state) => `${String(source)}${name}${state}` })),
  )
  const made = make('<', '>')
  expect(Object.entries(made)).toEqual(names.map((name) => [name, `<${name}>`]))
  expect(makerOf([])('', '')).toEqual({})
  for (const name of names) expect(readerOf(name)({ [name]: 5 })).toBe(5)
})

test.each([
  '__proto__',
  '',
  ' a',
  'a b',
  'a.b',
  'a"',
  "a'",
  'a`',
  '1a',
  'ä',
  'a\n',
  'a:1',
  'a};process.exit()//',
  'a/*',
  '\u2028',
  '$a',
  'a-b',
])('Code is generated for GraphQL names only, not for %j', (name) => {
  expect(() => readerOf(name)).toThrow('Cannot generate code')
  expect(() => makerOf([{ name, read }])).toThrow('Cannot generate code')
})
