/** README and docs as their readers use them: commands run, shown answers are real, tables match the code. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ApolloClient, HttpLink, type InMemoryCache } from '@apollo/client'
import { parse } from 'graphql'
import type { AddressInfo } from 'node:net'
import { createServer as createViteServer, type HttpServer } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { routes } from '../control/routes.js'
import { profileEntries } from '../profile.js'
import { limitRules } from '../server/graphql/limit-rules.js'
import { readyFolder, readyNames } from '../world-files/on-disk.js'
import { formatted } from '../shared/format.testkit.js'
import { contractChecks } from './check/run-contracts.js'
import { commands } from './commands.js'
import { runInProcess } from './in-process.testkit.js'
import type { OptionRule } from './options.js'
import { serve } from './serve/index.js'
import type { ServeOptions } from './serve/options.js'
import { keyOf, variableOf } from './settings.js'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-docs-'))
const pages = readdirSync(join(project, 'docs')).filter((it) => it.endsWith('.md'))
const docs = ['README.md', ...pages.map((it) => `docs/${it}`)].map((name) => {
  const path = join(project, name)
  return { name, path, text: readFileSync(path, 'utf8') }
})

/** The code blocks of a language in a text. */
const blocksIn = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code as string)

const blocks = (language: string) => docs.flatMap(({ text }) => blocksIn(text, language))

const shellCommands = new Set(
  blocks('sh')
    .flatMap((code) => code.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean),
)

/** `serve` in this process, on any free port. */
async function started(options: ServeOptions = {}) {
  const surroundings = { env: {}, onWarning: () => {}, onLog: () => {} }
  const { output, close } = await serve({ port: 0, ...options }, surroundings)
  const url = /^ *API +(\S+)$/m.exec(output)?.[1] ?? ''
  return { banner: output, url, origin: new URL(url).origin, close, [Symbol.asyncDispose]: close }
}

