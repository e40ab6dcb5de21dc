/** Known failures of servers with several faults: the command against real sockets. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { layered, type Mutant } from '../../../contracts/mutants/mutant.js'
import { mutants } from '../../../contracts/mutants/mutants.js'
import { serveHttp } from '../../client/bad-server.testkit.js'
import type { GraphqlRequest } from '../../client/target.js'
import type { Report } from '../../contract/report.js'
import { createMock } from '../../mock/create-mock.js'
import { mockTarget } from '../../mock/mock-target.js'
import { bodyOf } from '../body.testkit.js'
import { cliFile } from '../cli.testkit.js'
import { runInProcess } from '../in-process.testkit.js'
import { contractShapes } from './contract-shapes.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-known-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const pathOf = (name: string) => join(root, name)

const mutant = (id: string): Mutant => {
  const found = mutants.find((it) => it.id === id)
  if (!found) throw new Error(`There is no mutant ${id}.`)
  return found
}

const faults = [
  'customer-avatar-relative',
  'stores-with-null',
  'names-of-segments-lower-case-in-an-order',
  'product-price-other-under-node',
  'customers-first-zero-ignored',
  'customer-created-at-date',
  'customer-updated-at-iso',
  'segments-default-page-of-26',
  'variable-defaults-ignored',
  'directives-on-fragments-ignored',
].map(mutant)
const oneMore = mutant('integration-pixels-as-numbers')
const only = [...new Set([...faults, oneMore].flatMap(({ fails }) => fails))].join(',')

/** The mock with faults. Another seed gives other ids, values and orders. */
function serveFaults(chosen: readonly Mutant[], seed: number) {
  const counts = { customers: 28, segments: 27, stores: 2, products: 80, integrations: 2, pixels: 1 }
  const target = layered(...chosen.map(({ wrap }) => wrap))(
    mockTarget(createMock({ freeze: true, counts, seed })),
    contractShapes(),
  )
  return serveHttp(async (request, response) => {
    const { status, body } = await target.send(JSON.parse(await bodyOf(request)) as GraphqlRequest)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
}

async function check(chosen: readonly Mutant[], words: readonly string[], { seed = 2 } = {}) {
  await using server = await serveFaults(chosen, seed)
  const json = join(mkdtempSync(pathOf('run-')), 'report.json')
  const { code, stdout, stderr } = await runInProcess([
    'check',
    '--base-url',
    server.baseUrl.href,
    '--only',
    only,
    '--report',
    `json=${json}`,
    ...words,
  ])
  const report = JSON.parse(readFileSync(json, 'utf8')) as Report
  const idsOf = (outcome: string) => report.results.flatMap((it) => (it.outcome === outcome ? [it.id] : []))
  return { code, stdout, stderr, report, idsOf }
}

describe.each([1, 3, 10])('The failures of a server with %i faults', (count) => {
  const chosen = faults.slice(0, count)
  const file = pathOf(`known-${count}.yaml`)

  test('are saved, and then are known: of another account, too.', async () => {
    const first = await check(chosen, ['--save-known', file], { seed: 1 })
    expect([first.code, first.idsOf('known')]).toEqual([1, []])
    const failed = first.idsOf('fail')
    expect(failed.length).toBeGreaterThanOrEqual(count)
    expect(first.stderr).toMatch(new RegExp(`Wrote \\d+ known failures? to ${file}`))
    const { code, stdout, report, idsOf } = await check(chosen, ['--known', file, '--strict'])
    expect([code, idsOf('fail'), idsOf('notice'), idsOf('known')]).toEqual([0, [], [], failed])
    expect(stdout).not.toMatch(/^(FAIL|notice)|curl /m)
    expect(report.verdict).toMatch(/^No failure is new: \d+ of \d+ .* \d+ failures? (is|are) known\.$/)
  })

  test('do not hide one more, which is the only one named.', async () => {
    const { code, stdout, report, idsOf } = await check([...chosen, oneMore], ['--known', file])
    expect([code, idsOf('fail'), idsOf('notice')]).toEqual([1, oneMore.fails, []])
    expect(report.verdict).toMatch(/^1 promise is broken: integration-pixels\. \d+ failures? (is|are) known\.$/)
    expect(stdout.match(/^(FAIL|notice) .*/gm)).toEqual([expect.stringContaining('integration-pixels')])
  })

  test('are a notice when one is mended, with the line to delete.', async () => {
    const { code, report, idsOf } = await check(chosen.slice(1), ['--known', file])
    expect([code, idsOf('fail'), idsOf('notice')]).toEqual([0, [], ['known-failures']])
    const [finding, ...more] = report.results.find(({ id }) => id === 'known-failures')?.findings ?? []
    const line = readFileSync(file, 'utf8').split('\n').indexOf('- check: customer-avatar') + 1
    expect([finding?.sentence, more]).toEqual([
      `customer-avatar [customer-avatar] at Customer.avatar is gone. Delete the entry at ${file}:${line}.`,
      [],
    ])
  })
})

const entry = (more = '', { code = 'customer-avatar' } = {}) =>
  `- check: customer-avatar\n  code: ${code}\n  at: Customer.avatar\n  reason: Ticket 7.\n${more}`

function written(text: string): string {
  const path = join(mkdtempSync(pathOf('file-')), 'known.yaml')
  writeFileSync(path, text)
  return path
}

describe('A known failure', () => {
  const [avatar] = faults as [Mutant]

  test('is no other failure of the same check.', async () => {
    const { code, idsOf } = await check([avatar], ['--known', written(entry('', { code: 'null-value' }))])
    expect([code, idsOf('fail')]).toEqual([1, ['customer-avatar']])
  })

  test('counts again after its last day, and a new file has it without a last day.', async () => {
    const file = written(entry('  until: 2020-02-29\n  owner: Ada\n'))
    const saved = pathOf('again.yaml')
    const { code, stdout } = await check([avatar], ['--known', file, '--save-known', saved])
    expect([code, stdout]).toEqual([1, expect.stringContaining(`It was known until 2020-02-29: Ticket 7. (${file}:1)`)])
    expect(readFileSync(saved, 'utf8').replaceAll(/^#.*\n/gm, '')).toBe(entry('  owner: Ada\n'))
  })

  test('fails the run under --strict once it is gone, and is not saved again.', async () => {
    const saved = pathOf('gone.yaml')
    const { code, report } = await check([], ['--known', written(entry()), '--strict', '--save-known', saved])
    expect([code, report.verdict]).toEqual([1, expect.stringMatching(/^1 notice counts .*: known-failures\.$/)])
    expect(readFileSync(saved, 'utf8')).toMatch(/\n\[\]\n$/)
  })

  test('is shown with its reason, its owner and its last day, and stays in a new file.', async () => {
    const file = written(`# Ours\n${entry('  owner: Ada\n  until: 9999-12-31\n')}`)
    const { code, stdout } = await check([avatar], ['--known', file, '--save-known', file, '--verbose'])
    expect([code, stdout.match(/^known .*\n.*/m)?.[0]]).toEqual([
      0,
      expect.stringMatching(/ {4}known: \[customer-avatar\] at Customer.avatar: Ticket 7., Ada, until 9999-12-31$/),
    ])
    expect(readFileSync(file, 'utf8')).toContain('  owner: Ada\n  until: 9999-12-31\n')
  })
})

test('A file of known failures is read once, and stays as it is if nothing was judged.', async () => {
  const [avatar] = faults as [Mutant]
  const file = written(entry())
  await using server = await serveFaults([avatar], 2)
  const command = `"${process.execPath}" "${cliFile}" check --base-url ${server.baseUrl.href} --only customer-avatar`
  const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --known <(cat "${file}")`])
  expect(stdout).toMatch(/\n1 pass, 1 known|\n2 pass, 1 known/)

  await using closed = await serveHttp((_, response) => void response.writeHead(401).end())
  const { code, stderr } = await runInProcess(['check', '--base-url', closed.baseUrl.href, '--save-known', file])
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Nothing was judged, so ${file} stays as it is.`)])
  expect(readFileSync(file, 'utf8')).toBe(entry())
})

test('Since an earlier run: what is new, fixed and still there; with --fail-on new, only what is new fails.', async () => {
  const [one, two, three] = faults as [Mutant, Mutant, Mutant]
  const json = pathOf('before.json')
  await check([one, two], ['--report', `json=${json}`], { seed: 1 })
  const later = await check([two, three], ['--compare', json, '--fail-on', 'new'])
  expect([later.code, later.idsOf('fail'), later.idsOf('known')]).toEqual([1, ['segments-values'], ['stores-shape']])
  expect(later.stdout).toMatch(
    /^FAIL new +segments-values [^]*\nSince the run of [\d-]+ \d\d:\d\d\n {4}new failure: segments-values .*\n {4}fixed failure: customer-avatar .*\n {4}still there: \d+\n {4}\d+ requests then[^]*: segments-values\. .*Since [\d-]+ \d\d:\d\d: 1 new, 1 fixed, \d+ still there\.\n$/m,
  )
  const { code, report } = await check([two], ['--compare', json, '--fail-on', 'new'])
  expect([code, report.comparison?.new]).toEqual([0, []])
})

describe('What weighs how much', () => {
  const [avatar] = faults as [Mutant]
  const skipped = ['--skip', 'stores-*,*-values', '--only', 'customer-avatar,stores-shape,store-shape,!store-sh*']

  test('An option or the file makes a failure a notice, which does not fail the run under --strict.', async () => {
    const words = ['--severity', 'customer-*=notice', '--strict']
    for (const it of [words, ['--known', written('- {check: customer-*, severity: notice}'), '--strict']]) {
      const { code, idsOf } = await check([avatar], it)
      expect([code, idsOf('notice')]).toEqual([0, ['customer-avatar']])
    }
  })

  test('The last rule wins, and that of the command comes after the file.', async () => {
    const file = written('- {check: customer-*, severity: off}')
    const { code, idsOf } = await check([avatar], ['--known', file, '--severity', 'customer-avatar=failure'])
    expect([code, idsOf('fail')]).toEqual([1, ['customer-avatar']])
  })

  test('What is left out is said.', async () => {
    await using server = await serveFaults([avatar], 2)
    const reports = ['junit', 'markdown'].flatMap((it) => ['--report', `${it}=${pathOf(`left.${it}`)}`])
    const words = ['--severity', 'customer-avatar=off', ...skipped, ...reports]
    const { code, stdout } = await runInProcess(['check', '--base-url', server.baseUrl.href, ...words])
    expect(code).toBe(0)
    const text = stdout.slice(stdout.indexOf('Left out'))
    expect(text).toMatch(
      /^Left out\n {4}--skip: \d checks: stores-shape, .*\n {4}severity off: 1 check: customer-avatar\n {4}--only: \d+ checks\n/,
    )
    for (const it of ['junit', 'markdown'])
      expect(readFileSync(pathOf(`left.${it}`), 'utf8')).toMatch(/severity off: 1 check: customer-avatar/)
  })

  test.each<[string[], string]>([
    [['--skip', 'stores-shap'], 'No check has the id stores-shap. See them with --list.'],
    [['--only', '!nothing'], 'No check has the id nothing. See them with --list.'],
    [['--severity', 'x=off'], 'No check has the id x. See them with --list.'],
    [['--severity', 'account-shape=low'], '--severity takes ID=failure, ID=notice or ID=off, not "account-shape=low".'],
    [['--skip', 'target-answers'], 'target-answers cannot be left out, because each run needs it.'],
    [['--skip', '*'], 'Every check is left out. Leave out fewer.'],
    [
      ['--only', 'account-shape', '--skip', 'account-*', '--require', 'account-shape'],
      '--require: no check that would',
    ],
    [['--fail-on', 'new'], '--fail-on new needs an earlier report. Give it with --compare FILE.'],
    [['--max-latency', 'p99=2s'], '--max-latency takes p50=TIME or p95=TIME, such as p95=2s, not "p99=2s".'],
    [['--fail-on', 'old'], '--fail-on takes all or new, not "old".'],
    [['--compare', 'nowhere.json'], '--compare: the file nowhere.json does not exist.'],
    [['--known', 'nowhere.yaml'], '--known: the file nowhere.yaml does not exist.'],
    [['--save-known', root], `--save-known: ${root} cannot be written: is a folder.`],
    [['--report', `html=${root}`], `--report html: ${root} cannot be written: is a folder.`],
  ])('%j is refused.', async (words, message) => {
    const { code, stderr } = await runInProcess(['check', ...words])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
