/** What `check` leaves behind if a file or stdout cannot be written: the binary with a limit on the size of files. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Report } from '../../contract/report.js'
import { cliFile, inheritedEnv, type Ran } from '../cli.testkit.js'
import { runInProcess } from '../in-process.testkit.js'
import { readHar } from './har.testkit.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-outputs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const unprinted = 'commerce-mock: The output cannot be written: ENOSPC: no space left on device, write\n'

/** Runs a line of bash in which `check` is the binary. */
const shell = (line: string, cwd = root, uid?: number) =>
  new Promise<Ran>((resolve) => {
    const script = `check() { "${process.execPath}" "${cliFile}" check "$@"; }; ${line}`
    execFile('bash', ['-c', script], { cwd, uid, env: inheritedEnv() }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

test('On a full disk, old files stay whole, the HAR file ends as JSON, and the run prints its text and ends with 2.', async () => {
  const forms = ['json', 'html', 'junit', 'markdown']
  const words = [...forms.map((it) => `--report ${it}=${it}`), '--exchanges run.har']
  for (const it of [...forms, 'linked', 'run.har']) writeFileSync(join(root, it), 'old')
  rmSync(join(root, 'markdown'))
  symlinkSync('linked', join(root, 'markdown'))
  const run = `check --only 'segments-*,observe-http-get' --quiet ${words.join(' ')}`
  const full = await shell(`ulimit -f 4; ${run} --save-known /dev/full --save-profile /dev/full > /dev/full`)
  expect(full.code).toBe(2)
  for (const it of ['known', 'profile'])
    expect(full.stderr).toContain(`--save-${it}: /dev/full cannot be written: ENOSPC`)
  for (const it of forms) {
    expect(full.stderr).toContain(`--report ${it}: ${it} cannot be written: EFBIG`)
    expect(readFileSync(join(root, it), 'utf8')).toBe('old')
  }
  expect(full.stderr).toContain('--exchanges: run.har is not complete: EFBIG')
  expect(readHar(join(root, 'run.har')).length).toBeGreaterThan(0)
  expect(full.stderr).toContain(unprinted)

  expect((await shell(run)).code).toBe(0)
  const left = [...forms, 'linked', 'run.har'].toSorted()
  expect(readdirSync(root).toSorted()).toEqual(left)
  expect(readFileSync(join(root, 'linked'), 'utf8')).toMatch(/^## Contracts/)
})

test('A file keeps its mode, its links and its neighbors, and needs no writable folder; /dev/stdout is the file that the shell opened.', async () => {
  const folder = mkdtempSync(join(root, 'kept-'))
  const within = (...names: string[]) => join(folder, ...names)
  const read = (...names: string[]) => readFileSync(within(...names), 'utf8')
  for (const it of ['secret', 'secret.new', 'other']) writeFileSync(within(it), 'old')
  chmodSync(within('secret'), 0o660)
  linkSync(within('other'), within('other name'))
  mkdirSync(within('closed'))
  writeFileSync(within('closed', 'file'), 'old')
  symlinkSync('made', within('dangling'))
  // No folder is closed to root.
  const user = process.getuid?.() === 0 ? 54_321 : undefined
  if (user !== undefined) {
    const names = ['.', 'secret', 'other', 'closed/file']
    for (const it of names) chownSync(within(it), user, 0)
    chmodSync(root, 0o755)
  }
  chmodSync(within('closed'), 0o555)
  const reports = ['secret', 'dangling', 'closed/file', 'other', '/dev/stdout'].map((it) => `--report junit=${it}`)
  const { code, stderr } = await shell(`check --only account-shape --quiet ${reports.join(' ')} > out`, folder, user)
  expect([code, stderr]).toEqual([0, ''])
  const report = read('secret')
  expect(report).toMatch(/^<\?xml/)
  for (const it of ['made', 'closed/file', 'other name', 'out']) expect([it, read(it)]).toEqual([it, report])
  expect(statSync(within('secret'))).toMatchObject({ mode: 0o100660, gid: statSync(within('secret.new')).gid })
  expect([lstatSync(within('dangling')).isSymbolicLink(), read('secret.new')]).toEqual([true, 'old'])
  const left = ['closed', 'dangling', 'made', 'other', 'other name', 'out', 'secret', 'secret.new']
  expect([readdirSync(folder).toSorted(), readdirSync(within('closed'))]).toEqual([left, ['file']])
})

test('A file that is mounted, as into a container, is written in place.', async (context) => {
  const folder = mkdtempSync(join(root, 'mounted-'))
  for (const it of ['source', 'target']) writeFileSync(join(folder, it), '')
  const mounted = (line: string) => `export -f check; unshare -rm bash -c 'mount --bind source target && { ${line}; }'`
  if ((await shell(mounted('true'), folder)).code !== 0) context.skip('Files cannot be mounted here.')
  const { code, stderr } = await shell(mounted('check --only account-shape --quiet --report json=target'), folder)
  expect([code, stderr, readdirSync(folder)]).toEqual([0, '', ['source', 'target']])
  expect(readFileSync(join(folder, 'source'), 'utf8')).toContain('"schemaVersion"')
})

test('What has nothing to print needs no stdout, and help that cannot be printed ends with 2.', async () => {
  const { code, stderr } = await shell('check --only account-shape --quiet > /dev/full && check --help > /dev/full')
  expect([code, stderr]).toEqual([2, unprinted])
})

test('A reader that closes its pipe is no error.', async () => {
  const { stdout, stderr } = await shell('check --list | head -1; exit ${PIPESTATUS[0]}')
  expect([stdout.split('\n').length, stderr]).toEqual([2, ''])
})

test.each([
  ['--report json=x --report html=x', '--report json and --report html'],
  ['--report json=x --exchanges ./x', '--report json and --exchanges'],
  ['--save-known a/../x --save-profile x', '--save-profile and --save-known'],
  ['--report json=x --ledger x --write segments', '--report json and --ledger'],
])('%s is refused before anything is sent.', async (words, options) => {
  const folder = mkdtempSync(join(root, 'same-'))
  const { code, stdout, stderr } = await runInProcess(['check', ...words.split(' ')], { cwd: folder })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    new RegExp(`^commerce-mock: ${options} write to the same file, \\S*x\\. Give each its own\\.\n$`),
  )
})

test('A run of one check, compared with a whole report, says in a few lines what is slow, known and not judged.', async () => {
  const folder = mkdtempSync(join(root, 'slow-'))
  const entry = { check: 'max-latency', code: 'slow-p95', at: 'Query.account', reason: 'Ticket_7 [slow].' }
  writeFileSync(join(folder, 'known.yaml'), JSON.stringify([entry]))
  const lost = ['store-shape', 'segment-shape'].map((check) => ({
    ...entry,
    check,
    kind: 'failure',
    sentence: 'It fails.',
  }))
  const head = { schemaVersion: 2, startedAt: '2026-03-01T10:00:00Z', calls: 1, ms: 1, results: [] }
  writeFileSync(join(folder, 'before.json'), JSON.stringify({ ...head, comparison: { notJudged: lost } }))
  const words =
    '--known known.yaml --compare before.json --max-latency p95=1ms --report markdown=r.md --report json=r.json'
  const { code, stdout } = await shell(`check --only account-shape ${words}`, folder)
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('    no longer judged, because their checks did not run: 2\n'),
  ])
  const markdown = readFileSync(join(folder, 'r.md'), 'utf8')
  expect(markdown).toMatch(/^## Contracts: kept, except 1 known failure\n/)
  expect(markdown).toContain('- `max-latency` [slow-p95] at Query.account: Ticket_7 [slow].')
  const { results } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8')) as Report
  expect(results.find(({ id }) => id === 'max-latency')?.sentence).toMatch(
    /^Query\.account was too slow: the p95 of 2 requests was [\d.]+ ms, and --max-latency allows 1 ms\.$/,
  )
})
