/** `runContracts`: the contract suite as a function, against a base_url, another target, or the mock in this process. */
import { account } from '../../../contracts/account.js'
import { checks as readChecks } from '../../../contracts/checks.js'
import { customers } from '../../../contracts/customers.js'
import { segments } from '../../../contracts/segments.js'
import { writeChecks } from '../../../contracts/write-checks.js'
import { writable } from '../../../contracts/resources.js'
import { readBaseUrl } from '../../client/base-url.js'
import { createHttpTarget } from '../../client/http-target.js'
import type { Target } from '../../client/target.js'
import type { Check } from '../../contract/check.js'
import { compare, waiversFrom, type EarlierReport } from '../../contract/compare.js'
import type { DocumentSource } from '../../contract/documents.js'
import type { Report } from '../../contract/report.js'
import { changesText } from '../../contract/reports/changes.js'
import { redactReport } from '../../contract/reports/redact.js'
import { runChecks, type RunOptions } from '../../contract/runner.js'
import type { Mock } from '../../mock/create-mock.js'
import { mockTarget, productUidsOf } from '../../mock/mock-target.js'
import { createProfile, type Profile } from '../../profile.js'
import { ownPackage } from '../../shared/package.js'
import { chooseChecks, type Choice } from './choose.js'
import { contractShapes } from '../../../contracts/support/shapes.js'
import { readEarlierReport } from './earlier-report.js'
import { createExchangeFile } from './exchanges.js'
import type { KnownEntry } from './known-file.js'
import type { FailOn } from './options.js'
import { guardHost, prepareWriting, type WriteOptions } from './writing.js'

/**
 * Options of `runContracts`.
 * @example
 * const options: ContractsOptions = {
 *   target: 'https://staging.example.com/api/v2',
 *   token: process.env.STAGING_TOKEN,
 *   only: ['segments-*'],
 *   maxRequests: 500,
 * }
 */
export interface ContractsOptions extends Pick<
  RunOptions,
  | 'shown'
  | 'maxRequests'
  | 'recoverPages'
  | 'runTimeout'
  | 'concurrency'
  | 'includeAssumed'
  | 'strict'
  | 'require'
  | 'minJudged'
  | 'maxLatency'
  | 'severity'
  | 'today'
  | 'signal'
  | 'onResult'
> {
  /** A base_url, a mock, or anything that answers operations. Defaults to a new mock in this process. */
  readonly target?: string | Mock | Target | undefined
  /** A bearer token for a base_url. */
  readonly token?: string | undefined
  /** Headers for a base_url. Their values are kept out of every output. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds that one request to a base_url may take. */
  readonly timeout?: number | undefined
  /** Replaces the suite: `[...contractChecks, mine]` adds a check. */
  readonly checks?: readonly Check[] | undefined
  /** Ids of the checks to run; `*` stands for any part. One with `!` before it is not run. */
  readonly only?: readonly string[] | undefined
  /** Ids of checks to leave out; `*` stands for any part. */
  readonly skip?: readonly string[] | undefined
  /** Failures that do not fail the run, and the severity of checks: the entries, or a YAML or JSON file of them. */
  readonly known?: string | readonly KnownEntry[] | undefined
  /** Documents of a front end, judged like the suite's own. */
  readonly documents?: readonly DocumentSource[] | undefined
  /** What the target is expected to do where the specification is silent. */
  readonly profile?: Partial<Profile> | undefined
  /** The resources that the run may write, by name, or with more options. Without it the run only reads. */
  readonly write?: readonly string[] | WriteOptions | undefined
  /** The report of an earlier run, or its JSON file: what changed since. */
  readonly compare?: string | EarlierReport | undefined
  /** `new` lets only failures fail the run that the earlier report does not have. Defaults to `all`. */
  readonly failOn?: FailOn | undefined
  /** A HAR file for each request and its response, without the secrets of the run. */
  readonly exchanges?: string | undefined
  /** Called with lines for the user: what is about to be written, and what could not be removed. */
  readonly onWarning?: ((line: string) => void) | undefined
}

/**
 * All checks: those that only read, and those that need `write`.
 * @example await runContracts({ checks: [...contractChecks, mine] })
 */
export const contractChecks: readonly Check[] = [...readChecks, ...writeChecks]

const probes = [account, segments, customers]

/**
 * The checks that may run and that no option leaves out. Throws an Error if a pattern matches none of them, or if a
 * required check would not run.
 */
export const chosenChecks = ({ checks = contractChecks, ...options }: ContractsOptions): Choice =>
  chooseChecks({ ...options, checks, resources: writeOptionsOf(options.write)?.resources ?? [] })

