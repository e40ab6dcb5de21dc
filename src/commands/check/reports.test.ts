/** What the reports of `check` show of a server that is wrong or down, over a real socket. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { serveHttp } from '../../client/bad-server.testkit.js'
import type { Exchange } from '../../contract/check.js'
import type { Report } from '../../contract/report.js'
import { createMock } from '../../mock/create-mock.js'
import { bodyOf } from '../body.testkit.js'
import { runCli } from '../cli.testkit.js'
import { runInProcess } from '../in-process.testkit.js'
import { readHar } from './har.testkit.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-reports-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Rule = (response: ServerResponse, answer: string, call: number, query: string) => void

const send = (response: ServerResponse, answer: string | Buffer): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)

interface CheckedOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The binary, where colors matter. */
  readonly run?: typeof runInProcess
  /** A mutation that is done twice. */
  readonly twice?: string
}

/** The mock with changed responses, and the reports of a run against it. */
async function checked(
  rule: Rule,
  words: readonly string[] = [],
  { env, run = runInProcess, twice }: CheckedOptions = {},
) {
  const folder = mkdtempSync(join(root, 'run-'))
  const mock = createMock({ freeze: true })
  let call = 0
  await using server = await serveHttp(async (request, response) => {
    const body = await bodyOf(request)
    const { url = '', method = 'POST', headers } = request
    const init = { method, headers: { 'content-type': 'application/json', accept: headers.accept ?? '*/*' } }
    const answerOf = () => mock.fetch(`http://localhost${url}`, method === 'GET' ? init : { ...init, body })
    if (twice !== undefined && body.includes(`${twice}(`)) await answerOf()
    const answer = await answerOf()
    const query = method === 'GET' ? '' : (JSON.parse(body) as { query: string }).query
    rule(response, await answer.text(), (call += 1), query)
  })
  const files = { json: 'out/new/r.json', junit: 'out/r.xml', markdown: 'out/r.md', html: 'out/r.html' }
  const reports = Object.entries(files).flatMap(([form, file]) => ['--report', `${form}=${join(folder, file)}`])
  if (words.includes('--write')) reports.push('--ledger', join(folder, 'ledger.jsonl'))
  const command = ['check', '--base-url', server.baseUrl.href, ...reports, ...words]
  const { code, stdout, stderr } = await run(command, { env })
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  const report = JSON.parse(read('out/new/r.json') || '{}') as Report
  return {
    code,
    stdout,
    stderr,
    report,
    mock,
    junit: read('out/r.xml'),
    markdown: read('out/r.md'),
    html: read('out/r.html'),
  }
}

const page = '<!doctype html><title>Down for maintenance</title>'

// At the same time, because they mostly wait to ask again. The others are short, and run meanwhile.
describe.concurrent('One cause is one entry', () => {
  test('if a maintenance page replaces the API: the run stops, and says after which request.', async () => {
    const { code, stdout, report, junit, markdown } = await checked((response, answer, call) =>
      call <= 20 ? send(response, answer) : void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    )
    const after = report.stoppedAfter ?? 0
    expect([code, report.totals.error, after >= 21 && after < 30]).toEqual([2, 1, true])
    expect(report.verdict).toMatch(new RegExp(`^1 check ended in error: .* The run stopped after request ${after}\\.$`))
    // In its entry, and in the verdict.
    expect([stdout, markdown].map((it) => it.split('Down for maintenance').length - 1)).toEqual([2, 2])
    expect(stdout.split(`The run stopped after request ${after}.`).length).toBeGreaterThan(2)
    expect(junit.match(/<error /g)).toHaveLength(1)
  })

  test('if the target goes down: not every check asks again.', async () => {
    const { code, report } = await checked((response, answer, call) =>
      call <= 20 ? send(response, answer) : void response.writeHead(503, { 'retry-after': '0' }).end(),
    )
    expect([code, report.stoppedAfter]).toEqual([2, expect.any(Number)])
    expect(report.totals.error).toBeLessThan(report.results.length / 3)
    expect(report.retries).toBeGreaterThan(12)
  })

  test('if long responses are cut off: other checks go on, and the error is said once.', async () => {
    const { code, stdout, report, junit, markdown } = await checked((response, answer) =>
      send(response, Buffer.from(answer).subarray(0, 2000)),
    )
    const sentence =
      'The target responded with 200 and JSON that is cut off after 2000 bytes. Check any proxy in front of it.'
    expect([code, report.totals.error > 10, report.totals.pass > 10]).toEqual([2, true, true])
    expect(
      [stdout, markdown.replaceAll(/&#\d+;/g, '')].map((it) => it.split('cut off after 2000 bytes').length - 1),
    ).toEqual([1, 1])
    expect(stdout).toContain(`    ${sentence}\n    The same error in ${report.totals.error - 1} more checks: `)
    expect(junit.match(/<error /g)).toHaveLength(1)
    expect(junit).toContain('<skipped message="The same error as in ')
  })
})

test.concurrent('The title of a web page is shown for 403 too.', async () => {
  const { code, stdout } = await checked(
    (response) =>
      void response.writeHead(403, { 'content-type': 'text/html' }).end('<title>Access denied | WAF</title>'),
  )
  expect([code, stdout]).toEqual([2, expect.stringContaining('denied access (403, “Access denied | WAF”)')])
})

const views = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ request, answer, focus = 0 }) => [/\w+ \w+/.exec(request.query)?.[0], answer.slice(focus)])

