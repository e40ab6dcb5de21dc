/** `check`: runs the contract suite against a server, prints the text report and writes the others. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { isInputObjectType } from 'graphql'
import { introspectInputs } from '../../writing/inputs.js'
import type { Check } from '../../contract/check.js'
import { documentChecks } from '../../contract/documents.js'
import type { Report } from '../../contract/report.js'
import { annotations } from '../../contract/reports/annotations.js'
import { jsonReport } from '../../contract/reports/json.js'
import { junitReport } from '../../contract/reports/junit.js'
import { markdownReport } from '../../contract/reports/markdown.js'
import { textReport } from '../../contract/reports/text.js'
import type { Target } from '../../client/target.js'
import { createProfile } from '../../profile.js'
import type { Ended, Surroundings } from '../commands.js'
import { usage, usageOf, UsageError } from '../options.js'
import { aimAt } from '../target-options.js'
import { tryWriting } from '../writable.js'
import { contractShapes } from './contract-shapes.js'
import { readDocuments } from './documents.js'
import { writableNames, type CheckOptions } from './options.js'
import { chosenChecks, contractChecks, reported, runContracts } from './run-contracts.js'

type CheckSurroundings = Pick<Surroundings, 'env' | 'signal' | 'color' | 'onWarning' | 'onProgress'>

/** Throws a UsageError for a wrong option. */
export async function check(options: CheckOptions, surroundings: CheckSurroundings): Promise<Ended> {
  const { profile: named, baseUrl, report: files = [] } = options
  const { env, signal, onProgress, onWarning } = surroundings
  const profile = named && usage(() => createProfile(named.values), named.place)
  const checks = await choose(options)
  if (options.list) return { output: listing(checks), exitCode: 0 }
  if (baseUrl === undefined) refuseWithoutServer(options, env)
  const aim = baseUrl === undefined ? undefined : aimAt(baseUrl, options, surroundings)
  try {
    if (aim && options.saveInputs !== undefined) return await saveInputs(aim.target, options.saveInputs)
    for (const { form, path } of files) tryWriting(`--report ${form}`, path)
    const running = runContracts({
      ...options,
      checks,
      only: undefined,
      documents: undefined,
      profile,
      target: aim?.target,
      addressed: { baseUrl: aim?.url.href, headers: aim?.headers ?? [] },
      write: { ...options, resources: allowedBy(options.write) },
      onWarning,
      signal,
      onResult: (_result, done, due) => onProgress({ done, due, slowed: 0 }),
    })
    const report = await usageOf(running)
    const exitCode = report.interrupted ? Number(signal.reason) || 130 : report.exitCode
    return print({ ...report, exitCode }, options, surroundings)
  } finally {
    await aim?.target.close()
  }
}

async function choose({ write, only, require: required, documents = [] }: CheckOptions): Promise<readonly Check[]> {
  const allowed = allowedBy(write)
  if (write && allowed.length === 0) {
    throw new UsageError(`--write is empty. Choose one or more of ${writableNames.join(', ')}, or all.`)
  }
  const sources = await readDocuments(documents)
  const own = usage(() => documentChecks(sources, contractShapes()), '--documents')
  const all = [...contractChecks, ...own]
  const checks = usage(() => chosenChecks({ checks: all, only, write: { allowed } }), '--only')
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

/** A user who forgot the address must not get a pass that belongs to the mock. */
function refuseWithoutServer({ confirmHost, saveInputs }: CheckOptions, env: CheckSurroundings['env']): void {
  const flag = confirmHost !== undefined ? '--confirm-host' : saveInputs !== undefined ? '--save-inputs' : undefined
  if (flag !== undefined) throw new UsageError(`${flag} needs the address of the server in --base-url.`)
  const variable = 'COMMERCE_MOCK_BASE_URL'
  if (env[variable] === '') {
    throw new UsageError(`${variable} is empty. Set it to the address of a server, or unset it to check the mock.`)
  }
}

/** The output of a run. Writes the report files; if one cannot be written, a run that would exit with 0 exits with 2. */
function print(report: Report, options: CheckOptions, { env, color, onWarning }: CheckSurroundings): Ended {
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
  const text = quiet ? '' : textReport(report, { verbose, color })
  return { output: text + annotations(report, env), exitCode }
}
