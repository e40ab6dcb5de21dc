/** Known failures of servers with several faults: the command against real sockets. */
import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { contractShapes } from '../../../contracts/support/shapes.js'

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
const only = [...new Set([...faults, oneMore].flatMap(({ killedBy }) => killedBy))].join(',')

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
    expect(report.verdict).toMatch(/^Every failure is known: \d+ of \d+ .* \d+ failures? (is|are) known\.$/)
  })

  test('do not hide one more, which is the only one named.', async () => {
    const { code, stdout, report, idsOf } = await check([...chosen, oneMore], ['--known', file])
    expect([code, idsOf('fail'), idsOf('notice')]).toEqual([1, oneMore.killedBy, []])
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

const offFile = (id: string) => written(`- {check: ${id}, severity: off}`)

describe('A known failure', () => {
  const [avatar] = faults as [Mutant]

  test('is no other failure of the same check.', async () => {
    const { code, idsOf } = await check([avatar], ['--known', written(entry('', { code: 'null-value' }))])
    expect([code, idsOf('fail')]).toEqual([1, ['customer-avatar']])
  })

  test('counts again after its last day, and a new file has it without a last day.', async () => {
    const file = written(entry('  until: 2020-02-29\n  owner: Ada\n'))
    const saved = pathOf('again.yaml')
    const { code, stdout, stderr } = await check([avatar], ['--known', file, '--save-known', saved])
    expect(stderr).toContain('Without a last day, because it is over: 1 entry')
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
    expect([code, stdout.match(/^ {4}known: .*/m)?.[0]]).toEqual([
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
  expect([code, stderr]).toEqual([2, expect.stringContaining(`The run was cut short, so ${file} was not written.`)])
  expect(readFileSync(file, 'utf8')).toBe(entry())
})

test('A check that ends at its first finding says nothing of others; one that judges one answer does.', async () => {
  const [customersFirst, directives] = ['customers-first-zero-ignored', 'directives-on-fragments-ignored'].map(mutant)
  const chosen = [customersFirst, directives] as [Mutant, Mutant]
  const file = written('')
  await check(chosen, ['--save-known', file])
  const entryOf = (id: string) => `- {check: ${id}, code: null-value, at: Customer.id, reason: Ticket 7.}\n`
  appendFileSync(file, entryOf('customers-first') + entryOf('directives'))
  const { code, report } = await check(chosen, ['--known', file])
  const gone = report.results.find(({ id }) => id === 'known-failures')?.findings ?? []
  expect([code, gone.map(({ at }) => at)]).toEqual([0, ['directives [null-value] at Customer.id']])
})

describe('Since an earlier run', () => {
  const [one, two, three] = faults as [Mutant, Mutant, Mutant]
  const json = pathOf('before.json')

  test('with --fail-on new, only what is new fails, and --save-known saves both.', async () => {
    await check([one, two], ['--report', `json=${json}`], { seed: 1 })
    const saved = pathOf('both.yaml')
    const later = await check([two, three], ['--compare', json, '--fail-on', 'new', '--save-known', saved])
    expect([later.code, later.idsOf('fail'), later.idsOf('known')]).toEqual([1, ['segments-values'], ['stores-shape']])
    expect(later.stdout).toMatch(
      /^FAIL new +segments-values [^]*\nSince the run of [\d-]+ \d\d:\d\d\n {4}new failure: segments-values .*\n {4}fixed failure: customer-avatar .*\n {4}still there: \d+\n {4}\d+ requests then[^]*: segments-values\. .*Since [\d-]+ \d\d:\d\d: 1 new, 1 fixed, \d+ still there\.\n$/m,
    )
    expect(later.report.verdict).toMatch(
      /^1 promise is broken: segments-values\. 1 finding was already in the earlier report\./,
    )
    expect(readFileSync(saved, 'utf8').match(/(?<=check: ).*/g)).toEqual(['segments-values', 'stores-shape'])
  })

  test('a run that judged nothing is no news for the next, and an entry past its last day counts.', async () => {
    const down = pathOf('down.json')
    await using server = await serveHttp((_, response) => void response.writeHead(404).end())
    const words = `check --compare ${json} --report json=${down} --base-url ${server.baseUrl.href}`
    await runInProcess(words.split(' '))
    const { code, report } = await check([two], ['--compare', down, '--fail-on', 'new'])
    expect([code, report.comparison?.new, report.verdict]).toEqual([0, [], expect.stringMatching(/^No failure is new/)])
    const [it] = report.comparison?.still ?? []
    const file = written(
      `- {check: ${it?.check}, code: ${it?.code}, at: ${it?.at}, reason: Ticket 7., until: 2020-02-29}`,
    )
    expect((await check([two], ['--compare', down, '--fail-on', 'new', '--known', file])).code).toBe(1)
  })
})

test('A failure that was a notice in the earlier report is new, once.', async () => {
  const [avatar] = faults as [Mutant]
  const [first, second] = ['noticed.json', 'raised.json'].map(pathOf) as [string, string]
  const since = (json: string) => ['--compare', json, '--fail-on', 'new']
  const lower = ['--severity', 'customer-avatar=notice']
  expect((await check([avatar], [...lower, '--report', `json=${first}`])).code).toBe(0)
  expect((await check([avatar], [...lower, ...since(first)])).code).toBe(0)
  const raised = await check([avatar], [...since(first), '--report', `json=${second}`])
  expect([raised.code, raised.idsOf('fail')]).toEqual([1, ['customer-avatar']])
  expect(raised.stdout).toMatch(/^ {4}new failure: customer-avatar /m)
  expect((await check([avatar], since(second))).code).toBe(0)
})

describe('What weighs how much', () => {
  const [avatar] = faults as [Mutant]
  const skipped = [
    '--skip',
    'stores-*,*-values',
    '--only',
    'account-shape,customer-avatar,stores-shape,store-shape,!store-sh*',
  ]

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
    [['--skip', 'stores-shap'], '--skip: no check matches stores-shap. Did you mean stores-shape?'],
    [['--only', '!nothing'], '--only: no check matches nothing. See all with --list.'],
    [['--severity', 'x=off'], '--severity: no check matches x. See all with --list.'],
    [['--severity', 'account-shape=low'], '--severity takes ID=failure, ID=notice or ID=off, not "account-shape=low".'],
    [['--skip', 'target-answers'], 'target-answers cannot be left out, because each run needs it.'],
    [['--skip', '*'], 'No check is left to run. Remove a --skip, --only or severity-off rule.'],
    [['--only', 'account-shape', '--skip', 'account-*'], 'No check is left to run.'],
    [['--only', 'account-shape,!account-shape'], 'No check is left to run.'],
    [['--only', 'account-shape', '--known', offFile('account-shape')], 'No check is left to run.'],
    [['--known', offFile('target-answers')], 'target-answers cannot be left out, because each run needs it.'],
    [['--severity', 'target-answers=off'], 'target-answers cannot be left out, because each run needs it.'],
    [
      ['--only', 'account-shape,store-shape', '--skip', 'account-*', '--require', 'account-shape'],
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
