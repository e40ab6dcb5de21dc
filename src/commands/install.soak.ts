/** Installing the package from a folder and from Git, and using it with Jest, ts-jest and GraphQL Code Generator. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'commerce-mock-install-'))
const checkout = join(home, 'checkout')
const timeout = 400_000

const library = readFileSync(join(project, 'docs/library.md'), 'utf8')

/** A folder with a package.json, as `npm init` makes it. */
function emptyFolder(name: string, manifest: object = {}): string {
  const folder = join(home, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', version: '1.0.0', ...manifest }))
  return folder
}

const install = (folder: string, ...packages: string[]) =>
  run('npm', ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', ...packages], { cwd: folder })

const script = `
  const { createMock } = require('commerce-mock')
  const { GraphQLSchema } = require('graphql')
  const mock = createMock()
  mock.execute({ query: '{ account { stores { name } } }' }).then(({ data }) =>
    console.log(data.account.stores.length, mock.schema instanceof GraphQLSchema))`

async function expectToRun(folder: string): Promise<void> {
  expect((await run(process.execPath, ['-e', script], { cwd: folder })).stdout).toBe('3 true\n')
  const command = join(folder, 'node_modules/.bin/commerce-mock')
  expect((await run(command, ['--version'])).stdout).toMatch(/^\d/)
}

beforeAll(() => {
  cpSync(project, checkout, { recursive: true, filter: (path) => !/^(node_modules|\.git|dist)$/.test(basename(path)) })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('from Git', { timeout }, async () => {
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: checkout })
  await git('init', '-q')
  await git('add', '.')
  await git('commit', '-qm', 'all')
  const folder = emptyFolder('by-git')
  await install(folder, `git+file://${checkout}`, 'graphql@16')
  await expectToRun(folder)
})

test('from a folder and as a tarball, with graphql 16.6', { timeout }, async () => {
  symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'))
  cpSync(join(project, 'dist'), join(checkout, 'dist'), { recursive: true })
  const folder = emptyFolder('by-folder')
  await install(folder, '--install-links', checkout, 'graphql@16')
  await expectToRun(folder)
  await run('npm', ['pack', '--pack-destination', home], { cwd: checkout })
  const tarball = readdirSync(home).find((it) => it.endsWith('.tgz')) ?? ''
  const other = emptyFolder('by-tarball')
  await install(other, join(home, tarball), 'graphql@16.6.0')
  await expectToRun(other)
})

const jestTest = `
  const { createMock } = require('commerce-mock')
  const mock = createMock()
  test('values have the types of this realm', () => {
    const { id } = mock.create('Customer', { tags: ['a'], custom: { a: { b: 1 } } })
    expect(mock.get('Customer', id, 'tags')).toStrictEqual(['a'])
    expect(mock.get('Customer', id, 'custom')).toStrictEqual({ a: { b: 1 } })
    expect(() => mock.get('Customer', 'x')).toThrow(Error)
  })
  test('fake timers', async () => {
    jest.useFakeTimers({ now: Date.UTC(2031, 0, 1) })
    const { execute, clock } = createMock({ counts: { customers: 5000 }, now: 'real' })
    const query = '{ customers(query: "order_by:full_name", first: 1) { edges { node { id } } } }'
    expect((await execute({ query })).data.customers.edges).toHaveLength(1)
    expect(clock.now()).toBe(Date.UTC(2031, 0, 1))
  })`

const typed = `
  import { createMock, type Mock } from 'commerce-mock'
  const mock: Mock = createMock()
  test('typed', async () => {
    const { data } = await mock.execute<{ account: { id: string } }>({ query: '{ account { id } }' })
    expect(data!.account.id).toMatch(/^acc_/)
  })`

const query = `
  import { graphql } from './gql'
  export const doc = graphql(\`query List {
    customers(query: "", first: 1) { edges { node { email created_at custom } } }
  }\`)`

test('with Jest, CommonJS TypeScript and the code generator, as the docs configure it', { timeout }, async () => {
  const tarball = readdirSync(home).find((it) => it.endsWith('.tgz')) ?? ''
  const folder = emptyFolder('tools')
  const generator = ['@graphql-codegen/cli@7', '@graphql-codegen/client-preset@6']
  const jest = ['jest@30', 'ts-jest@29', 'typescript@5', '@types/jest@30', '@types/node@20']
  await install(folder, join(home, tarball), 'graphql@16', ...jest, ...generator)
  const codegen = /```text\n(\/\/ codegen\.ts\n[^]*?)```/.exec(library)?.[1] ?? ''
  const files = {
    'plain.test.js': jestTest,
    'src/typed.test.ts': typed,
    'src/query.ts': query,
    'codegen.ts': codegen,
    'tsconfig.json': '{"compilerOptions":{"module":"commonjs","target":"es2019","strict":true,"esModuleInterop":true}}',
    'ts-jest.config.js': "module.exports = { preset: 'ts-jest', testMatch: ['**/src/*.test.ts'] }",
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const tool = (name: string, ...words: string[]) =>
    run(join(folder, 'node_modules/.bin', name), words, { cwd: folder })
  await tool('jest', '--testMatch', '**/plain.test.js')
  await tool('jest', '--config', 'ts-jest.config.js')
  await tool('graphql-codegen')
  const generated = readFileSync(join(folder, 'src/gql/graphql.ts'), 'utf8')
  expect(generated).toContain('email: string | null, created_at: string | null, custom: Record<string, unknown> | null')
})
