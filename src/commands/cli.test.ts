/** The command line: help, wrong calls, and what `serve` prints. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startBinary } from './binary.testkit.js'
import { runCli } from './cli.testkit.js'
import { commands } from './commands.js'
import { runInProcess } from './in-process.testkit.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('Help', () => {
  const topics = commands.flatMap(({ name, topics: it = {} }) =>
    Object.keys(it).map((topic) => `${name} --help ${topic}`),
  )
  test.each(['--help', ...commands.map(({ name }) => `${name} --help`), ...topics])('%s', async (words) => {
    const { code, stdout, stderr } = await runInProcess(words.split(' '))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchSnapshot()
  })

  test('Without a command, the help goes to stderr and the exit code is 2.', async () => {
    const { code, stdout, stderr } = await runCli([])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Usage: commerce-mock')
  })
})

describe('A wrong call prints one line to stderr and exits with 2', () => {
  const files = {
    'broken.json': '{ "same_slug": ',
    'unknown.json': '{ "same_slugs": "allow" }',
    'value.json': '{ "same_slug": "perhaps" }',
    'empty.txt': ' \n',
    'token.txt': 'abc',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)

  test.each([
    [['frob'], "Unknown command 'frob'. See commerce-mock --help."],
    [['serve', '--prot', '3'], "Unknown option '--prot' (Did you mean --port?). See commerce-mock serve --help."],
    [
      ['serve', '--token', 'x'],
      'There is no --token. Use --token-env NAME or --token-file FILE, because other users can read a command line.',
    ],
    [['serve', '--max-body-bytes=1'], 'There is no --max-body-bytes. Use --limit body-bytes=NUMBER.'],
    [
      ['serve', 'now'],
      "Too many arguments for 'serve'. Expected 0 arguments but got 1. See commerce-mock serve --help.",
    ],
    [['serve', '--port'], "Option '--port <number>' argument missing. See commerce-mock serve --help."],
    [['serve', '--world', '--port', '4130'], '--world needs a value before --port.'],
    [['check', '--only=--x'], '--only: no check matches --x.'],
    [['check', '--base-url', '--only', 'lists'], '--base-url needs a value before --only.'],
    [['serve', '--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
    [['serve', '--port', ''], '--port is empty.'],
    [['serve', '--customers', '1e3'], '--customers takes a whole number from 0 to 5000000, not "1e3".'],
    [
      ['serve', '--now', '2026-02-30'],
      '--now takes a time such as 2026-01-31T12:00:00Z, or real for the wall clock, not "2026-02-30".',
    ],
    [['serve', '--limit', 'dept=3'], '--limit: there is no limit "dept". Did you mean depth?'],
    [['serve', '--state-sync'], '--state-sync has no effect without --state.'],
    [['serve', '--watch'], '--watch has no effect without --world or --scenario.'],
    [['serve', '--help', 'me'], '--help takes limits, not "me".'],
    [['serve', '--profile', 'nowhere.json'], '--profile: the file nowhere.json does not exist.'],
    [['serve', '--profile', '.'], '--profile: the file . is a folder.'],
    [['serve', '--profile', 'broken.json'], '--profile: the file broken.json is not JSON: '],
    [['serve', '--profile', 'unknown.json'], '--profile, unknown.json: '],
    [['serve', '--profile', 'value.json'], '--profile, value.json: '],
    [['serve', '--token-env', 'NO_SUCH'], '--token-env: the environment variable NO_SUCH holds no token.'],
    [['serve', '--token-file', 'empty.txt'], '--token-file: the file empty.txt holds no token.'],
    [
      ['serve', '--token-file', 'token.txt', '--token-env', 'B'],
      '--token-env and --token-file both give a token. Use one of them.',
    ],
    [['check', 'cleanup'], "Missing required argument 'ledger'. See commerce-mock check cleanup --help."],
    [['check', '--verbose', 'cleanup', 'x.jsonl'], 'Options of check cleanup go after its name.'],
  ])('%j', async (words, line) => {
    const { code, stdout, stderr } = await runInProcess(words, { cwd: folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`commerce-mock: ${line}`)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  test('as the binary does it', async () => {
    expect(await runCli(['serve', '--port', 'x'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'commerce-mock: --port takes a whole number from 0 to 65535, not "x".\n',
    })
  })

  test('A token that no header can carry is not repeated.', async () => {
    const { code, stderr } = await runInProcess(['serve', '--token-env', 'TOKEN'], { env: { TOKEN: 'käse brot' } })
    expect([code, stderr]).toEqual([
      2,
      'commerce-mock: --token-env: the environment variable TOKEN must hold visible ASCII characters without spaces.\n',
    ])
  })
})

test('A config module that fails later ends the process with one line.', async () => {
  const cwd = mkdtempSync(join(folder, 'config-'))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'commerce-mock.config.js'), 'Promise.reject(new Error("no")); export default {}')
  expect(await runCli(['serve', '--port', '0'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'commerce-mock: no\n',
  })
})

describe('serve', () => {
  test('The banner shows the address, the seed, the clock, the world and the profile.', async () => {
    writeFileSync(join(folder, 'p.json'), '{"same_slug":"allow"}')
    await using binary = await startBinary(['--customers', '7', '--profile', join(folder, 'p.json')])
    const banner = binary.banner.replaceAll(new URL(binary.url).host, 'localhost:PORT')
    expect(banner.replace(/mock \S+/, 'mock VERSION')).toMatchSnapshot()
  })

  test('A port in use ends it with one line and exit code 1.', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, stdout, stderr } = await runInProcess(['serve', '--port', String(port)])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(`^commerce-mock: Port ${port} is [^\n]*Choose another with --port, or 0 for any free one.\n$`),
    )
    server.close()
  })

  test('The token is required and printed nowhere.', async () => {
    await using binary = await startBinary(['--token-env', 'TOKEN'], { env: { TOKEN: 'tok-4711' } })
    const ask = async (headers: Record<string, string>) => {
      const body = '{"query":"{ account { id } }"}'
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
      return (await fetch(binary.url, init)).status
    }
    expect([await ask({}), await ask({ authorization: 'bearer tok-4711' })]).toEqual([401, 200])
    expect(binary.output()).toContain('Token      required')
    expect(binary.output()).not.toContain('tok-4711')
  })
})
