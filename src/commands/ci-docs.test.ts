/** The jobs of docs/ci.md: their syntax, and two nights of each of them against a server that breaks in between. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as WorkflowParser from '@actions/workflow-parser'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { serveHttp, type Listening } from '../client/bad-server.testkit.js'
import type { Report } from '../contract/report.js'
import { createMock } from '../mock/create-mock.js'
import { packageFolder } from '../shared/package.js'
import { bodyOf } from './body.testkit.js'
import { runInProcess } from './in-process.testkit.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-ci-'))
const page = readFileSync(join(packageFolder(), 'docs/ci.md'), 'utf8')
const blocks = page.matchAll(/^```(?:yaml|groovy)\n([^]*?)^```$/gm)
const [github = '', gitlab = '', jenkins = ''] = Array.from(blocks, ([, code]) => code)

interface Step {
  readonly run?: string
  readonly if?: string
}
const { steps } = (parse(github) as { jobs: { contracts: { steps: readonly Step[] } } }).jobs.contracts
const { contracts } = parse(gitlab) as { contracts: Record<'script' | 'after_script', readonly string[]> }
const shellIn = (groovy = '') =>
  [...groovy.matchAll(/\bsh ('''|')([^]*?)\1/g)].map(([, , code = '']) => code.replaceAll('\\\n', ''))
const runs = (always: boolean) => steps.flatMap((it) => ((it.if === 'always()') === always ? (it.run ?? []) : []))

/** What each job runs, and what it runs in any case afterwards. */
const jobs = {
  GitHub: { shell: ['bash', '-e', '-c'], script: runs(false), after: runs(true) },
  GitLab: {
    shell: ['bash', '-eo', 'pipefail', '-c'],
    script: [contracts.script.join('\n')],
    after: [contracts.after_script.join('\n')],
  },
  Jenkins: {
    shell: ['sh', '-xe', '-c'],
    script: shellIn(jenkins.split(/^ {2}post /m)[0]),
    after: shellIn(jenkins.split(/^ {2}post /m)[1]),
  },
}

const mock = createMock({ freeze: true })
let staging: Awaited<ReturnType<typeof mock.listen>>
/** Runs the commands that `npx` is asked for, because a process for each would cost a second. */
let npx: Listening
let env: Record<string, string> = {}
let cwd = ''

