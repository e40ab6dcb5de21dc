/** Settings: what was typed goes over the environment, and that over the config file; a wrong one is named by its place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wholeNumber, type OptionRule } from './options.js'
import { keyOf, loadConfig, namesOf, readSettings, variableOf, type Places } from './settings.js'

const rules: readonly OptionRule[] = [
  { flags: '--port <number>', about: '', read: wholeNumber(0, 9) },
  { flags: '--host <name>', about: '' },
  { flags: '--lenient-inputs', about: '' },
]

const read = (places: Partial<Places>) => readSettings(rules, { flags: {}, env: {}, config: undefined, ...places })
const config = (values: Record<string, unknown>) => ({ name: 'commerce-mock.config.json', values })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-mock-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('an option has a name for each place', () => {
  expect(rules.map((rule) => [keyOf(rule), variableOf(rule)])).toEqual([
    ['port', 'COMMERCE_MOCK_PORT'],
    ['host', 'COMMERCE_MOCK_HOST'],
    ['lenientInputs', 'COMMERCE_MOCK_LENIENT_INPUTS'],
  ])
})

test('what is set nowhere is not there', () => {
  expect(read({})).toEqual({})
})

test('what was typed goes over the environment, and that over the config file', () => {
  const env = { COMMERCE_MOCK_PORT: '2', COMMERCE_MOCK_HOST: 'b' }
  const file = config({ port: 3, host: 'c', lenientInputs: true })
  expect(read({ config: file })).toEqual({ port: 3, host: 'c', lenientInputs: true })
  expect(read({ env, config: file })).toEqual({ port: 2, host: 'b', lenientInputs: true })
  expect(read({ flags: { port: '1' }, env, config: file })).toEqual({ port: 1, host: 'b', lenientInputs: true })
})

test('a setting is called as the place calls it whose value counts, and as it is typed where there is none', () => {
  const env = { COMMERCE_MOCK_PORT: '2', COMMERCE_MOCK_HOST: '' }
  const file = config({ port: 3, host: 'c' })
  const names = (places: Partial<Places>) => namesOf(rules, { flags: {}, env: {}, config: undefined, ...places })
  expect(names({})).toEqual({ port: '--port', host: '--host', lenientInputs: '--lenient-inputs' })
  expect(names({ env, config: file })).toMatchObject({
    port: 'COMMERCE_MOCK_PORT',
    host: 'commerce-mock.config.json: host',
  })
  expect(names({ flags: { port: '1' }, env, config: file })).toMatchObject({ port: '--port' })
})

test('a variable that is set to nothing is not set', () => {
  expect(read({ env: { COMMERCE_MOCK_PORT: '' }, config: config({ port: 4 }) })).toEqual({ port: 4 })
})

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('the variable of a switch can be %s', (text, value) => {
  expect(read({ env: { COMMERCE_MOCK_LENIENT_INPUTS: text } })).toEqual({ lenientInputs: value })
})

test.each<[Partial<Places>, string]>([
  [{ flags: { port: 'x' } }, '--port takes a whole number from 0 to 9, not "x".'],
  [{ env: { COMMERCE_MOCK_PORT: '10' } }, 'COMMERCE_MOCK_PORT takes a whole number from 0 to 9, not "10".'],
  [{ config: config({ port: 1.5 }) }, 'commerce-mock.config.json: port takes a whole number from 0 to 9, not "1.5".'],
  [{ config: config({ port: [1] }) }, 'commerce-mock.config.json: port takes a text or a number.'],
  [{ env: { COMMERCE_MOCK_LENIENT_INPUTS: 'yes' } }, 'COMMERCE_MOCK_LENIENT_INPUTS takes true or false, not "yes".'],
  [
    { config: config({ prot: 1 }) },
    'commerce-mock.config.json has a setting "prot" that does not exist. There are: port, host, lenientInputs.',
  ],
  [
    { config: config({ token: 'abc' }) },
    'commerce-mock.config.json has a setting "token" that does not exist. There are: port, host, lenientInputs.',
  ],
])('%j is refused', (places, message) => {
  expect(() => read(places)).toThrow(message)
})

test('there need not be a config file', async () => {
  expect(await loadConfig(folder)).toBeUndefined()
})

test.each([
  ['commerce-mock.config.json', '{ "port": 5 }'],
  ['commerce-mock.config.js', 'export default { port: 2 + 3 }'],
  ['commerce-mock.config.js', 'export default Promise.resolve({ port: 5 })'],
])('%s is read', async (name, text) => {
  writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  expect(await loadConfig(folder)).toEqual({ name, values: { port: 5 } })
})

test.each([
  [
    'commerce-mock.config.json',
    '[1]',
    'commerce-mock.config.json must hold an object with settings such as "port": 4001.',
  ],
  ['commerce-mock.config.json', '{', 'commerce-mock.config.json: the file '],
  ['commerce-mock.config.js', 'throw new Error("no")', 'commerce-mock.config.js cannot be loaded: no'],
  [
    'commerce-mock.config.js',
    'export default Promise.reject(new Error("no\\nmore"))',
    'commerce-mock.config.js cannot be loaded: no',
  ],
  ['commerce-mock.config.js', 'throw Object.create(null)', 'commerce-mock.config.js cannot be loaded: [Object: null'],
  [
    'commerce-mock.config.js',
    'export default new Promise(() => {})',
    'commerce-mock.config.js cannot be loaded: it did not finish within 5 s.',
  ],
  ['commerce-mock.config.js', 'export const port = 1', 'commerce-mock.config.js must hold an object'],
  [
    'commerce-mock.config.js',
    'await new Promise(() => {})',
    'commerce-mock.config.js cannot be loaded: it did not finish within 5 s.',
  ],
  [
    'commerce-mock.config.js',
    'export default { get port() { throw new Error("no") } }',
    'commerce-mock.config.js cannot be read: no',
  ],
])('%s with the text %s is refused', async (name, text, message) => {
  writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await expect(loadConfig(folder)).rejects.toThrow(message)
})

test('Two config files are one too many.', async () => {
  for (const name of ['commerce-mock.config.js', 'commerce-mock.config.json']) writeFileSync(join(folder, name), '{}')
  await expect(loadConfig(folder)).rejects.toThrow(
    'There are commerce-mock.config.js and commerce-mock.config.json, and one of them would say nothing. Keep one.',
  )
})
