/** `check`: the contract suite told by command-line options, and the reports that come of it. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { isInputObjectType } from 'graphql'
import { others } from '../../../contracts/support/others.js'
import { writeKinds } from '../../../contracts/writes.js'
import type { Check } from '../../contract/check.js'
import { askInputTypes } from '../../writing/inputs.js'
import { openLedger } from '../../writing/ledger.js'
import type { Report } from '../../contract/report.js'
import { annotations } from '../../contract/reports/annotations.js'
import { jsonReport } from '../../contract/reports/json.js'
import { junitReport } from '../../contract/reports/junit.js'
import { markdownReport } from '../../contract/reports/markdown.js'
import { textReport } from '../../contract/reports/text.js'
import { removeTraces, reported } from '../../contract/runner.js'
import type { Target } from '../../client/target.js'
import { createProfile, type Profile } from '../../profile.js'
import { aimAt } from '../target-options.js'
import { writableNames, type CheckOptions, type ReportTo } from './options.js'
import { contractShapes } from './contract-shapes.js'
import { chosenChecks, runContracts } from './run-contracts.js'
import { readDocuments } from './documents.js'
import { mockTarget, productUidsOf } from '../../mock/mock-target.js'
import { usage, UsageError } from '../options.js'
import { tryWriting } from '../writable.js'
import { guardHost, inProcess, prepareWriting, type Writing } from './writing.js'

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
  const { env, signal, colour, onProgress, onWarning } = surroundings
  const { profile: named, documents = [], report: reports = [{ form: 'text', path: undefined }] } = options
  const profile = named && usage(() => createProfile(named.values), named.place)
  const sources = await readDocuments(documents)
  const allowed = allowedIn(options.write ?? [])
  if (options.write && allowed.length === 0)
    throw new UsageError(`--write allows nothing. Give it one or more of ${writableNames.join(', ')}, or all.`)
  const checks = usage(() => chosenChecks({ only: options.only, documents: sources, write: { allowed } }), '--only')
  const unknown = options.require?.find((id) => !reported(checks).some((it) => it.id === id))
  if (unknown !== undefined) {
    throw new UsageError(`--require: no check that would run has the id ${unknown}. See --list.`)
  }
  if (options.selfTest) throw new UsageError('--self-test: use npm run mutants, in a checkout of commerce-mock.')
  if (options.list) return { output: listing(reported(checks)), exitCode: 0 }
  if (options.remove !== undefined) return remove(options.remove, options, surroundings)
  const aim = await aimOf(options, surroundings, profile)
  try {
    if (options.printInputs) return await printInputs(aim.target)
    if (allowed.length > 0 && aim.url) guardHost(aim.url, options.confirmHost, '--write')
    for (const { form, path } of reports) if (path !== undefined) tryWriting(`--report ${form}`, path)
    const kinds = allowed.filter((kind) => checks.some(({ writes }) => writes === kind))
    const writing = kinds.length === 0 ? undefined : writingTo(aim, kinds, options)
    const announced = await writing?.announcement((request) => aim.target.send(request, { signal }))
    announced?.forEach((it) => onWarning(aim.target.redact(it)))
    const report = await runContracts({
      checks,
      profile,
      target: aim.target,
      addressed: { baseUrl: aim.url?.href, headers: aim.headers },
      strict: options.strict,
      require: options.require,
      minJudged: options.minJudged,
      budget: options.budget,
      runTimeout: options.runTimeout,
      concurrency: options.concurrency,
      includeAssumed: options.includeAssumed,
      recoverPages: options.recoverPages,
      write: writing?.write,
      signal,
      onResult: (_result, done, of) => onProgress(done, of),
    })
    const removal = writing?.finish()
    if (removal !== undefined) onWarning(`Not everything could be taken away again: ${removal}`)
    const verbose = options.verbose ?? false
    return written(report, reports, { env, colour, verbose })
  } finally {
    await aim.close()
  }
}

const allowedIn = (write: readonly string[]): readonly string[] =>
  writableNames.filter((it) => write.includes(it) || write.includes('all'))

function writingTo(aim: Aim, allowed: readonly string[], options: CheckOptions): Writing {
  return usage(() =>
    prepareWriting({
      allowed,
      url: aim.url,
      ledger: options.ledger,
      inputs: options.inputs,
      includeAssumed: options.includeAssumed,
      productUids: options.productUids ?? aim.productUids,
      settleMs: options.settle,
      shapes: contractShapes(),
    }),
  )
}

/** `--remove`: nothing is judged, and only what stands in the ledger is touched. */
async function remove(path: string, options: CheckOptions, surroundings: CheckSurroundings): Promise<Checked> {
  const ledger = usage(() => openLedger(path, 'check'))
  try {
    const { baseUrl, by } = ledger.head
    if (by !== 'check')
      throw new UsageError(`--remove: ${path} is a ledger of ${by}. Undo it with commerce-mock ${by} --remove.`)
    if (baseUrl === inProcess)
      throw new UsageError(
        `--remove: what stands in ${path} was written to ${baseUrl}, and went with it. Delete the file.`,
      )
    const strange = ledger.entries().find(({ kind }) => !writeKinds.some(({ name }) => name === kind))
    if (strange)
      throw new UsageError(
        `--remove: ${path} lists something of ${JSON.stringify(strange.kind)}, which this version of commerce-mock does not know. Use the one that wrote it.`,
      )
    if (options.baseUrl !== undefined && options.baseUrl !== baseUrl) {
      throw new UsageError(
        `--remove: what stands in ${path} was written to ${baseUrl}, and --base-url is another address.`,
      )
    }
    const aim = await aimOf({ ...options, baseUrl }, surroundings, undefined)
    try {
      const { target, url } = aim
      if (url) guardHost(url, options.confirmHost, '--remove')
      const traces = await removeTraces({
        target,
        ledger,
        kinds: writeKinds,
        others,
        shapes: contractShapes(),
        expected: createProfile(),
        includeAssumed: options.includeAssumed,
        recoverPages: options.recoverPages,
        settleMs: options.settle,
      })
      const { undone, already } = traces
      const gone = already > 0 ? `, ${already} ${already === 1 ? 'was' : 'were'} gone already` : ''
      const lines = [`${undone} taken away of what ${path} lists${gone}.`, ...traces.left, ...traces.doubt]
      return { output: `${target.redact(lines.join('\n'))}\n`, exitCode: traces.doubt.length > 0 ? 2 : 0 }
    } finally {
      await aim.close()
    }
  } finally {
    ledger.close()
  }
}