beforeAll(async () => {
  staging = await mock.listen({ port: 0 })
  npx = await serveHttp(async (request, response) => {
    const [, ...words] = (await bodyOf(request)).split('\0').slice(0, -1)
    const { code, stdout, stderr } = await runInProcess(words, { cwd, env })
    response.writeHead(200 + (code ?? 99)).end(stdout + stderr)
  })
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\ntest "$*" = ci\n', { mode: 0o755 })
  const ask = `printf '%s\\0' "$@" | curl -sS --data-binary @- -o /dev/stderr -w '%{http_code}' ${npx.baseUrl.href}`
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nexit $(($(${ask}) - 200))\n`, { mode: 0o755 })
})
afterAll(async () => {
  await staging.close()
  await npx[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs scripts one after the other, up to the first that fails. */
async function ran(shell: readonly string[], scripts: readonly string[]): Promise<number> {
  for (const script of scripts) {
    const [command = '', ...words] = [...shell, script]
    const code = await new Promise<number>((resolve) => {
      const child = execFile(command, words, { cwd, env: { ...process.env, ...env } })
      child.once('close', (it) => resolve(it ?? -1))
    })
    if (code !== 0) return code
  }
  return 0
}

describe.each(Object.entries(jobs))('The job of %s', (name, { shell, script, after }) => {
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8')

  test('compares with the night before, fails if something breaks, and cleans up by ledgers.', async () => {
    cwd = mkdtempSync(join(folder, `${name}-`))
    writeFileSync(join(cwd, 'known.yaml'), '[]\n')
    env = {
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
      STAGING_URL: staging.url,
      STAGING_HOST: new URL(staging.url).host,
      COMMERCE_MOCK_TOKEN: 'a-token',
      COMMERCE_MOCK_ONLY: 'customer-avatar,create-segment',
      ...(name === 'GitHub' && { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }),
    }
    mock.reset()
    expect([await ran(shell, script), await ran(shell, after)]).toEqual([0, 0])
    const first = JSON.parse(read('contracts/report.json')) as Report
    expect([first.comparison, first.ledger?.kept]).toEqual([undefined, false])

    for (const { id } of mock.list('Customer')) mock.set('Customer', id, { avatar: 'a picture' })
    expect(await ran(shell, script)).toBe(1)
    const { comparison } = JSON.parse(read('contracts/report.json')) as Report
    expect([comparison?.since, comparison?.new.map(({ check }) => check)]).toEqual([
      first.startedAt,
      ['customer-avatar'],
    ])
    expect(read('contracts/junit.xml')).toContain('<failure ')
    expect(read('contracts/report.html')).toContain('customer-avatar')
    expect(existsSync(join(cwd, 'summary.md'))).toBe(name === 'GitHub')

    const ledger = join(cwd, 'contracts/ledger-7.jsonl')
    const head = { ledger: 1, run: 'cm-4f2abc', baseUrl: staging.url, by: 'check' }
    writeFileSync(ledger, `${JSON.stringify(head)}\n`)
    expect([await ran(shell, after), existsSync(ledger)]).toEqual([0, false])
    writeFileSync(ledger, 'no ledger\n')
    expect([await ran(shell, after), existsSync(ledger)]).toEqual([2, true])
  })
})

test('GitHub takes the workflow: its own parser finds no mistake.', async () => {
  // Bundled, because Node cannot import its JSON.
  const options = { input: '@actions/workflow-parser', platform: 'node', write: false, logLevel: 'silent' } as const
  const { output } = await build(options)
  const file = join(folder, 'workflow-parser.mjs')
  writeFileSync(file, output[0].code)
  const parser = (await import(pathToFileURL(file).href)) as typeof WorkflowParser
  const mistakesIn = async (content: string) => {
    const { context, value } = parser.parseWorkflow({ name: 'w', content }, new parser.NoOperationTraceWriter())
    if (value) await parser.convertWorkflowTemplate(context, value)
    return context.errors.getErrors().map(({ message }) => message)
  }
  expect(await mistakesIn(github)).toEqual([])
  expect(await mistakesIn(github.replace('always()', 'alwys()').replace('runs-on', 'runs'))).toHaveLength(2)
})

/** The keywords of https://docs.gitlab.com/ci/yaml/ that the job uses, and what they hold. */
const gitlabKeywords: Readonly<Record<string, unknown>> = {
  image: expect.any(String),
  rules: [{ if: expect.stringMatching(/^\$CI_PIPELINE_SOURCE == "schedule"$/) }],
  resource_group: expect.any(String),
  timeout: expect.stringMatching(/^\d+ minutes$/),
  variables: { RUNNER_SCRIPT_TIMEOUT: expect.stringMatching(/^\d+m$/) },
  cache: { key: expect.any(String), when: 'always', paths: ['contracts/report.json'] },
  script: expect.arrayContaining([expect.any(String)]),
  after_script: [expect.any(String)],
  artifacts: {
    when: 'always',
    expire_in: '90 days',
    paths: ['contracts/'],
    reports: { junit: 'contracts/junit.xml' },
  },
}

test('The job of GitLab has only keywords that GitLab has.', () => expect(contracts).toEqual(gitlabKeywords))

test('The Jenkinsfile is balanced, and has only sections that a declarative pipeline has.', () => {
  // Without strings, in which brackets need not be balanced.
  const code = jenkins.replaceAll(/'''[^]*?'''|'[^'\n]*'|"[^"\n]*"/g, '""')
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { '}': '{', ')': '(' }
  for (const it of code.match(/[{}()]/g) ?? []) {
    if (pairs[it] === undefined) open.push(it)
    else expect(open.pop()).toBe(pairs[it])
  }
  expect(open).toEqual([])
  expect(code).not.toMatch(/['“”]/)
  const sections = code.match(/^ {2}\w+/gm)?.map((it) => it.trim())
  expect(sections).toEqual(['agent', 'triggers', 'options', 'environment', 'stages', 'post'])
})
