/** The command line as people call it: what it says, where, and with which exit code. */
import { execFile, spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { startBinary } from './binary.testkit.js'
import { cliFile } from './cli.testkit.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A server that should have ended is not left behind. */
const patienceMs = 60_000

interface Run {
  code: number
  stdout: string
  stderr: string
}

function run(args: readonly string[], env: Record<string, string> = {}, cwd = folder): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cliFile, ...args],
      { cwd, env: { ...process.env, ...env }, timeout: patienceMs },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return name
}

describe('help', () => {
  test.each([[['--help']], [['serve', '--help']]])('%j', async (args) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchSnapshot()
  })

  test('calling it without a command prints the help to stderr and exits 2', async () => {
    const { code, stdout, stderr } = await run([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: commerce-mock')
  })
})

describe('a config module that fails is one line that names it, and exit 2', () => {
  test.concurrent.each([
    ['throw new Error("no")', 'cannot be loaded: no'],
    ['export default Promise.reject(new Error("no"))', 'cannot be loaded: no'],
  ])('%s', async (text, said) => {
    const own = mkdtempSync(join(folder, 'config-'))
    writeFileSync(join(own, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(own, 'commerce-mock.config.js'), text)
    // Whether it fails while the mock starts or later, the process is to end.
    expect(await run(['serve', '--port', '0', '--customers', '3'], {}, own)).toEqual({
      code: 2,
      stdout: expect.any(String) as string,
      stderr: `commerce-mock: commerce-mock.config.js ${said}\n`,
    })
  })
})

test.runIf(process.platform === 'linux')('too few files to serve are one line and no stack', async () => {
  const line = `ulimit -n 20; exec "${process.execPath}" "${cliFile}" serve --port 0 --customers 3`
  const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect(output).toMatch(/^commerce-mock: The process may not open enough files[^\n]*"ulimit -n 256"\.\n$/)
  expect(code).not.toBe(0)
})

describe('a wrong call is one line on stderr and exit 2', () => {
  file('broken.json', '{ "same_slug": ')
  file('unknown.json', '{ "same_slugs": "allow" }')
  file('value.json', '{ "same_slug": "perhaps" }')
  file('order.json', '{ "default_order": "order_by:shoe_size" }')
  file('list.json', '[]')
  file('empty.txt', ' \n')
  test.concurrent.each([
    [['frob'], "Unknown command 'frob'. See commerce-mock --help."],
    [['serve', '--prot', '3'], "Unknown option '--prot' (Did you mean --port?). See commerce-mock serve --help."],
    [
      ['serve', '--token', 'x'],
      'There is no --token. Use --token-env NAME or --token-file FILE, because other users can read a command line.',
    ],
    [
      ['serve', 'now'],
      "Too many arguments for 'serve'. Expected 0 arguments but got 1. See commerce-mock serve --help.",
    ],
    [['serve', '--port'], "Option '--port <number>' argument missing. See commerce-mock serve --help."],
    [['serve', '--port', 'x'], '--port takes a whole number from 0 to 65535, not "x".'],
    [['serve', '--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
    [['serve', '--port', ''], '--port takes a whole number from 0 to 65535, not "".'],
    [['serve', '--seed', '1.5'], '--seed takes a whole number from -9007199254740991 to 9007199254740991, not "1.5".'],
    [['serve', '--customers', '-1'], '--customers takes a whole number from 0 to 5000000, not "-1".'],
    [['serve', '--customers', '1e3'], '--customers takes a whole number from 0 to 5000000, not "1e3".'],
    [
      ['serve', '--now', 'yesterday'],
      '--now takes an instant such as 2026-01-31T12:00:00Z, or "real" for the wall clock, not "yesterday".',
    ],
    [
      ['serve', '--now', '2026-02-30'],
      '--now takes an instant such as 2026-01-31T12:00:00Z, or "real" for the wall clock, not "2026-02-30".',
    ],
    [['serve', '--profile', 'nowhere.json'], '--profile: the file nowhere.json does not exist.'],
    [['serve', '--profile', '.'], '--profile: the file . is a folder.'],
    [['serve', '--profile', 'broken.json'], '--profile: the file broken.json is not JSON: '],
    [
      ['serve', '--profile', 'unknown.json'],
      '--profile, unknown.json: The profile has no entry "same_slugs". Its entries: order_keys, ',
    ],
    [
      ['serve', '--profile', 'value.json'],
      '--profile, value.json: The profile entry "same_slug" takes "error" or "allow".',
    ],
    [
      ['serve', '--profile', 'order.json'],
      '--profile, order.json: The profile entry "default_order": order_by cannot be "shoe_size" in the query. ',
    ],
    [
      ['serve', '--profile', 'list.json'],
      '--profile, list.json: A profile is an object with entries such as "same_slug": "allow".',
    ],
    [['serve', '--token-env', 'NO_SUCH'], '--token-env: the environment variable NO_SUCH is unset or empty.'],
    [['serve', '--token-file', 'empty.txt'], '--token-file: the file empty.txt is empty.'],
    [
      ['serve', '--token-file', file('token.txt', 'abc'), '--token-env', 'B'],
      'The token comes from --token-env or from --token-file. Give one of them.',
    ],
  ])('%j', async (args, line) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`commerce-mock: ${line}`)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  test('a token that no header can carry, without repeating it', async () => {
    const { code, stderr } = await run(['serve', '--token-env', 'TOKEN'], { TOKEN: 'käse brot' })
    expect(code).toBe(2)
    expect(stderr).toBe(
      'commerce-mock: --token-env: the environment variable TOKEN must hold visible ASCII characters without spaces.\n',
    )
  })
})

describe('serving', () => {
  test('the banner says the address, the seed, the clock, the counts and what is assumed', async () => {
    await using binary = await startBinary([
      '--customers',
      '7',
      '--profile',
      join(folder, file('p.json', '{"same_slug":"allow"}')),
    ])
    expect(binary.banner.replaceAll(new URL(binary.url).host, 'localhost:PORT')).toMatchSnapshot()
  })

  test('a port that is taken is one line with a way out and exit 1', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await run(['serve', '--port', String(port)])).toEqual({
      code: 1,
      stdout: '',
      stderr: `commerce-mock: Port ${port} is taken. Choose another with --port, or 0 for any free one.\n`,
    })
    server.close()
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with exit 0', async (signal) => {
    const child = spawn(process.execPath, [cliFile, 'serve', '--port', '0'])
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('a reader that goes away does not end the server', async () => {
    const child = spawn(process.execPath, [cliFile, 'serve', '--port', '0'])
    const [banner] = (await once(child.stdout, 'data')) as [Buffer]
    child.stdout.destroy()
    child.stderr.destroy()
    const url = /http:\S+\/api\/v2/.exec(banner.toString())?.[0] ?? ''
    const ask = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ account { id } }"}',
      })
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(200)
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('the token is demanded and shown nowhere', async () => {
    await using binary = await startBinary(['--token-env', 'TOKEN'], { env: { TOKEN: 'tok-4711' } })
    const ask = (headers: Record<string, string>) =>
      fetch(binary.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"query":"{ account { id } }"}',
      })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'bearer tok-4711' })).status).toBe(200)
    expect(binary.output()).not.toContain('tok-4711')
    expect(binary.output()).toContain('token      demanded')
  })
})
