/** README as its readers follow it: every command is run, every answer it shows is the real one. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileEntries } from '../profile.js'
import { startBinary, type Binary } from './binary.testkit.js'
import { cliFile } from './cli.testkit.js'
import { checkCommands } from './check/options.js'
import type { OptionRule } from './options.js'
import { seedOptions } from './seed/options.js'
import { serveCommand } from './serve/options.js'
import { keyOf, variableOf } from './settings.js'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')
const path = join(project, 'README.md')
const readme = readFileSync(path, 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-readme-'))

/** The code blocks of a language. */
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code as string)

const commands = blocks('sh')
  .join('')
  .split('\n')
  .map((line) => line.replace(/\s+#.*$/, ''))
  .filter(Boolean)

let server: Binary
beforeAll(async () => {
  server = await startBinary()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const here = (command: string) => command.replaceAll('http://localhost:4000', server.origin)

/** What proves a command, by how it begins. */
const proofs: readonly (readonly [RegExp, (command: string) => Promise<void>])[] = [
  [
    /^npm ci && npm start$/,
    async () => {
      // A copy, because the build that goes before would pull the compiled files from under the other tests.
      for (const name of ['package.json', 'build.js', 'tsconfig.json', 'schema.graphql', 'src', 'mocks', 'contracts']) {
        cpSync(join(project, name), join(folder, name), { recursive: true })
      }
      symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
      const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: folder, detached: true })
      let output = ''
      for await (const text of child.stdout) {
        output += String(text)
        if (output.includes('Press Ctrl-C to stop.')) break
      }
      expect(output).toMatch(/API +http:\/\/localhost:\d+\/api\/v2/)
      // As a terminal does it: to npm and to what npm started.
      process.kill(-(child.pid as number), 'SIGINT')
      await once(child, 'close')
    },
  ],
  [
    /^npm ci && npm test$/,
    async (command) => {
      const ci = readFileSync(join(project, '.ci/run'), 'utf8')
      for (const part of command.split(' && ')) expect(ci).toMatch(new RegExp(`^${part}( |$)`, 'm'))
    },
  ],
  [
    /^npx commerce-mock serve --help$/,
    async () =>
      expect((await run('npx', ['commerce-mock', 'serve', '--help'], { cwd: project })).stdout).toMatch(/^Usage/),
  ],
  [
    /^(\w+=\w+ )?npx commerce-mock serve/,
    async (command) => {
      const [, name, value, options = ''] = /^(?:(\w+)=(\w+) )?npx commerce-mock serve ?(.*)$/.exec(command) ?? []
      await using binary = await startBinary(options.split(' ').filter(Boolean), {
        env: name === undefined ? {} : { [name]: value as string },
      })
      expect(await binary.stop()).toBe(0)
    },
  ],
  [
    /^npx commerce-mock check/,
    async (command) => {
      const documents = join(folder, 'front-end/src')
      mkdirSync(documents, { recursive: true })
      writeFileSync(join(documents, 'stores.graphql'), 'query Stores { account { stores { id name } } }')
      const called = here(command).replace(/^npx commerce-mock/, `"${process.execPath}" "${cliFile}"`)
      // Exit code 0, or it would be an error here.
      const { stdout } = await run('sh', ['-c', called], { cwd: join(folder, 'front-end') })
      expect(stdout).toMatch(/account-shape|customers-shape|stores/)
    },
  ],
  [
    /^npx commerce-mock seed/,
    async (command) => {
      await using binary = await startBinary(['--world', 'empty-shop'])
      const cwd = mkdtempSync(join(folder, 'seed-'))
      const cli = `"${process.execPath}" "${cliFile}"`
      const called = command.replaceAll('http://localhost:4000', binary.origin).replace(/^npx commerce-mock/, cli)
      const { stdout } = await run('sh', ['-c', called], { cwd })
      expect(stdout).toMatch(/segments/)
    },
  ],
  [
    /^npm run contracts$/,
    async () => {
      const { stdout } = await run('npm', ['run', 'contracts'], {
        cwd: project,
        env: { ...process.env, NO_COLOR: '1' },
      })
      expect(stdout).toMatch(/Test Files +1 passed/)
    },
  ],
  [
    /^curl /,
    async (command) => {
      const { stdout } = await run('sh', ['-c', here(command)])
      expect(JSON.parse(stdout)).not.toHaveProperty('errors')
    },
  ],
]

test.each(commands)('%s', { timeout: 180_000 }, async (command) => {
  const [, proof] = proofs.find(([pattern]) => pattern.test(command)) ?? []
  if (!proof) throw new Error('No test knows how to prove this command. Add a proof for it.')
  await proof(command)
})

test.each([
  ['the mock', 0, /^\[\s+{ name: 'Amber Loft' }[^]*http:\/\/localhost:\d+\/api\/v2\n$/],
  ['the contract suite', 1, /^0 [A-Z].*\n$/],
])('the example of %s as a library runs', async (_, at, answer) => {
  const code = blocks('js')[at] as string
  const user = join(folder, `user-${at}`)
  mkdirSync(join(user, 'node_modules'), { recursive: true })
  symlinkSync(project, join(user, 'node_modules/commerce-mock'))
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: user })
  expect(stdout).toMatch(answer)
})

test('the world file is one', async () => {
  const [yaml = ''] = blocks('yaml')
  const file = join(folder, 'shop.yaml')
  writeFileSync(file, yaml)
  await using binary = await startBinary(['--world', file])
  expect(binary.banner).toContain('201 customers, 1 segment, 0 stores')
})

test('the job for CI runs', async () => {
  const yaml = blocks('yaml').find((it) => it.includes('run: >-')) ?? ''
  const command = /run: >-\n([^]*)$/.exec(yaml)?.[1] as string
  const summary = join(folder, 'summary.md')
  const called = command.replaceAll('\n', ' ').replace(/npx commerce-mock/, `"${process.execPath}" "${cliFile}"`)
  const env = { ...process.env, STAGING_URL: server.url, COMMERCE_MOCK_TOKEN: 'a-token', GITHUB_STEP_SUMMARY: summary }
  await run('sh', ['-c', called], { cwd: folder, env })
  expect(readFileSync(summary, 'utf8')).toContain('account-shape')
  expect(readFileSync(join(folder, 'contracts.xml'), 'utf8')).toContain('account-shape')
})

test('what README says of the answers and of the profile is what is there', async () => {
  const withAnswers = await replaceAsync(readme, /```console\n\$ (.*)\n[^]*?```/g, async (command) => {
    const { stdout } = await run('sh', ['-c', here(command)])
    return `\`\`\`console\n$ ${command}\n${stdout}\n\`\`\``
  })
  const profile = Object.entries(profileEntries).map(([name, { about, default: value, takes }]) => [
    `\`${name}\``,
    about,
    `\`${JSON.stringify(value)}\``,
    takes,
  ])
  const settings = serveCommand.options.map((rule) => [
    `\`${rule.flags}\``,
    `\`${variableOf(rule)}\``,
    `\`${keyOf(rule)}\``,
    rule.about,
    rule.default === undefined ? '' : `\`${rule.default}\``,
  ])
  const rowOf = (rule: OptionRule) => [
    `\`${rule.flags}\``,
    rule.typed ? '' : `\`${variableOf(rule)}\``,
    rule.typed ? '' : `\`${keyOf(rule)}\``,
    rule.about,
    rule.default === undefined ? '' : `\`${rule.default}\``,
  ]
  const checking = (checkCommands[0]?.options ?? []).map(rowOf)
  const seeding = seedOptions.map(rowOf)
  const head = ['Option', 'Environment', 'Config file', 'What it does', 'Default']
  const withProfile = withTable(withAnswers, 'profile', ['Entry', 'Decides', 'Default', 'Takes'], profile)
  const whole = withTable(
    withTable(withTable(withProfile, 'options', head, settings), 'check', head, checking),
    'seed',
    head,
    seeding,
  )
  const options = await resolveConfig(path)
  await expect(await format(whole, { ...options, filepath: path })).toMatchFileSnapshot(path)
})

/** The text with the table between two marks replaced. */
function withTable(text: string, mark: string, head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const between = new RegExp(`(<!-- ${mark}: begin.*-->)[^]*(<!-- ${mark}: end -->)`)
  return text.replace(between, (_, begin: string, end: string) => `${begin}\n\n${lines.join('\n')}\n\n${end}`)
}

async function replaceAsync(text: string, pattern: RegExp, make: (group: string) => Promise<string>): Promise<string> {
  const parts = await Promise.all([...text.matchAll(pattern)].map(([, group]) => make(group as string)))
  let at = 0
  return text.replace(pattern, () => parts[at++] as string)
}
