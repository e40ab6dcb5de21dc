/** `check`: runs the contract suite against a server, prints the text report and writes the others. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { isInputObjectType } from 'graphql'
import { introspectInputs } from '../../writing/inputs.js'
import type { Check } from '../../contract/check.js'
import type { Report } from '../../contract/report.js'
import { annotations } from '../../contract/reports/annotations.js'
import { jsonReport } from '../../contract/reports/json.js'
import { junitReport } from '../../contract/reports/junit.js'
import { markdownReport } from '../../contract/reports/markdown.js'
import { textReport } from '../../contract/reports/text.js'
import type { Target } from '../../client/target.js'
import { createProfile, type Profile } from '../../profile.js'
import { mockTarget, productUidsOf } from '../../mock/mock-target.js'
import type { Ended, Surroundings } from '../commands.js'
import { usage, usageOf, UsageError } from '../options.js'
import { aimAt } from '../target-options.js'
import { tryWriting } from '../writable.js'
import { contractShapes } from './contract-shapes.js'
import { readDocuments } from './documents.js'
import { writableNames, type CheckOptions } from './options.js'
import { chosenChecks, reported, runContracts } from './run-contracts.js'

type CheckSurroundings = Pick<Surroundings, 'env' | 'signal' | 'colour' | 'onWarning' | 'onProgress'>

/** Throws a UsageError for a wrong option. */
export async function check(options: CheckOptions, surroundings: CheckSurroundings): Promise<Ended> {
  const { profile: named } = options
  const profile = named && usage(() => createProfile(named.values), named.place)
  const checks = await choose(options)
  if (options.list) return { output: listing(checks), exitCode: 0 }
  const aim = await aimOf(options, surroundings, profile)
  try {
    if (options.saveInputs !== undefined) return await saveInputs(aim.target, options.saveInputs)
    const report = await run({ checks, profile, aim }, options, surroundings)
    return print(report, options, surroundings)
  } finally {
    await aim.close()
  }
}

async function choose({ write, only, require: required, documents = [] }: CheckOptions): Promise<readonly Check[]> {
  const allowed = allowedBy(write)
  if (write && allowed.length === 0) {
    throw new UsageError(`--write is empty. Choose one or more of ${writableNames.join(', ')}, or all.`)
  }
  const sources = await readDocuments(documents)
  const checks = usage(() => chosenChecks({ only, documents: sources, write: { allowed } }), '--only')
  const unknown = required?.find((id) => !reported(checks).some((it) => it.id === id))
  if (unknown === undefined) return checks
  throw new UsageError(`--require: no check that would run has the id ${unknown}. See --list.`)
}

const allowedBy = (write: readonly string[] = []): readonly string[] =>
  writableNames.filter((it) => write.includes(it) || write.includes('all'))

const listing = (checks: readonly Check[]): string =>
  reported(checks)
    .map(({ id, basis, title }) => `${id.padEnd(28)} ${basis.kind.padEnd(10)}  ${title}\n`)
    .join('')

async function saveInputs(target: Target, path: string): Promise<Ended> {
  tryWriting('--save-inputs', path)
  const types = Object.values(contractShapes().schema.getTypeMap()).filter(isInputObjectType)
  const names = types.map(({ name }) => name)
  const sdl = await introspectInputs((request) => target.send(request), names)
  if (sdl === undefined) {
    throw new UsageError('The server hides its input types. Write them down as SDL, and pass the file with --inputs.')
  }
  writeFileSync(path, sdl)
  return { output: `Wrote the input types to ${path}. Pass it with --inputs ${path}\n`, exitCode: 0 }
}

interface Plan {
  readonly checks: readonly Check[]
  readonly profile: Profile | undefined
  readonly aim: Aim
}

async function run({ checks, profile, aim }: Plan, options: CheckOptions, surroundings: CheckSurroundings) {
  const { signal, onProgress, onWarning } = surroundings
  for (const { form, path } of options.report ?? []) tryWriting(`--report ${form}`, path)
  const running = runContracts({
    ...options,
    checks,
    only: undefined,
    documents: undefined,
    profile,
    target: aim.target,
    addressed: { baseUrl: aim.url?.href, headers: aim.headers },
    write: { ...options, resources: allowedBy(options.write), productUids: options.productUids ?? aim.productUids },
    onWarning,
    signal,
    onResult: (_result, done, due) => onProgress({ done, due, slowed: 0 }),
  })
  const report = await usageOf(running)
  return report.interrupted ? { ...report, exitCode: Number(signal.reason) || 130 } : report
}

interface Aim {
  readonly target: Target
  /** Absent for the mock in this process. */
  readonly url?: URL
  readonly headers: Report['headers']
  /** Products that are known to exist. */
  readonly productUids: readonly string[]
  close(): Promise<void>
}

async function aimOf(
  options: CheckOptions,
  surroundings: CheckSurroundings,
  profile: Profile | undefined,
): Promise<Aim> {
  if (options.baseUrl !== undefined) {
    const aim = aimAt(options.baseUrl, options, surroundings)
    return { ...aim, productUids: [], close: () => aim.target.close() }
  }
  refuseWithoutServer(options, surroundings)
  // Imported here because it takes as long to load as everything else.
  const { createMock } = await import('../../mock/create-mock.js')
  const mock = createMock({ profile })
  return { target: mockTarget(mock), headers: [], productUids: productUidsOf(mock), close: () => mock.close() }
}

/** A user who forgot the address must not get a pass that belongs to the mock. */
function refuseWithoutServer({ confirmHost }: CheckOptions, { env }: CheckSurroundings): void {
  const variable = 'COMMERCE_MOCK_BASE_URL'
  if (confirmHost !== undefined) throw new UsageError('--confirm-host needs the address of the server in --base-url.')
  if (env[variable] === '') {
    throw new UsageError(`${variable} is empty. Set it to the address of a server, or unset it to check the mock.`)
  }
}

/** The output of a run. Writes the report files; if one cannot be written, a run that would exit with 0 exits with 2. */
function print(report: Report, options: CheckOptions, { env, colour, onWarning }: CheckSurroundings): Ended {
  const { verbose = false, quiet = false } = options
  const forms = { json: jsonReport, junit: junitReport, markdown: markdownReport }
  let { exitCode } = report
  for (const { form, path } of options.report ?? []) {
    try {
      // All steps of a GitHub job share the file of the summary.
      const write = path === env['GITHUB_STEP_SUMMARY'] ? appendFileSync : writeFileSync
      write(path, forms[form](report))
    } catch (error) {
      onWarning(`--report ${form}: ${path} cannot be written: ${(error as Error).message}`)
      exitCode ||= 2
    }
  }
  const text = quiet ? '' : textReport(report, { verbose, colour })
  return { output: text + annotations(report, env), exitCode }
}
