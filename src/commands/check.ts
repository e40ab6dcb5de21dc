/** `check`: the contract suite told by command-line options, and the reports that come of it. */
import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs'
import { readBaseUrl } from '../contract/base-url.js'
import type { Check } from '../contract/check.js'
import { readHeader, readHeaderEnv, type SecretHeader } from '../contract/header.js'
import { createHttpTarget } from '../contract/http-target.js'
import type { Report } from '../contract/report.js'
import { annotations } from '../contract/reports/annotations.js'
import { jsonReport } from '../contract/reports/json.js'
import { junitReport } from '../contract/reports/junit.js'
import { markdownReport } from '../contract/reports/markdown.js'
import { textReport } from '../contract/reports/text.js'
import type { Target } from '../contract/target.js'
import { createProfile } from '../schema/profile.js'
import type { CheckOptions, ReportTo } from './check-options.js'
import { chosenChecks, runContracts } from './contracts.js'
import { readDocuments } from './documents.js'
import { usage, UsageError } from './options.js'

export interface CheckSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly colour: boolean
  /** Takes a line of warning. */
  readonly onWarning: (line: string) => void
  readonly onProgress: (done: number, of: number) => void
}

export interface Checked {
  /** What goes to standard output. */
  readonly output: string
  readonly exitCode: number
}

/** Throws a UsageError for a wrong option. */
export async function check(options: CheckOptions, surroundings: CheckSurroundings): Promise<Checked> {
  const { env, signal, colour, onProgress } = surroundings
  const { profile: named, documents = [], report: reports = [{ form: 'text', path: undefined }] } = options
  const profile = named && usage(() => createProfile(named.values), named.place)
  const sources = await readDocuments(documents)
  const checks = usage(() => chosenChecks({ only: options.only, documents: sources }))
  const unknown = options.require?.find((id) => !checks.some((it) => it.id === id))
  if (unknown !== undefined)
    throw new UsageError(`--require: no check that would run has the id ${unknown}. See --list.`)
  if (options.list) return { output: listing(checks), exitCode: 0 }
  const { target, close, facts } = targetOf(options, surroundings)
  try {
    for (const { form, path } of reports) if (path !== undefined) tryWriting(form, path)
    const report = await runContracts({
      checks,
      profile,
      target,
      strict: options.strict,
      require: options.require,
      minJudged: options.minJudged,
      budget: options.budget,
      runTimeout: options.runTimeout,
      concurrency: options.concurrency,
      includeAssumed: options.includeAssumed,
      signal,
      onResult: (_result, done, of) => onProgress(done, of),
    })
    return written({ ...report, ...facts }, reports, { env, colour, verbose: options.verbose ?? false })
  } finally {
    await close()
  }
}

interface Aim {
  /** Left out for the mock in this process. */
  readonly target?: Target
  readonly close: () => Promise<void>
  readonly facts: Partial<Pick<Report, 'baseUrl' | 'headers'>>
}

function targetOf(options: CheckOptions, { env, onWarning }: CheckSurroundings): Aim {
  if (options.baseUrl === undefined) return { close: async () => {}, facts: {} }
  const text = options.baseUrl
  return usage(() => {
    const headers = (options.header ?? []).map(readHeader)
    const secrets = [...(options.headerEnv ?? []).map((it) => readHeaderEnv(it, env)), ...tokenHeader(options, env)]
    const { url, warnings } = readBaseUrl(text, { hasSecret: secrets.length > 0, env })
    warnings.forEach(onWarning)
    const target = createHttpTarget({ baseUrl: url, headers, secrets, timeoutMs: options.timeout ?? 10_000, env })
    const sent = [
      ...headers.map(({ name }) => ({ name })),
      ...secrets.map(({ name, variable }) => ({ name, variable })),
    ]
    return { target, close: () => target.close(), facts: { baseUrl: url.href, headers: sent } }
  })
}

const usualVariable = 'COMMERCE_MOCK_TOKEN'

function tokenHeader({ tokenEnv, tokenFile }: CheckOptions, env: CheckSurroundings['env']): SecretHeader[] {
  if (tokenEnv !== undefined && tokenFile !== undefined) {
    throw new UsageError('The token comes from --token-env or from --token-file. Give one of them.')
  }
  if (tokenEnv !== undefined && !env[tokenEnv]) {
    throw new UsageError(`--token-env: the environment variable ${tokenEnv} is not set or empty.`)
  }
  const variable = tokenEnv ?? usualVariable
  const token = tokenFile ?? env[variable]
  return token ? [{ name: 'authorization', value: `Bearer ${token}`, variable }] : []
}

const listing = (checks: readonly Check[]): string =>
  checks.map(({ id, basis, title }) => `${id.padEnd(28)} ${basis.kind.padEnd(10)}  ${title}\n`).join('')

/** A run of minutes shall not end with a report that cannot be written. */
function tryWriting(form: string, path: string): void {
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'its folder does not exist' : code === 'EISDIR' ? 'it is a folder' : `${code}`
    throw new UsageError(`--report ${form}: ${path} cannot be written: ${why}.`)
  }
}

interface Form {
  readonly env: CheckSurroundings['env']
  readonly colour: boolean
  readonly verbose: boolean
}

function written(report: Report, reports: readonly ReportTo[], { env, colour, verbose }: Form): Checked {
  const make = {
    text: (toFile: boolean) => textReport(report, { verbose, colour: colour && !toFile }),
    json: () => jsonReport(report),
    junit: () => junitReport(report),
    markdown: () => markdownReport(report),
  }
  let output = ''
  for (const { form, path } of reports) {
    const text = make[form](path !== undefined)
    if (path === undefined) output += text
    // The summary of a job is a file that its steps share.
    else if (path === env['GITHUB_STEP_SUMMARY']) appendFileSync(path, text)
    else writeFileSync(path, text)
  }
  return { output: output + annotations(report, env), exitCode: report.exitCode }
}
