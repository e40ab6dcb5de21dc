/** The package as its users get it: packed, installed into an empty folder, run. */
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { node24 } from './needs.testkit.js'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'commerce-mock-package-'))
const project = join(import.meta.dirname, '../..')
let tarball: string

/** What npm asks the network for besides packages, and again where it has them. None of it is ours. */
const quiet = ['--prefer-offline', '--no-audit', '--no-fund']

/** npm under a Node of choice. */
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

beforeAll(async () => {
  const { stdout } = await npm(
    process.execPath,
    project,
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    home,
  )
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)
  tarball = join(home, packed?.filename ?? '')
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

async function installs(node: string) {
  const folder = emptyFolder('install-')
  const { stdout, stderr } = await npm(node, folder, 'install', '--engine-strict', '--foreground-scripts', tarball)
  expect(stdout + stderr).not.toMatch(/warn|deprecated/i)

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

  const script = `
    import { createMock } from 'commerce-mock'
    import { readFileSync } from 'node:fs'
    import { createRequire } from 'node:module'
    const path = createRequire(import.meta.url).resolve('commerce-mock/schema.graphql')
    const { data } = await createMock().execute({ query: '{ customers(query: "") { edges { node { id } } } }' })
    console.log(data.customers.edges.length, readFileSync(path, 'utf8').includes('type Customer'))`
  expect((await run(node, ['--input-type=module', '-e', script], { cwd: folder })).stdout).toBe('25 true\n')
}

test.concurrent('the packed tarball installs in an empty folder without a warning and runs', () =>
  installs(process.execPath),
)

test.concurrent('the packed tarball installs and runs on Node 24', (context) => installs(node24(context)))

test.concurrent('npm ci of the project itself gives no warning on Node 24', async (context) => {
  const node = node24(context)
  const folder = emptyFolder('ci-')
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(project, file), join(folder, file))
  const { stdout, stderr } = await npm(node, folder, 'ci', '--engine-strict')
  expect(stdout + stderr).not.toMatch(/warn|deprecated/i)
})

test('the tarball holds what users need and nothing of the tests', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.split('\n').filter(Boolean)
  expect(files).toEqual(
    expect.arrayContaining([
      'package/README.md',
      'package/CHANGELOG.md',
      'package/schema.graphql',
      'package/dist/src/index.d.ts',
      'package/dist/cli/cli.js',
      'package/dist/cli/licences.txt',
      'package/fixtures/worlds/small-shop.json',
      'package/fixtures/worlds/world.schema.json',
    ]),
  )
  expect(
    files.filter((file) =>
      /\.test\.|\.testkit\.|\.soak\.|\/mutants\/|^package\/((src|mocks|contracts)\/|fixtures\/(?!worlds\/))/.test(file),
    ),
  ).toEqual([])
})

test('the packed package has no script that runs when it is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
})
