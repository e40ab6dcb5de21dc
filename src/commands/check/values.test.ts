/** Tests the file of `--values`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inputSource, inputTypesIn, readInputTypes, type Send } from '../../writing/inputs.js'
import { contractShapes } from '../../../contracts/support/shapes.js'
import { readValues } from './values.js'

const folder = mkdtempSync(join(tmpdir(), 'values-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'values.yaml')
const shapes = contractShapes()
const given = readInputTypes(`
  input StoreInput { name: String! lang: Lang! theme: ThemeInput! }
  input ThemeInput { colour: String! size: Int }
  enum Lang { FR AR }
`)
const inputs = inputSource({ given, ours: inputTypesIn(shapes.schema) })
const silent: Send = async () => ({ body: { errors: [{ message: 'No.' }] } })

/** What is wrong with a file, one line for each mistake. */
async function mistakesIn(text: string): Promise<readonly string[]> {
  writeFileSync(path, text)
  try {
    await readValues(path, shapes).compare(inputs, silent)
    return []
  } catch (error) {
    return (error as Error).message.replaceAll(path, 'v.yaml').split('\n')
  }
}

test('Values are read from YAML or JSON, by input type or mutation.', async () => {
  const yaml = 'StoreInput:\n  lang: fr\n  theme: { colour: red }\ncreateSegment:\n  name: Autumn\n'
  expect(await mistakesIn(yaml)).toEqual([])
  const { values } = readValues(path, shapes)
  expect([values('StoreInput'), values('createSegment'), values('SegmentInput')]).toEqual([
    { lang: 'fr', theme: { colour: 'red' } },
    { name: 'Autumn' },
    {},
  ])
  expect(await mistakesIn('{ "ThemeInput": { "size": 3 } }')).toEqual([])
  expect(readValues({ StoreInput: { lang: 'fr' } }, shapes).values('StoreInput')).toEqual({ lang: 'fr' })
})

test.each<[string, readonly string[]]>([
  ['- lang', ['--values: v.yaml:1 must hold values by input type or mutation.']],
  ['StoreInput: fr', ['--values: v.yaml:1 StoreInput must hold the values of fields.']],
  [
    'StoreInput:\n  lang: fr\n  langs: fr\nStoresInput: { lang: fr }',
    [
      '--values: v.yaml:3 StoreInput.langs is unknown. Did you mean lang?',
      '--values: v.yaml:4 StoresInput is no input type or mutation. Did you mean StoreInput?',
    ],
  ],
  [
    'createStore:\n  lang: de\n  theme:\n    size: big\n    colour: [red]',
    [
      '--values: v.yaml:2 createStore.lang does not fit the type Lang!.',
      '--values: v.yaml:4 createStore.theme.size does not fit the type Int.',
      '--values: v.yaml:5 createStore.theme.colour does not fit the type String!.',
    ],
  ],
  ['StoreInput: [', ['--values: v.yaml:1: ']],
])('%j is refused, with line and path.', async (text, mistakes) => {
  const found = await mistakesIn(text)
  expect(found).toEqual(mistakes.map((it) => expect.stringContaining(it) as string))
})

test('A file that does not exist, or an object of the wrong form, is refused.', () => {
  expect(() => readValues(join(folder, 'none.yaml'), shapes)).toThrow('--values: the file ')
  expect(() => readValues({ StoreInput: 3 }, shapes)).toThrow('values.StoreInput must hold the values of fields.')
})