let server: Awaited<ReturnType<typeof started>>
beforeAll(async () => {
  server = await started()
  const source = join(folder, 'src')
  mkdirSync(source)
  writeFileSync(join(source, 'stores.graphql'), 'query Stores { account { stores { id name } } }')
  writeFileSync(join(folder, 'profile.json'), '{}')
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const here = (command: string, origin = server.origin) => command.replaceAll('http://localhost:4000', origin)

/** Runs `npx commerce-mock …` in this process, and demands exit code 0. Understands quotes and `"$NAME"`. */
async function runHere(command: string, { cwd = folder, env = {} as Record<string, string> } = {}): Promise<string> {
  const words = here(command)
    .match(/'[^']*'|"[^"]*"|[^\s'"]+=?(?:"[^"]*")?/g)
    ?.map((it) => it.replace(/['"]/g, '').replace(/\$(\w+)/g, (_, name: string) => env[name] ?? ''))
  const { code, stdout, stderr } = await runInProcess(words?.slice(2) ?? [], { cwd, env })
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return stdout
}

/** The check command, for fewer checks if it would run all. The tests of `check` run all. */
const narrowed = (command: string): string => {
  if (/--(only|require|list|save-inputs)\b/.test(command)) return command
  if (command.includes('--documents')) return `${command} --only 'document-*'`
  return `${command} --only ${command.includes('--write') ? 'create-segment' : 'account-shape'}`
}

/** Writes the ledger of a run that was killed before its first write. */
function leaveLedger(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ ledger: 1, run: 'cm-4f2abc', baseUrl: server.url, by: 'check' })}\n`)
}

interface Manifest {
  readonly scripts: { readonly contracts: string }
}

/** How to prove a command, by its beginning. Commands that exit with another code than 0 throw. */
const proofs: readonly (readonly [RegExp, (command: string) => Promise<void>])[] = [
  [
    /^npm ci && npm start$/,
    async () => {
      // `--ignore-scripts` skips the build before it, which would replace the files that other tests run.
      const words = ['start', '--ignore-scripts', '--', '--port', '0']
      const child = spawn('npm', words, { cwd: project, detached: true })
      let output = ''
      for await (const text of child.stdout) {
        output += String(text)
        if (output.includes('Press Ctrl-C to stop.')) break
      }
      expect(output).toMatch(/API +http:\/\/localhost:\d+\/api\/v2/)
      // Like a terminal: the signal goes to npm and to what npm started.
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
    // Not run: the script runs a file that is part of this test run.
    /^npm run contracts$/,
    async () => {
      const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest
      expect(existsSync(join(project, scripts.contracts.replace('vitest run ', '')))).toBe(true)
    },
  ],
  [/^npx commerce-mock [a-z ]*--help/, async (command) => expect(await runHere(command)).toMatch(/^(Usage|Limits)/)],
  [
    /^(\w+=\w+ )?npx commerce-mock serve/,
    async (command) => {
      const [, name, value, words = ''] = /^(?:(\w+)=(\w+) )?(.*)$/.exec(command) ?? []
      const env = name === undefined ? {} : { [name]: value as string }
      expect(await runHere(words.includes('--port') ? words : `${words} --port 0`, { env })).toContain('API  ')
    },
  ],
  [
    /^npx commerce-mock check cleanup/,
    async (command) => {
      leaveLedger(join(folder, command.split(' ').at(-1) as string))
      expect(await runHere(command)).toMatch(/^Nothing that \S+ lists was left to delete\.$/m)
    },
  ],
  [
    /^npx commerce-mock check/,
    async (command) => {
      if (command.includes('--inputs')) await runHere(command.replace(/--write .*/, '--save-inputs inputs.graphql'))
      expect(await runHere(`${narrowed(command)} --verbose`)).toMatch(
        /account-shape|customers|segment|stores|inputs\.graphql/,
      )
    },
  ],
  [
    /^npx commerce-mock seed cleanup/,
    async (command) => {
      await using shop = await started({ world: 'empty-shop' })
      const cwd = mkdtempSync(join(folder, 'seed-'))
      await runHere(`npx commerce-mock seed --base-url ${shop.url} --world vip-segment`, { cwd })
      const [ledger = ''] = readdirSync(join(cwd, '.commerce-mock'))
      const own = command.replace(/\S+$/, `.commerce-mock/${ledger}`)
      expect(await runHere(own, { cwd })).toMatch(/deleted/i)
    },
  ],
  [
    /^npx commerce-mock seed/,
    async (command) => {
      await using shop = await started({ world: 'empty-shop' })
      const cwd = mkdtempSync(join(folder, 'seed-'))
      expect(await runHere(here(command, shop.origin), { cwd })).toMatch(/segments/)
    },
  ],
  [/^curl /, async (command) => expect(JSON.parse(await answerOf(command))).not.toHaveProperty('errors')],
]

const answerOf = async (command: string, origin?: string) => (await run('sh', ['-c', here(command, origin)])).stdout

test.each([...shellCommands])('%s', async (command) => {
  const [, proof] = proofs.find(([pattern]) => pattern.test(command)) ?? []
  if (!proof) throw new Error('No test can prove this command. Add a proof for it.')
  await proof(command)
})

test('The world file is valid.', async () => {
  const yaml = blocks('yaml').find((it) => it.includes('world.schema.json')) ?? ''
  const file = join(folder, 'shop.yaml')
  writeFileSync(file, yaml)
  await using shop = await started({ world: file })
  expect(shop.banner).toContain('201 customers, 1 segment, 0 stores')
})

test('The files of faults and scenarios are valid.', async () => {
  for (const name of ['faults', 'scenario']) {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, blocks('yaml').find((it) => it.includes(`${name}.schema.json`)) ?? '')
    expect(await runHere(`npx commerce-mock serve --${name} ${file} --port 0`)).toContain('API  ')
  }
})

test.each(['http', 'https'])('Behind the proxy of Vite, every picture of an %s page loads.', async (scheme) => {
  const config = blocks('js').find((it) => it.startsWith('// vite.config.js')) ?? ''
  const root = mkdtempSync(join(folder, 'vite-'))
  const configFile = join(root, 'vite.config.mjs')
  writeFileSync(configFile, here(config))
  const vite = await createViteServer({ configFile, root, logLevel: 'silent', server: { port: 0, host: '127.0.0.1' } })
  try {
    await vite.listen()
    const { port } = (vite.httpServer as HttpServer).address() as AddressInfo
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `${scheme}://127.0.0.1:${port}` },
      body: '{"query":"{ customers(query: \\"\\", first: 10) { edges { node { avatar } } } }"}',
    }
    const text = await (await fetch(`http://127.0.0.1:${port}/api/v2`, init)).text()
    const avatars = [...text.matchAll(/"avatar":"([^"]+)"/g)].map(([, url = '']) => new URL(url, `${scheme}://page`))
    expect(avatars).toHaveLength(10)
    for (const { protocol, host, pathname } of avatars) {
      expect([protocol, host]).toEqual([`${scheme}:`, `127.0.0.1:${port}`])
      const picture = await fetch(`http://127.0.0.1:${port}${pathname}`)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    }
  } finally {
    await vite.close()
  }
})

