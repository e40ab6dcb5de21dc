/** The rules of the design that no compiler keeps, read from the sources; each is also seen to fail for a planted fault. */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { isIntrospectionType, isSpecifiedScalarType, buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { markTypes } from './schema/provenance.js'

const root = join(import.meta.dirname, '..')

/** Sources by their path from the root, tests aside. */
type Sources = ReadonlyMap<string, string>

const sources: Sources = new Map(
  ['src', 'mocks', 'contracts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
      .filter((path) => /\.[jt]s$/.test(path) && !/\.(test|testkit)\.ts$/.test(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  ),
)

interface Token {
  readonly kind: 'name' | 'text' | 'mark'
  readonly value: string
}

const forms = {
  space: /\s+/y,
  comment: /\/\/[^\n]*|\/\*[^]*?\*\//y,
  text: /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y,
  template: /`(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y,
  templateGoesOn: /\}(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y,
  name: /#?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy,
  number: /\d[\w.]*/y,
  pattern: /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
}

/** What was read before: each planted fault leaves all other sources as they are. */
const read = new Map<string, readonly Token[]>()

/** After these a slash begins a regular expression. */
const beforePattern = /^([^)\]}\w$]|return|typeof|case|of|in|await|yield|void|delete|else|do)$/

/**
 * Names and texts of a source, comments and regular expressions left out. A template is a text where it has no
 * expressions; otherwise only the names in its expressions count.
 */
function tokensOf(source: string): readonly Token[] {
  const known = read.get(source)
  if (known) return known
  const tokens: Token[] = []
  read.set(source, tokens)
  /** For each template that is open, how many braces are open in its expression. */
  const open: number[] = []
  let at = 0
  function taken(form: keyof typeof forms): string | undefined {
    forms[form].lastIndex = at
    const text = forms[form].exec(source)?.[0]
    at += text?.length ?? 0
    return text
  }
  while (at < source.length) {
    const before = tokens.at(-1)
    if (taken('space') ?? taken('comment')) continue
    const text = taken('text')
    const template = text ?? (open.at(-1) === 0 ? taken('templateGoesOn') : undefined) ?? taken('template')
    if (text !== undefined) tokens.push({ kind: 'text', value: text.slice(1, -1) })
    else if (template !== undefined) {
      if (template.startsWith('}')) open.pop()
      if (template.endsWith('${')) open.push(0)
      else if (template.startsWith('`')) tokens.push({ kind: 'text', value: template.slice(1, -1) })
    } else if (!before || (before.kind !== 'text' && beforePattern.test(before.value))) {
      if (taken('pattern') === undefined) next()
      else tokens.push({ kind: 'mark', value: ')' })
    } else next()
  }
  function next() {
    const name = taken('name')
    if (name !== undefined) tokens.push({ kind: 'name', value: name.replace('#', '') })
    else {
      const mark = taken('number') ?? (source[at++] as string)
      const last = open.length - 1
      if (last >= 0 && mark === '{') open[last] = (open[last] as number) + 1
      if (last >= 0 && mark === '}') open[last] = (open[last] as number) - 1
      tokens.push({ kind: 'mark', value: mark })
    }
  }
  return tokens
}

/** What a source imports: package names as they stand, files by their path from the root. */
function importsOf(path: string, source: string): string[] {
  const tokens = tokensOf(source)
  return tokens.flatMap(({ kind, value }, at) => {
    const before = tokens[at - 1]?.value === '(' ? tokens[at - 2] : tokens[at - 1]
    if (kind !== 'text' || before?.kind !== 'name' || !['from', 'import'].includes(before.value)) return []
    return value.startsWith('.') ? [posix.join(posix.dirname(path), value).replace(/\.js$/, '.ts')] : [value]
  })
}

/** From the one that imports nothing of ours to the ones that nothing imports. Neighbours do not know each other. */
const layers: readonly (readonly string[])[] = [
  ['src/schema/'],
  ['src/world/', 'src/contract/', 'src/server/', 'src/seeding/'],
  ['mocks/', 'contracts/'],
  ['src/commands/'],
  ['src/index.ts', 'src/cli.ts'],
]

/** Neighbours that may be imported all the same: demo data is written with the operations of the contract kit. */
const exceptions: readonly string[] = ['src/seeding/ → src/contract/']

const partOf = (path: string) => layers.flat().find((part) => path.startsWith(part))
const layerOf = (part: string) => layers.findIndex((parts) => parts.includes(part))

function wrongImports(files: Sources): string[] {
  return [...files].flatMap(([path, source]) => {
    const from = partOf(path)
    if (from === undefined) return [`${path} is in no part of the design`]
    return importsOf(path, source).flatMap((target) => {
      const to = partOf(target)
      if (to === undefined) return /^(src|mocks|contracts)\//.test(target) ? [`${path} → ${target}`] : []
      const down = layerOf(to) < layerOf(from) || exceptions.includes(`${from} → ${to}`)
      return to === from || down ? [] : [`${path} → ${target}`]
    })
  })
}

/** The files that run wherever a world runs, with whatever they import. */
function worldly(files: Sources): Map<string, string> {
  const reached = new Map<string, string>()
  const reach = (path: string, by: string) => {
    const source = files.get(path)
    if (source === undefined || reached.has(path)) return
    reached.set(path, by)
    for (const target of importsOf(path, source)) reach(target, `${by} → ${target}`)
  }
  for (const path of files.keys()) {
    if (/^(src\/world|src\/schema|mocks)\//.test(path)) reach(path, path)
  }
  return reached
}

const packagesOfNode = (name: string) =>
  name.startsWith('node:') || builtinModules.includes(name.split('/')[0] as string) || /yoga/.test(name)
const globalsOfNode = ['Buffer', 'process', 'require', '__dirname', '__filename', 'setImmediate']

function boundToNode(files: Sources): string[] {
  return [...worldly(files)].flatMap(([path, by]) => {
    const source = files.get(path) as string
    const imported = importsOf(path, source).filter(packagesOfNode)
    const tokens = tokensOf(source)
    const used = globalsOfNode.filter((name) =>
      tokens.some((it, at) => it.kind === 'name' && it.value === name && tokens[at - 1]?.value !== '.'),
    )
    return [...imported, ...used].map((name) => `${by}: ${name}`)
  })
}

/** Chance, the clock of the day and the locale of the machine, as they stand in a source. */
const unsteady: readonly (readonly string[])[] = [
  ['Date', '.', 'now'],
  ['Math', '.', 'random'],
  ['new', 'Date', '(', ')'],
  ['dayjs', '(', ')'],
  ['performance'],
  ['crypto'],
  ['Intl'],
]

function unsteadyIn(source: string): string[] {
  const values = tokensOf(source).map(({ kind, value }) => (kind === 'text' ? '' : value))
  return values.flatMap((value, at) => {
    if (/^toLocale|^localeCompare$/.test(value)) return [value]
    return unsteady
      .filter((form) => form.every((part, i) => values[at + i] === part) && values[at - 1] !== '.')
      .map((form) => form.join(''))
  })
}

const unsteadyFiles = (files: Sources) =>
  [...worldly(files)].flatMap(([path, by]) => unsteadyIn(files.get(path) as string).map((it) => `${by}: ${it}`))

const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'))
const known: readonly string[] = ['Query', 'Mutation', 'Node', 'PageInfo', 'node', ...markTypes]
const ofService: ReadonlySet<string> = new Set(
  [
    ...Object.values(schema.getTypeMap()).flatMap((type) =>
      isIntrospectionType(type) || isSpecifiedScalarType(type) ? [] : [type.name],
    ),
    ...Object.keys(schema.getQueryType()?.getFields() ?? {}),
    ...Object.keys(schema.getMutationType()?.getFields() ?? {}),
  ].filter((name) => !known.includes(name)),
)

const isKit = (path: string) => path.startsWith('src/') && !path.startsWith('src/commands/') && path !== 'src/index.ts'

function wordsOfService(files: Sources): string[] {
  return [...files].flatMap(([path, source]) =>
    isKit(path)
      ? tokensOf(source).flatMap(({ kind, value }) =>
          kind !== 'mark' && ofService.has(value) ? [`${path}: ${value}`] : [],
        )
      : [],
  )
}

/** The sources with one more line in a file, or with one more file. */
const planted = (path: string, line: string): Sources =>
  new Map(sources).set(path, `${sources.get(path) ?? ''}\n${line}\n`)

test('There are sources to be read.', () => {
  expect(sources.size).toBeGreaterThan(40)
  expect([...sources].flatMap(([path, source]) => importsOf(path, source)).length).toBeGreaterThan(150)
  expect(ofService.size).toBeGreaterThan(30)
})

describe('Imports run one way', () => {
  test('in the sources', () => {
    expect(wrongImports(sources)).toEqual([])
  })

  test.each([
    ['src/schema/load.ts', "import type { World } from '../world/world.js'", 'src/schema/load.ts → src/world/world.ts'],
    ['src/world/world.ts', "import { x } from '../server/errors.js'", 'src/world/world.ts → src/server/errors.ts'],
    ['src/server/token.ts', "export * from '../world/world.js'", 'src/server/token.ts → src/world/world.ts'],
    [
      'src/contract/operation.ts',
      "import '../../contracts/stores.js'",
      'src/contract/operation.ts → contracts/stores.ts',
    ],
    ['src/contract/new.ts', "const x = await import('../../mocks/tags.js')", 'src/contract/new.ts → mocks/tags.ts'],
    ['src/seeding/plan.ts', "import { x } from '../commands/mock.js'", 'src/seeding/plan.ts → src/commands/mock.ts'],
    ['mocks/tags.ts', "import { x } from '../contracts/stores.js'", 'mocks/tags.ts → contracts/stores.ts'],
    ['contracts/stores.ts', "import type { x } from '../mocks/data/tags.js'", 'contracts/stores.ts → mocks/tags.ts'],
    ['mocks/tags.ts', "export { createMock } from './index.js'", 'mocks/tags.ts → src/index.ts'],
    ['src/commands/mock.ts', "import { x } from '../cli.js'", 'src/commands/mock.ts → src/cli.ts'],
    ['mocks/tags.ts', "import { x } from '../src/elsewhere.js'", 'mocks/tags.ts → src/elsewhere.ts'],
    ['src/elsewhere.ts', '', 'src/elsewhere.ts is in no part of the design'],
  ])('and not from %s by %s', (path, line, complaint) => {
    expect(wrongImports(planted(path, line))).toContain(complaint)
  })

  test.each([
    ['src/seeding/plan.ts', "import { operation } from '../contract/operation.js'"],
    ['contracts/new.ts', "import { operation } from './contract/operation.js'"],
    ['mocks/new.ts', "import { quote } from './shared/quote.js'"],
    ['mocks/new.ts', "// import { x } from '../contracts/stores.js'"],
    ['mocks/new.ts', "const from = '../contracts/stores.js'"],
    ['mocks/new.ts', "const text = `import x from '../contracts/stores.js'`"],
  ])('as from %s by %s', (path, line) => {
    expect(wrongImports(planted(path, line))).toEqual([])
  })
})

describe('World, schema and mocks run without Node', () => {
  test('in the sources', () => {
    expect(boundToNode(sources)).toEqual([])
  })

  test.each([
    ['src/world/world.ts', "import { readFileSync } from 'node:fs'", 'src/world/world.ts: node:fs'],
    ['src/schema/load.ts', "import type { Server } from 'http'", 'src/schema/load.ts: http'],
    ['mocks/tags.ts', "export * from 'fs/promises'", 'mocks/tags.ts: fs/promises'],
    ['mocks/tags.ts', "import { createSchema } from 'graphql-yoga'", 'mocks/tags.ts: graphql-yoga'],
    [
      'mocks/tags.ts',
      "const yoga = import('@graphql-yoga/render-graphiql')",
      'mocks/tags.ts: @graphql-yoga/render-graphiql',
    ],
    ['mocks/tags.ts', "export const x = Buffer.from('a')", 'mocks/tags.ts: Buffer'],
    ['mocks/tags.ts', 'export const x = `${process.env}`', 'mocks/tags.ts: process'],
    ['src/server/errors.ts', "import { inspect } from 'node:util'", 'src/server/errors.ts: node:util'],
  ])('and %s does not with %s', (path, line, complaint) => {
    expect(boundToNode(planted(path, line)).map((it) => it.replace(/^.* → /, ''))).toContain(complaint)
  })

  test.each([
    ['src/server/token.ts', "import { x } from 'node:fs'"],
    ['src/commands/mock.ts', 'Buffer.from(process.version)'],
    ['mocks/tags.ts', "// import { x } from 'node:fs'; Buffer"],
    ['mocks/tags.ts', "const x = 'Buffer', y = /process/, z = it.process"],
  ])('and %s does with %s', (path, line) => {
    expect(boundToNode(planted(path, line))).toEqual([])
  })
})

describe('World, schema and mocks are the same whenever and wherever they run', () => {
  test('in the sources', () => {
    expect(unsteadyFiles(sources)).toEqual([])
  })

  test.each([
    ['const x = Date.now()', 'Date.now'],
    ['const x = { now: Date . now }', 'Date.now'],
    ['const x = Math.random()', 'Math.random'],
    ['const x = new Date()', 'newDate()'],
    ['const x = `${new Date()}`', 'newDate()'],
    ['const x = performance.now()', 'performance'],
    ['const x = new Intl.Collator()', 'Intl'],
    ["const x = 'a'.localeCompare('b')", 'localeCompare'],
    ['const x = (1).toLocaleString()', 'toLocaleString'],
    ["const x = 'a'.toLocaleLowerCase()", 'toLocaleLowerCase'],
    ['const x = dayjs()', 'dayjs()'],
    ['const x = crypto.randomUUID()', 'crypto'],
  ])('and not with %s', (line, complaint) => {
    expect(unsteadyIn(line)).toEqual([complaint])
    for (const path of ['src/world/world.ts', 'src/schema/load.ts', 'mocks/tags.ts', 'src/server/errors.ts']) {
      expect(unsteadyFiles(planted(path, line)).map((it) => it.replace(/^.* → /, ''))).toContain(
        `${path}: ${complaint}`,
      )
    }
  })

  test.each([
    'const x = new Date(instant).toISOString()',
    'const x = Date.UTC(2026, 0)',
    'const x = world.clock.now()',
    "const x = 'Date.now()'",
    '// Date.now(), Math.random() and Intl',
    'const x = /Math.random/',
    'const x = Math.round(1)',
    'const x = dayjs(instant)',
  ])('as with %s', (line) => {
    expect(unsteadyIn(line)).toEqual([])
  })
})

describe('The kit knows no word of the service', () => {
  test('in the sources', () => {
    expect(wordsOfService(sources)).toEqual([])
  })

  test.each([
    ['src/server/engine.ts', "const x = 'Customer'", 'Customer'],
    ['src/server/engine.ts', 'const x = "customers"', 'customers'],
    ['src/server/engine.ts', 'const x = `StoreInput`', 'StoreInput'],
    ['src/world/world.ts', 'const x = data.account', 'account'],
    ['src/world/world.ts', 'interface Pixel {}', 'Pixel'],
    ['src/schema/load.ts', 'const x = { createStore: 1 }', 'createStore'],
    ['src/contract/new.ts', 'const x = `of ${segments.length}`', 'segments'],
    ['src/seeding/plan.ts', 'const x = `{ a: ${ { b: `${deleteSegments}` } } }`', 'deleteSegments'],
    ['src/cli.ts', 'class X { #account = 1 }', 'account'],
  ])('and %s may not have %s', (path, line, word) => {
    expect(wordsOfService(planted(path, line))).toContain(`${path}: ${word}`)
  })

  test.each([
    ['src/server/engine.ts', '// what a Customer is, and /* Store */'],
    ['src/server/engine.ts', '/** `customers` */'],
    ['src/server/engine.ts', "const x = 'the customers of a Store'"],
    ['src/server/engine.ts', 'const x = `customers of ${x}`'],
    ['src/server/engine.ts', 'const x = a / 2, y = /Store/.test(z) ? 1 / account_name : 0'],
    ['src/server/engine.ts', 'const x = /[/\'"`]Customer/'],
    ['src/server/engine.ts', "const x = 'it\\'s', y = \"Node\", node = PageInfo"],
    ['src/commands/mock.ts', "const x = 'Customer'"],
    ['src/index.ts', 'export const customers = 1'],
    ['mocks/tags.ts', 'const x = Customer'],
  ])('and %s may have %s', (path, line) => {
    expect(wordsOfService(planted(path, line))).toEqual([])
  })
})

const topLevel: readonly string[] = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'schema.graphql',
  'mocks',
  'contracts',
  'src',
  'fixtures',
  'README.md',
  'CHANGELOG.md',
  // There only while an issue is under way.
  'NOTES.md',
  '.gitignore',
  'build.js',
  'vitest.config.js',
  '.oxlintrc.json',
  '.prettierrc.json',
  '.prettierignore',
  '.ci',
  'bench',
]

test('The top level holds what the design lists and nothing else.', () => {
  const untracked = ['node_modules', 'dist', '.git']
  const names = readdirSync(root).filter((name) => !untracked.includes(name))
  expect(names.filter((name) => !topLevel.includes(name))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['package.json', 'schema.graphql', 'mocks', 'contracts', 'src']))
})