describe.concurrent('A finding shows', () => {
  test('the mutation, then the read that contradicts it, and a curl line with the variable of the token.', async () => {
    const words = ['--write', 'segments', '--only', 'create-segment,update-segment', '--token-env', 'STAGING']
    words.push('--consistency-timeout', '20ms')
    const forgets: Rule = (response, answer, _, query) =>
      send(
        response,
        query.includes('query Node') ? answer.replace(/"description":"[^"]*"/, '"description":"Old."') : answer,
      )
    const { code, stdout, report, junit, markdown, html } = await checked(forgets, words, {
      env: { STAGING: 'se-cr-et-77' },
    })
    const failed = report.results.find(({ id }) => id === 'update-segment')
    const [finding] = failed?.findings ?? []
    expect([code, finding?.code]).toEqual([1, 'value-not-kept'])
    expect(views(finding?.exchanges ?? [])).toEqual([
      ['mutation UpdateSegment', expect.any(String)],
      ['query Node', expect.stringMatching(/^"Old\."/)],
    ])
    expect(finding?.exchanges[0]?.request.variables).toMatchObject({ id: expect.any(String), node: expect.any(Object) })
    expect(stdout).toContain('-H "authorization: Bearer $STAGING" ')
    expect(stdout).toContain(`${finding?.sentence} [value-not-kept]\n`)
    expect(markdown).toContain('`value-not-kept`')
    expect(html).toContain('<mark>&#34;Old.&#34;</mark>')
    expect(html).not.toContain('se-cr-et-77')
    expect(junit).toContain('type="value-not-kept"')
  })

  test('the part of a long answer that is wrong.', async () => {
    const one: Rule = (response, answer) =>
      send(
        response,
        answer.includes('"expenses"') ? answer.replace(/(.*)"expenses":[\d.]+/s, '$1"expenses":"x"') : answer,
      )
    const { code, stdout, report, html } = await checked(one, ['--only', 'customers-shape'], {
      env: { FORCE_COLOR: '1' },
      run: runCli,
    })
    const [finding] = report.results.flatMap(({ findings }) => findings)
    expect([code, finding?.code]).toEqual([1, 'wrong-type'])
    expect(finding?.sentence).toMatch(/^data\.customers\.edges\[24\]\.node\.expenses is a string/)
    expect(views(finding?.exchanges ?? [])).toEqual([['query Customers', expect.stringMatching(/^"expenses":"x"/)]])
    expect(stdout).toMatch(/→ 200 ….*"expenses":"x"/)
    expect(stdout).toContain('\x1b[31mFAIL')
    expect(html).toContain('<mark>&#34;expenses&#34;: &#34;x&#34;</mark>')
  })
})

