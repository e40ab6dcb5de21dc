/** The package as users get it: packed, installed in an empty folder, and run. */
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { once } from 'node:events'
import { builtinModules } from 'node:module'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { node24 } from './needs.testkit.js'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'commerce-mock-package-'))
const project = join(import.meta.dirname, '../..')
let tarball: string

/** Without network requests that are not needed. */
const quiet = ['--prefer-offline', '--no-audit', '--no-fund']

/** Runs npm with a given Node. */
async function npm(node: string, folder: string, ...args: string[]) {
  const npmCli = process.env['npm_execpath'] ?? (await run('npm', ['root', '-g'])).stdout.trim() + '/npm/bin/npm-cli.js'
  const path = `${dirname(node)}:${process.env['PATH']}`
  return run(node, [npmCli, ...args, ...quiet], { cwd: folder, env: { ...process.env, PATH: path } })
}

function emptyFolder(name: string): string {
  const folder = mkdtempSync(join(home, name))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', version: '1.0.0', type: 'module' }))
  return folder
}

const folder = emptyFolder('install-')

beforeAll(async () => {
  // In a copy, because the scripts of `npm pack` change package.json, and may build `dist/`, which other tests use.
  const copy = join(home, 'copy')
  cpSync(project, copy, {
    recursive: true,
    preserveTimestamps: true,
    // `dist/src` and others like it are not in the package.
    filter: (path) => !/^(node_modules|\.git)$|^dist\/(src|contracts|mocks)$/.test(relative(project, path)),
  })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  const { stdout } = await npm(process.execPath, copy, 'pack', '--silent', '--json', '--pack-destination', home)
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)
  tarball = join(home, packed?.filename ?? '')
}, 240_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

async function installs(node: string, folder: string, ...options: string[]) {
  const words = ['install', '--engine-strict', '--foreground-scripts', ...options, tarball]
  const { stdout, stderr } = await npm(node, folder, ...words)
  expect(stdout + stderr).not.toMatch(/warn|deprecated/i)
}

async function runsIn(folder: string, node: string) {
  const served = spawn(node, [join(folder, 'node_modules/.bin/commerce-mock'), 'serve', '--port', '0'], { cwd: folder })
  const [banner] = (await once(served.stdout, 'data')) as [Buffer]
  const url = /http:\S+\/api\/v2/.exec(banner.toString())?.[0] ?? ''
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ account { stores { name } } }' }),
  })
  expect(await answer.json()).toMatchObject({ data: { account: { stores: [{}, {}, {}] } } })
  served.kill('SIGINT')
  expect(await once(served, 'exit')).toEqual([0, null])

  for (const [extension, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, `script.${extension}`), script)
    expect((await run(node, [`script.${extension}`], { cwd: folder })).stdout, extension).toBe('25 true true\n')
  }
}

const use = `
  const mock = createMock()
  mock.execute({ query: '{ customers(query: "") { edges { node { id } } } }' }).then(({ data }) => {
    const schema = readFileSync(require.resolve('commerce-mock/schema.graphql'), 'utf8')
    console.log(data.customers.edges.length, schema.includes('type Customer'), mock.schema instanceof GraphQLSchema)
  })`

/** The same use of the package as an ES module and as CommonJS, which is what Jest loads by default. */
const scripts = {
  mjs: `
  import { readFileSync } from 'node:fs'
  import { createRequire } from 'node:module'
  import { createMock } from 'commerce-mock'
  import { GraphQLSchema } from 'graphql'
  const require = createRequire(import.meta.url)${use}`,
  cjs: `
  const { readFileSync } = require('node:fs')
  const { createMock } = require('commerce-mock')
  const { GraphQLSchema } = require('graphql')${use}`,
}

test('the packed tarball installs in an empty folder without a warning and runs, with types for both formats', async () => {
  await installs(process.execPath, folder)
  await runsIn(folder, process.execPath)
  const source = `
    import { createMock, runContracts, type Mock, type Report } from 'commerce-mock'
    const mock: Mock = createMock({ counts: { customers: 3 }, limits: { depth: 5 }, profile: { same_email: 'error' } })
    export const name: string = mock.create('Customer').id
    export const report: Promise<Report> = runContracts({ target: mock })
    // @ts-expect-error
    export const world = mock.world`
  for (const extension of ['mts', 'cts']) writeFileSync(join(folder, `types.${extension}`), source)
  const options = '--noEmit --strict --module nodenext --target es2022 --lib es2023,dom,esnext.disposable'
  const compiler = [join(project, 'node_modules/typescript/bin/tsc'), ...options.replace('', '').split(' ')]
  await run(process.execPath, [...compiler, 'types.mts', 'types.cts'], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => expect(stdout).toBe(''),
  )
})