test('The rewrites of Next pass on both paths.', async () => {
  const file = join(folder, 'next.config.mjs')
  writeFileSync(file, blocks('js').find((it) => it.startsWith('// next.config.mjs')) ?? '')
  const { default: config } = (await import(file)) as { default: { rewrites(): Promise<unknown> } }
  expect(await config.rewrites()).toEqual(
    ['/api', '/_mock'].map((path) => ({
      source: `${path}/:rest*`,
      destination: `http://localhost:4000${path}/:rest*`,
    })),
  )
})

test('The rules for the cache of Apollo merge pixels, stores and addresses without a warning.', async () => {
  // In the project, so that it finds Apollo.
  const file = join(project, 'node_modules/.cache/apollo-cache.mjs')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, blocks('js').find((it) => it.startsWith('// apollo-cache.js')) ?? '')
  const { cache } = (await import(file)) as { cache: InMemoryCache }
  const warn = vi.spyOn(console, 'warn')
  const error = vi.spyOn(console, 'error')
  const link = new HttpLink({ uri: server.url })
  const client = new ApolloClient({ link, cache })
  const ask = async (query: string) => (await client.query({ query: parse(query) })).data as Record<string, object>
  const pixels = '{ account { id facebook_pixels { label value } stores { id name } integrations { id } } }'
  const before = await ask(pixels)
  await client.mutate({
    mutation: parse('mutation { updateAccount(node: { facebook_pixels: [] }) { id facebook_pixels { label } } }'),
  })
  expect(await ask(pixels)).toEqual({ account: { ...before['account'], facebook_pixels: [] } })
  const address = (field: string) =>
    `{ customers(query: "", first: 1) { edges { node { id shipping_address { ${field} } } } } }`
  await ask(address('city'))
  await ask(address('country'))
  expect(JSON.stringify(cache.extract())).toMatch(/"shipping_address":\{[^}]*"city"[^}]*"country"/)
  expect([warn.mock.calls, error.mock.calls]).toEqual([[], []])
  await fetch(`${server.origin}/_mock/reset`, { method: 'POST' })
})

test('Every rule that a finding cites is in the copy of the specification.', () => {
  const { text = '' } = docs.find(({ name }) => name === 'docs/specification.md') ?? {}
  const rules = text.slice(text.indexOf('### Listing rules'))
  const cited = contractChecks.flatMap(({ basis }) => /^Listing rules, (\d)/.exec(basis.text)?.[1] ?? [])
  expect(cited.length).toBeGreaterThan(3)
  for (const number of cited) expect(rules).toMatch(new RegExp(`^${number}\\. `, 'm'))
})

