/** Settings: flags override environment variables, which override the config file; errors name what sets a wrong value. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wholeNumber, type CommandRule } from './options.js'
import { keyOf, loadConfig, readSettings, variableOf, type Sources } from './settings.js'

const command: CommandRule = {
  name: 'serve',
  summary: '',
  about: '',
  options: [
    { flags: '--port <number>', about: '', read: wholeNumber(0, 9) },
    { flags: '--host <name>', about: '' },
    { flags: '--lenient-inputs', about: '' },
  ],
}
const other: CommandRule = {
  name: 'check',
  summary: '',
  about: '',
  argument: { key: 'ledger', about: '' },
  options: [
    { flags: '--write <list>', about: '', list: () => undefined, typed: true },
    { flags: '--header <header>', about: '', repeat: true },
    { flags: '--max-requests <number>', about: '', key: 'most' },
  ],
  replaced: { '--old-budget': '--max-requests' },
}

const nowhere: Sources = { flags: {}, env: {}, config: undefined }
const read = (sources: Partial<Sources>, rule = command) =>
  readSettings(rule, { ...nowhere, ...sources }, [command, other])
const config = (values: Record<string, unknown>) => ({ name: 'commerce-mock.config.json', values })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-mock-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('An option has a name in the environment and in a config file.', () => {
  expect(command.options.map((rule) => [keyOf(rule), variableOf(rule)])).toEqual([
    ['port', 'COMMERCE_MOCK_PORT'],
    ['host', 'COMMERCE_MOCK_HOST'],
    ['lenientInputs', 'COMMERCE_MOCK_LENIENT_INPUTS'],
  ])
})

test('A setting that is set nowhere is absent.', () => {
  expect(read({})).toEqual({})
})

test('Flags override environment variables, which override the config file.', () => {
  const env = { COMMERCE_MOCK_PORT: '2', COMMERCE_MOCK_HOST: 'b' }
  const file = config({ port: 3, host: 'c', lenientInputs: true })
  expect(read({ config: file })).toEqual({ port: 3, host: 'c', lenientInputs: true })
  expect(read({ env, config: file })).toEqual({ port: 2, host: 'b', lenientInputs: true })
  expect(read({ flags: { port: '1' }, env, config: file })).toEqual({ port: 1, host: 'b', lenientInputs: true })
})

test('The positional argument is a setting; a repeated option is a list in every source.', () => {
  const flags = { ledger: 'x.jsonl', header: ['a: 1', 'b: 2'], write: 'x,y' }
  expect(read({ flags }, other)).toEqual({ ledger: 'x.jsonl', header: ['a: 1', 'b: 2'], write: ['x', 'y'] })
  expect(read({ env: { COMMERCE_MOCK_HEADER: 'a: 1\nb: 2' } }, other)).toMatchObject({ header: ['a: 1', 'b: 2'] })
  expect(read({ config: config({ header: ['a: 1'], most: 3 }) }, other)).toMatchObject({ header: ['a: 1'], most: '3' })
})

test('A variable that is set to nothing is not set.', () => {
  expect(read({ env: { COMMERCE_MOCK_PORT: '' }, config: config({ port: 4 }) })).toEqual({ port: 4 })
})

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('The variable of an option without a value can be %s.', (text, value) => {
  expect(read({ env: { COMMERCE_MOCK_LENIENT_INPUTS: text } })).toEqual({ lenientInputs: value })
})

test.each<[Partial<Sources>, string]>([
  [{ flags: { port: 'x' } }, '--port takes a whole number from 0 to 9, not "x".'],
  [{ env: { COMMERCE_MOCK_PORT: '10' } }, 'COMMERCE_MOCK_PORT takes a whole number from 0 to 9, not "10".'],
  [{ config: config({ port: 1.5 }) }, 'commerce-mock.config.json: port takes a whole number from 0 to 9, not "1.5".'],
  [{ config: config({ port: [1] }) }, 'commerce-mock.config.json: port takes a string or a number.'],
  [{ env: { COMMERCE_MOCK_LENIENT_INPUTS: 'yes' } }, 'COMMERCE_MOCK_LENIENT_INPUTS takes true or false, not "yes".'],
  [{ config: config({ prot: 1 }) }, 'commerce-mock.config.json: prot is not a setting. Did you mean --port?'],
  [
    { env: { COMMERCE_MOCK_WRITE: 'all' } },
    'COMMERCE_MOCK_WRITE has no effect. For safety, --write can only be given on the command line.',
  ],
  [
    { config: config({ write: 'all' }) },
    'commerce-mock.config.json: write has no effect. For safety, --write can only be given on the command line.',
  ],
  [{ env: { COMMERCE_MOCK_OLD_BUDGET: '1' } }, 'COMMERCE_MOCK_OLD_BUDGET is not a setting. Use --max-requests.'],
  [{ config: config({ oldBudget: 1 }) }, 'commerce-mock.config.json: oldBudget is not a setting. Use --max-requests.'],
])('%j is an error.', (sources, message) => {
  expect(() => read(sources)).toThrow(message)
})

test('A variable that is not a setting is a warning.', () => {
  const lines: string[] = []
  expect(read({ env: { COMMERCE_MOCK_PROT: '1' }, onWarning: (line) => lines.push(line) })).toEqual({})
  expect(lines).toEqual(['COMMERCE_MOCK_PROT is not a setting. Did you mean --port?'])
})

test('A config file is optional.', async () => {
  expect(await loadConfig(folder)).toBeUndefined()
})

test.each([
  ['commerce-mock.config.json', '{ "port": 5 }'],
  ['commerce-mock.config.js', 'export default { port: 2 + 3 }'],
  ['commerce-mock.config.js', 'export default Promise.resolve({ port: 5 })'],
  ['commerce-mock.config.mjs', 'export default { port: 5 }'],
  ['commerce-mock.config.cjs', 'module.exports = { port: 5 }'],
])('%s is read.', async (name, text) => {
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
  ['commerce-mock.config.js', 'throw new Error("no")', 'commerce-mock.config.js cannot be loaded: Error: no'],
  [
    'commerce-mock.config.js',
    'export default Promise.reject(new Error("no\\nmore"))',
    'commerce-mock.config.js cannot be loaded: Error: no',
  ],
  ['commerce-mock.config.js', 'export const port = 1', 'commerce-mock.config.js must hold an object'],
])('%s with the text %s is an error.', async (name, text, message) => {
  writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await expect(loadConfig(folder)).rejects.toThrow(message)
})

test('Two config files are an error.', async () => {
  for (const name of ['commerce-mock.config.js', 'commerce-mock.config.json']) writeFileSync(join(folder, name), '{}')
  await expect(loadConfig(folder)).rejects.toThrow(
    'There are two config files, commerce-mock.config.js and commerce-mock.config.json. Delete one.',
  )
})