test('the packed tarball installs and runs on Node 24', async (context) => {
  const node = node24(context)
  // What it would install is there already.
  await installs(node, folder, '--dry-run')
  await runsIn(folder, node)
})

test.for(['this Node', 'Node 24'])('npm ci of the project gives no warning on %s', async (name, context) => {
  const node = name === 'Node 24' ? node24(context) : process.execPath
  const folder = emptyFolder('ci-')
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(project, file), join(folder, file))
  // A dry run checks the engines of all packages in seconds; the lock file says the rest.
  const { stdout, stderr } = await npm(node, folder, 'ci', '--dry-run', '--engine-strict', '--ignore-scripts')
  expect(stdout + stderr).not.toMatch(/warn|deprecated/i)
  expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).not.toMatch(/"(deprecated|hasInstallScript)":/)
})

/** The files of the tarball, without their first folder. */
async function packedFiles(): Promise<string[]> {
  await run('tar', ['-xzf', tarball, '-C', home])
  const { stdout } = await run('tar', ['-tzf', tarball])
  return stdout.split('\n').filter(Boolean)
}

test('the tarball holds what users need, and neither tests nor mutants', async () => {
  const files = await packedFiles()
  expect(files).toEqual(
    expect.arrayContaining([
      'package/README.md',
      'package/CHANGELOG.md',
      'package/LICENSE',
      'package/docs/specification.md',
      'package/schema.graphql',
      'package/dist/graphiql/page.html.gz',
      'package/dist/graphiql/licenses.txt',
      'package/dist/cli/cli.js',
      'package/dist/cli/licenses.txt',
      ...['index.js', 'licenses.txt'].map((file) => `package/dist/browser/${file}`),
      ...['vitest.js', 'vitest.d.ts', 'browser.d.ts'].map((file) => `package/dist/esm/${file}`),
      ...['cjs', 'esm'].flatMap((format) =>
        [...['index', 'msw', 'playwright'].flatMap((it) => [`${it}.js`, `${it}.d.ts`]), 'licenses.txt'].map(
          (file) => `package/dist/${format}/${file}`,
        ),
      ),
      'package/fixtures/faults/slow-3g.yaml',
      'package/fixtures/faults/faults.schema.json',
      'package/fixtures/known.schema.json',
      'package/fixtures/scenarios/empty-account.yaml',
      'package/fixtures/scenarios/scenario.schema.json',
      'package/fixtures/worlds/small-shop.json',
      'package/fixtures/worlds/world.schema.json',
    ]),
  )
  expect(files.filter((file) => /\.test\.|\.testkit\.|\.soak\.|mutant/.test(file))).toEqual([])
})

test('the package depends on exactly what its files load', async () => {
  const scripts = (await packedFiles()).filter((file) => file.endsWith('.js'))
  const load =
    /(?:^import .*|^} |^import )(?:from )?"([^."][^"]*)";$|\b(?:require|load(?:\$\d)?|import)\("([^."][^"]*)"\)/gm
  const loaded = scripts.flatMap((file) =>
    [...readFileSync(join(home, file), 'utf8').matchAll(load)].map(([, from, called]) => String(from ?? called)),
  )
  const names = loaded
    .filter((it) => !it.startsWith('node:') && !builtinModules.includes(it.split('/', 1).join()))
    .map((it) => it.split('/', it.startsWith('@') ? 2 : 1).join('/'))
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >
  // @whatwg-node/fetch tries it, and does without.
  expect([...new Set(names.filter((it) => it !== 'node-libcurl'))].sort()).toEqual(
    Object.keys({ ...dependencies, ...peerDependencies }).sort(),
  )
})

test('the packed package has no script that runs when it is installed', async () => {
  const [copy, original] = [join(home, 'copy'), project].map((it) => readFileSync(join(it, 'package.json'), 'utf8'))
  expect(copy).toBe(original)
  await packedFiles()
  const { scripts } = JSON.parse(readFileSync(join(home, 'package/package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
})