describe.concurrent('A report file', () => {
  test('holds when and how the run was made, what stays on the server, and how fast and complete it was.', async () => {
    const words = ['--write', 'customers', '--only', 'create-customer*', '--min-judged', '0.1']
    words.push('--max-latency', 'p95=1m', '--exchanges', join(root, 'run.har'))
    const badGateway: Rule = (response, answer, call) =>
      call % 10 === 5 ? void response.writeHead(502, { 'retry-after': '0' }).end() : send(response, answer)
    const { code, report, stdout, junit } = await checked(badGateway, words, {
      env: { COMMERCE_MOCK_TOKEN: 'se-cr-et-77' },
    })
    expect([code, JSON.stringify(report).includes('se-cr-et-77')]).toEqual([0, false])
    expect(report).toMatchObject({
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      productVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
      options: { write: ['customers'], only: ['create-customer*'], minJudged: 0.1 },
      ledger: { path: expect.stringMatching(/\.jsonl$/), kept: false },
      left: [{ kind: 'customers', tag: expect.stringMatching(/^cm-/), id: expect.any(String), unconfirmed: false }],
    })
    expect(junit).toContain(` timestamp="${report.startedAt.slice(0, 19)}"`)
    const { operations, neverShown, results } = report
    const entries = readHar(join(root, 'run.har'))
    expect(entries.filter(({ response }) => response.status === 502).length).toBeGreaterThan(0)
    expect(results.find(({ id }) => id === 'retries')).toMatchObject({
      outcome: 'notice',
      sentence: expect.stringMatching(/^\d+ retr.* needed: \d+ after status 502\.$/),
    })
    expect(results.find(({ id }) => id === 'max-latency')?.outcome).toBe('pass')
    const create = operations.find(({ at }) => at === 'Mutation.createCustomer')
    expect(create).toMatchObject({ p50: expect.any(Number), judgedBy: ['create-customer'] })
    expect(create?.requests).toBe(
      entries.filter(({ request }) => / createCustomer\(/.test(request.postData?.text ?? '')).length,
    )
    expect(operations.find(({ at }) => at === 'Mutation.createStore')).toEqual({
      at: 'Mutation.createStore',
      requests: 0,
      retries: 0,
      judgedBy: [],
      notJudged: 'The run does not write stores.',
    })
    expect([neverShown.includes('Customer.full_name'), neverShown.includes('Store.name')]).toEqual([false, true])
    expect(stdout).toMatch(/\nCoverage\n +Judged: \d of 16 documented operations\.\n/)
  })

  test('holds what a server created besides the objects of the run.', async () => {
    const words = ['--write', 'segments', '--only', 'create-segment*', '--min-judged', '0.1']
    const plain: Rule = (response, answer) => send(response, answer)
    const { code, report, mock } = await checked(plain, words, { twice: 'createSegment' })
    const copies = mock.list('Segment').filter(({ name }) => /\bcm-\w+-\d/.test(String(name)))
    expect(copies).not.toEqual([])
    const ids = report.left?.map(({ id }) => id)
    expect([code, ids?.toSorted()]).toEqual([1, copies.map(({ id }) => id).toSorted()])
    for (const it of report.left ?? [])
      expect(it).toMatchObject({ kind: 'segments', tag: expect.stringMatching(/^cm-/), unconfirmed: false })
  })

  test('has a notice where GitLab shows it: GitLab reads nothing of a test that passed.', async () => {
    const short: Rule = (response, answer, _, query) => {
      if (!query.startsWith('query Page($query: String!) {')) return send(response, answer)
      const { data } = JSON.parse(answer) as { data: { customers: { edges: unknown[] } } }
      data.customers.edges.splice(10)
      send(response, JSON.stringify({ data }))
    }
    const { report, junit } = await checked(short, ['--only', 'customers-full-page'])
    expect(report.totals).toMatchObject({ notice: 1, pass: 1 })
    const sentence = 'Notice: A page without `first` returns 10 elements.'
    expect(junit).toContain(`<skipped message="${sentence}">${sentence}&#10;`)
  })
})