async function printInputs(target: Target): Promise<Checked> {
  const { schema } = contractShapes()
  const names = Object.values(schema.getTypeMap()).filter(isInputObjectType)
  const sdl = await askInputTypes(
    (request) => target.send(request),
    names.map(({ name }) => name),
  )
  if (sdl !== undefined) return { output: sdl, exitCode: 0 }
  throw new UsageError(
    'The target does not tell its input types. Write them down as SDL and give the file with --inputs.',
  )
}

interface Aim {
  readonly target: Target
  /** Left out for the mock in this process. */
  readonly url?: URL
  readonly headers: Report['headers']
  /** Products that are known to be there. */
  readonly productUids: readonly string[]
  close(): Promise<void>
}

/** The mock is loaded where it is judged: it takes as long as all else that a run loads. */
async function aimOf(
  options: CheckOptions,
  surroundings: CheckSurroundings,
  profile: Profile | undefined,
): Promise<Aim> {
  const { baseUrl: text } = options
  if (text === undefined) {
    refuseWithoutServer(options, surroundings)
    const { createMock } = await import('../../mock/create-mock.js')
    const mock = createMock({ profile })
    return { target: mockTarget(mock), headers: [], productUids: productUidsOf(mock), close: () => mock.close() }
  }
  const aim = aimAt(text, options, surroundings)
  return { ...aim, productUids: [], close: () => aim.target.close() }
}

/** Whoever meant a server and named none would take a good mock for a good server. */
function refuseWithoutServer({ confirmHost }: CheckOptions, { env }: CheckSurroundings): void {
  const variable = 'COMMERCE_MOCK_BASE_URL'
  if (confirmHost !== undefined)
    throw new UsageError(`--confirm-host names ${JSON.stringify(confirmHost)}, and no server is given: use --base-url.`)
  if (env[variable] === '')
    throw new UsageError(
      `${variable} is set and empty. Give it the address of the server, or unset it to check the mock in this process.`,
    )
}

const listing = (checks: readonly Check[]): string =>
  checks.map(({ id, basis, title }) => `${id.padEnd(28)} ${basis.kind.padEnd(10)}  ${title}\n`).join('')

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
