/** What `check` leaves behind if a file or stdout cannot be written: the binary with a limit on the size of files. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cliFile, inheritedEnv, type Ran } from '../cli.testkit.js'
import { runInProcess } from '../in-process.testkit.js'
import { readHar } from './har.testkit.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-outputs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const unprinted = 'commerce-mock: The output cannot be written: ENOSPC: no space left on device, write\n'

/** Runs a line of bash in which `check` is the binary. */
const shell = (line: string, cwd = root) =>
  new Promise<Ran>((resolve) => {
    const script = `check() { "${process.execPath}" "${cliFile}" check "$@"; }; ${line}`
    execFile('bash', ['-c', script], { cwd, env: inheritedEnv() }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

test('If the disk is full, each old file stays whole, the HAR file ends as JSON, and the run ends with 2.', async () => {
  const forms = ['json', 'html', 'junit', 'markdown']
  const words = [...forms.map((it) => `--report ${it}=${it}`), '--exchanges run.har']
  for (const it of [...forms, 'linked', 'run.har']) writeFileSync(join(root, it), 'old')
  rmSync(join(root, 'markdown'))
  symlinkSync('linked', join(root, 'markdown'))
  const run = `check --only 'segments-*' ${words.join(' ')}`
  const full = await shell(`ulimit -f 4; ${run} > /dev/full`)
  expect(full.code).toBe(2)
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