/**
 * Judges a target by the contract suite. What a target does never throws; an Error says what is wrong with the options.
 * @example
 * const report = await runContracts({ target: 'http://localhost:4000/api/v2', write: ['segments'] })
 * expect(report.exitCode, report.verdict).toBe(0)
 */
export const runContracts = async (options: ContractsOptions = {}): Promise<Report> =>
  runChosen(chosenChecks(options), options)

/** The same for checks that are already chosen. */
export async function runChosen(choice: Choice, options: ContractsOptions): Promise<Report> {
  const { includeAssumed, signal, shown, onWarning = () => {} } = options
  const asked = writeOptionsOf(options.write)
  const { checks, leftOut, listed, severity } = choice
  const earlier = typeof options.compare === 'string' ? readEarlierReport(options.compare) : options.compare
  const failedBefore = options.failOn === 'new' ? waiversFrom(earlier ?? requireCompare()) : undefined
  const { target: unrecorded, productUids, close } = await targetOf(options)
  const exchanges = options.exchanges === undefined ? undefined : createExchangeFile(options.exchanges)
  const target = exchanges?.recorded(unrecorded) ?? unrecorded
  const shapes = contractShapes()
  try {
    const resources = asked?.resources.filter((name) => checks.some(({ writes }) => writes === name)) ?? []
    const address = typeof options.target === 'string' ? options.target : shown?.baseUrl
    const url = address === undefined ? undefined : new URL(address)
    if (url && resources.length > 0) guardHost(url, asked?.confirmHost, '--write')
    const write = { ...asked, productUids: asked?.productUids ?? productUids, resources }
    const writing = resources.length > 0 ? prepareWriting(write, { url, shapes, includeAssumed }) : undefined
    const expected = createProfile(options.profile)
    const run = async () => {
      const announced = await writing?.announcement((request) => target.send(request, { signal }))
      announced?.forEach((line) => onWarning(target.redact(line)))
      const shownOptions = { productVersion: ownPackage().version, leftOut, ...shown }
      const given = {
        checks,
        suite: options.checks ?? contractChecks,
        known: listed?.known,
        failedBefore,
        severity,
        probes,
        target,
        shapes,
        expected,
        write: writing?.access,
      }
      return runChecks({ ...options, ...given, shown: shownOptions })
    }
    const report = await run().finally(() => {
      const cleanup = writing?.finish()
      if (cleanup !== undefined) onWarning(`Not everything could be removed. Try again with: ${cleanup}`)
    })
    const problem = exchanges?.close()
    if (problem !== undefined) onWarning(`--exchanges: ${options.exchanges} is not complete: ${problem}`)
    const exitCode = report.exitCode || (problem === undefined ? 0 : 2)
    const redacted = redactReport({ ...report, exitCode, ...writing?.written() }, (text) => target.redact(text))
    if (!earlier) return redacted
    const comparison = compare(earlier, redacted)
    return { ...redacted, comparison, verdict: `${redacted.verdict} ${changesText(comparison)}` }
  } finally {
    exchanges?.close()
    await close()
  }
}

const requireCompare = (): never => {
  throw new Error('--fail-on new needs an earlier report. Give it with --compare FILE.')
}

function writeOptionsOf(write: ContractsOptions['write']): WriteOptions | undefined {
  if (write === undefined) return undefined
  const options: WriteOptions = 'resources' in write ? write : { resources: write }
  const unknown = options.resources.find((it) => !writable.includes(it))
  if (unknown === undefined) return options
  throw new Error(`write: ${JSON.stringify(unknown)} cannot be written. Choose from ${writable.join(', ')}.`)
}

/** The target, products of it that may be attached, and how to end what was started for it. */
async function targetOf({ target, token, headers = {}, timeout, profile }: ContractsOptions): Promise<{
  readonly target: Target
  readonly productUids: readonly string[]
  readonly close: () => Promise<void>
}> {
  if (typeof target === 'string') {
    const secrets = [
      ...Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(token === undefined ? [] : [{ name: 'authorization', value: `Bearer ${token}` }]),
    ]
    const { url } = readBaseUrl(target, { hasSecret: secrets.length > 0 })
    const server = createHttpTarget({ baseUrl: url, secrets, timeoutMs: timeout, env: process.env })
    return { target: server, productUids: [], close: () => server.close() }
  }
  const close = async () => {}
  if (target && 'send' in target) return { target, productUids: [], close }
  const mock = target ?? (await import('../../mock/create-mock.js')).createMock({ profile })
  return { target: mockTarget(mock), productUids: productUidsOf(mock), close }
}
