/** README as its readers follow it: every command is run, every answer it shows is the real one. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileEntries } from '../schema/profile.js'
import { startBinary, type Binary } from './binary.testkit.js'
import { serveOptions } from './serve-options.js'
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
      for (const name of ['package.json', 'tsconfig.json', 'schema.graphql', 'src', 'mocks', 'contracts']) {
        cpSync(join(project, name), join(folder, name), { recursive: true })
      }
      symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
      const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: folder, detached: true })
      let output = ''
      for await (const text of child.stdout) {
        output += String(text)
        if (output.includes('Ctrl-C ends it.')) break
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
    /^curl /,
    async (command) => {
      const { stdout } = await run('sh', ['-c', here(command)])
      expect(JSON.parse(stdout)).not.toHaveProperty('errors')
    },
  ],
]

test.each(commands)('%s', async (command) => {
  const [, proof] = proofs.find(([pattern]) => pattern.test(command)) ?? []
  if (!proof) throw new Error('No test knows how to prove this command. Add a proof for it.')
  await proof(command)
})

test('the example of the library runs', async () => {
  const [code = ''] = blocks('js')
  mkdirSync(join(folder, 'user/node_modules'), { recursive: true })
  symlinkSync(project, join(folder, 'user/node_modules/commerce-mock'))
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: join(folder, 'user') })
  expect(stdout).toMatch(/^\[\s+{ name: 'Amber Loft' }[^]*http:\/\/localhost:\d+\/api\/v2\n$/)
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
  const settings = serveOptions.map((rule) => [
    `\`${rule.flags}\``,
    `\`${variableOf(rule)}\``,
    `\`${keyOf(rule)}\``,
    rule.about,
    rule.default === undefined ? '' : `\`${rule.default}\``,
  ])
  const whole = withTable(
    withTable(withAnswers, 'profile', ['Entry', 'Decides', 'Default', 'Takes'], profile),
    'options',
    ['Option', 'Environment', 'Config file', 'What it does', 'Default'],
    settings,
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
