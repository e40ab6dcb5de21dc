/** Rules on imports and globals: most are the linter's, which is tested on planted faults; the others are tested here. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSchema, isIntrospectionType, isSpecifiedScalarType } from 'graphql'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { provenanceTypes } from './schema/provenance.js'

const root = join(import.meta.dirname, '..')

const sourcesIn = (...folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.(test|testkit|soak)\.ts$/.test(path))
      .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), 'utf8') })),
  )

const worldFolders = ['src/world', 'src/schema', 'mocks']

/** A file, a line of code, and the rule that forbids it there; no rule if the line is allowed. */
const planted: readonly (readonly [path: string, line: string, rule?: string])[] = [
  ['src/shared/quote.ts', "export * from '../schema/load.js'", 'no-restricted-imports'],
  ['src/schema/load.ts', "export type * from '../world/world.js'", 'no-restricted-imports'],
  ['src/schema/tags.ts', "export * from '../shared/quote.js'"],
  ['src/profile.ts', "export * from '../mocks/tags.js'", 'no-restricted-imports'],
  ['src/world/world.ts', "export * from '../server/errors.js'", 'no-restricted-imports'],
  ['src/server/http/token.ts', "export * from '../../world/world.js'", 'no-restricted-imports'],
  ['src/server/http/tokens.ts', "export * from '../graphql/engine.js'"],
  ['src/contract/operation.ts', "export * from '../../contracts/stores.js'", 'no-restricted-imports'],
  ['src/contract/target.ts', "export * from '../client/target.js'"],
  ['src/client/target.ts', "export * from '../contract/check.js'", 'no-restricted-imports'],
  ['src/writing/plan.ts', "export * from '../seeding/plan.js'", 'no-restricted-imports'],
  ['src/seeding/plan.ts', "export * from '../../contracts/stores.js'", 'no-restricted-imports'],
  ['src/world-files/form.ts', "export * from '../../mocks/tags.js'", 'no-restricted-imports'],
  ['mocks/stores.ts', "export * from '../contracts/stores.js'", 'no-restricted-imports'],
  ['mocks/tags.ts', "export * from './shared/quote.js'"],
  ['contracts/stores.ts', "export type * from '../mocks/tags.js'", 'no-restricted-imports'],
  ['contracts/rules/listing.ts', "export * from '../mutants/mutants.js'", 'no-restricted-imports'],
  ['contracts/mutants/mutants.ts', "export * from '../../src/mock/create-mock.js'"],
  ['src/mock/rows.ts', "export * from '../commands/options.js'", 'no-restricted-imports'],
  ['src/commands/check/text.ts', "export * from '../../../contracts/mutants/run.js'", 'no-restricted-imports'],
  ['src/index.ts', "export * from '../contracts/mutants/run.js'", 'no-restricted-imports'],
  ['src/world/files.ts', "export * from 'node:fs'", 'no-nodejs-modules'],
  ['src/schema/files.ts', "export * from 'fs/promises'", 'no-nodejs-modules'],
  ['mocks/bytes.ts', 'export const x = Buffer.from(process.env)', 'no-restricted-globals'],
  ['src/world/names.ts', 'export const x = new Intl.Collator()', 'no-restricted-globals'],
  ['src/world/now.ts', 'export const x = Date.now()', 'no-restricted-properties'],
  ['mocks/chance.ts', 'export const x = Math.random()', 'no-restricted-properties'],
  ['mocks/order.ts', "export const x = 'a'.localeCompare('b')", 'no-restricted-properties'],
  ['mocks/dates.ts', 'export const x = new Date(0).toISOString()'],
  ['src/server/dates.ts', 'export const x = [Date.now(), process.version]'],
  ['src/world/now.test.ts', 'export const x = Date.now()'],
]

test('The linter reports each planted fault and nothing else.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-lint-'))
  try {
    copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [path, line] of planted) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `${line}\n`)
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], { cwd: folder, encoding: 'utf8' })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] }
    const rulesOf = (path: string) =>
      new Set(diagnostics.filter(({ filename }) => filename === path).map(({ code }) => /\((.*)\)/.exec(code)?.[1]))
    const expected = planted.map(([path, , rule]) => [path, rule === undefined ? [] : [rule]])
    expect(planted.map(([path]) => [path, [...rulesOf(path)]])).toEqual(expected)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('World, schema and mocks load no module of Node, not even through another file.', async () => {
  const external = new Set<string>()
  const bundle = await rolldown({
    input: sourcesIn(...worldFolders).map(({ path }) => join(root, path)),
    external(id) {
      const isOurs = id.startsWith('.') || id.startsWith('/')
      if (!isOurs) external.add(id)
      return !isOurs
    },
  })
  await bundle.generate()
  expect(external.has('graphql')).toBe(true)
  expect([...external].filter((id) => /^node:|yoga/.test(id) || builtinModules.includes(id))).toEqual([])
})

test('World, schema and mocks take the time from their clock.', () => {
  const today = /new Date\(\)|\bdayjs\(\)/
  expect(today.test('const now = new Date()')).toBe(true)
  expect(sourcesIn(...worldFolders).filter(({ text }) => today.test(text))).toEqual([])
})

/** Identifiers and one-word strings of a source. */
const wordsOf = (text: string) =>
  text
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .replace(/'[^'\n]*[^\w'\n][^'\n]*'|`[^`]*[^\w`][^`]*`/g, '')
    .match(/[\w$]+/g) ?? []

test('The kit uses no name of the service.', () => {
  const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'))
  const types = Object.values(schema.getTypeMap()).filter(
    (it) => !isIntrospectionType(it) && !isSpecifiedScalarType(it),
  )
  const general: readonly string[] = ['Query', 'Mutation', 'Node', 'PageInfo', 'node', ...provenanceTypes]
  const names = new Set(
    [
      ...types.map(({ name }) => name),
      ...[schema.getQueryType(), schema.getMutationType()].flatMap((it) => Object.keys(it?.getFields() ?? {})),
    ].filter((name) => !general.includes(name)),
  )
  const used = (text: string) => wordsOf(text).filter((word) => names.has(word))
  expect(used("const x = { createStore: ['Customer'] } // Pixel")).toEqual(['createStore', 'Customer'])
  const kit = ['shared', 'schema', 'world', 'client', 'server', 'contract', 'writing', 'seeding']
  const found = sourcesIn(...kit.map((it) => `src/${it}`)).map(({ path, text }) => [path, used(text)] as const)
  expect(found.filter(([, words]) => words.length > 0)).toEqual([])
})