test('The config file is valid.', async () => {
  const cwd = mkdtempSync(join(folder, 'config-'))
  writeFileSync(join(cwd, 'commerce-mock.config.json'), blocks('json').find((it) => it.includes('"port"')) ?? '')
  expect(await runHere('npx commerce-mock serve --port 0', { cwd })).toContain('API  ')
})

const code = (text: string | number | undefined) => (text === undefined ? '' : `\`${text}\``)

const optionRow = (rule: OptionRule) => [
  code(rule.flags),
  code(rule.typed ? undefined : variableOf(rule)),
  code(rule.typed ? undefined : keyOf(rule)),
  rule.about,
  code(rule.default),
]

const optionHead = ['Option', 'Environment', 'Config file', 'What it does', 'Default']

const readyText = (kind: 'faults' | 'scenarios', name: string) =>
  readFileSync(join(readyFolder(kind), `${name}.yaml`), 'utf8')

/** Options of `createMock` with the first lines of their descriptions, from the source. */
const mockOptions = [
  ...readFileSync(join(project, 'src/mock/options.ts'), 'utf8').matchAll(
    /\/\*\*((?:(?!\*\/)[^])+)\*\/\n {2}readonly (\w+)\?:/g,
  ),
].map(([, about = '', name]) => [code(name), about.replace(/\s*\n? {3}\* | \s+/g, ' ').trim()])

/** The tables that docs can hold, by name: `<!-- table: NAME -->` … `<!-- end -->`. */
const tables: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ...Object.fromEntries(commands.map(({ name, options }) => [name, [optionHead, ...options.map(optionRow)]])),
  'create-mock': [['Option', 'What it does'], ...mockOptions],
  control: [
    ['Request', 'What it does'],
    ...routes.map(({ method, path, about }) => [code(`${method} ${path}`), about]),
  ],
  limits: [
    ['Limit', 'Default', 'What it counts'],
    ...limitRules.map(({ name, default: value, about }) => [code(name), String(value), about]),
  ],
  'ready-faults': [
    ['Faults', 'Content'],
    ...readyNames('faults').map((name) => [code(name), /^# (?!yaml)(.*)$/m.exec(readyText('faults', name))?.[1] ?? '']),
  ],
  'ready-scenarios': [
    ['Scenario', 'Content'],
    ...readyNames('scenarios').map((name) => [
      code(name),
      /^about: '?(.*?)'?$/m.exec(readyText('scenarios', name))?.[1] ?? '',
    ]),
  ],
  profile: [
    ['Entry', 'Decides', 'Default', 'Values'],
    ...Object.entries(profileEntries).map(([name, { about, default: value, takes }]) => [
      code(name),
      about,
      code(JSON.stringify(value)),
      takes,
    ]),
  ],
}

function tableOf(name: string): string {
  const [head = [], ...rows] = tables[name] ?? []
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

test.each(docs)('$name shows real answers and the options of the code.', async ({ path, text }) => {
  const answers = new Map<string, string>()
  // Other commands of the docs have changed the world of the first one.
  await using fresh = await started()
  for (const [, command = ''] of text.matchAll(/```console\n\$ (.*)\n/g)) {
    answers.set(command, await answerOf(command, fresh.origin))
  }
  const whole = text
    .replace(/```console\n\$ (.*)\n[^]*?```/g, (_, it: string) => `\`\`\`console\n$ ${it}\n${answers.get(it)}\n\`\`\``)
    .replace(/(<!-- table: (.*) -->)[^]*?<!-- end -->/g, (_, start: string, name: string) => {
      return `${start}\n\n${tableOf(name)}\n\n<!-- end -->`
    })
  await expect(await formatted(path, whole)).toMatchFileSnapshot(path)
})

test('Each command has a table.', () => {
  const shown = docs.flatMap(({ text }) => [...text.matchAll(/<!-- table: (.*) -->/g)].map(([, name]) => name))
  for (const { name } of commands) expect(shown).toContain(name)
})
