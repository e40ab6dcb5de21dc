/** `check`: runs the contract suite against a server, prints the text report and writes the others. */
import { appendFileSync } from 'node:fs'
import { writable } from '../../../contracts/resources.js'
import { isInputObjectType, isIntrospectionType, isLeafType, isSpecifiedScalarType, printType } from 'graphql'
import { introspect } from '../../writing/inputs.js'
import type { Check } from '../../contract/check.js'
import { addedIds } from '../../contract/known.js'
import type { Report } from '../../contract/report.js'
import { isJudged } from '../../contract/verdict.js'
import { annotations } from '../../contract/reports/annotations.js'
import { htmlReport } from '../../contract/reports/html.js'
import { jsonReport } from '../../contract/reports/json.js'
import { junitReport } from '../../contract/reports/junit.js'
import { markdownReport } from '../../contract/reports/markdown.js'
import { headLine, textReport } from '../../contract/reports/text.js'
import type { Target } from '../../client/target.js'
import { createProfile, profileEntries } from '../../profile.js'
import type { Ended, Surroundings } from '../commands.js'
import { prepareOutputs, UsageError, type Output } from '../options.js'
import { profileOf } from '../shared-options.js'
import { openTarget } from '../target-options.js'
import { readDocuments } from './documents.js'
import type { CheckOptions } from './options.js'
import { countOf, messageOf } from '../../shared/text.js'
import { replaceFile } from '../../shared/files.js'
import { dayOf } from '../../shared/time.js'
import { reported, type Choice } from './choose.js'
import { entriesToSave, knownText } from './known-file.js'
import { chosenChecks, runChosen, type ContractsOptions } from './run-contracts.js'

type CheckSurroundings = Pick<Surroundings, 'env' | 'signal' | 'color' | 'onWarning' | 'onProgress' | 'onLive'>

/** Throws an Error for a wrong option. */
export async function check(options: CheckOptions, surroundings: CheckSurroundings): Promise<Ended> {
  const { baseUrl, write: names = [] } = options
  const { env, signal, onWarning } = surroundings
  const run: ContractsOptions = {
    ...options,
    documents: await readDocuments(options.documents ?? []),
    profile: profileOf(options.profile, createProfile),
    write: { ...options, resources: names.includes('all') ? writable : names },
    maxLatency:
      options.maxLatency && Object.fromEntries(options.maxLatency.map(({ percentile, ms }) => [percentile, ms])),
    onWarning,
    signal,
    onResult: watched(surroundings),
  }
  const choice = chosenChecks(run)
  if (options.list) return { output: listing(reported(choice.checks)), exitCode: 0 }
  if (baseUrl === undefined) refuseEmptyAddress(env)
  const opened = baseUrl === undefined ? undefined : openTarget(baseUrl, options, surroundings)
  try {
    if (opened && options.saveInputs !== undefined) return await saveInputs(opened.target, options.saveInputs)
    const shown = { baseUrl: opened?.url.href, headers: opened?.headers ?? [], options: shownOptions(options) }
    const files = filesOf(options, choice, env)
    const ledger = names.length === 0 ? undefined : options.ledger
    prepareOutputs([...files, { option: '--exchanges', path: options.exchanges }, { option: '--ledger', path: ledger }])
    const report = await runChosen(choice, { ...run, target: opened?.target, shown })
    const exitCode = report.interrupted ? Number(signal.reason) || 130 : report.exitCode
    return print({ ...report, exitCode }, files, options, surroundings)
  } finally {
    await opened?.target.close()
  }
}

/** Shows the progress of a run, and what fails at once. */
function watched({ color, onProgress, onLive }: CheckSurroundings): NonNullable<ContractsOptions['onResult']> {
  let failed = 0
  return (result, done, due) => {
    if (result.outcome === 'fail' || result.outcome === 'error') {
      failed += 1
      onLive(headLine(result, { color }))
    }
    onProgress(() => ({ done, due, unit: 'checks', notes: failed === 0 ? [] : [`${failed} failed`] }))
  }
}

const listing = (checks: readonly Check[]): string =>
  checks.map(({ id, basis, title }) => `${id.padEnd(28)} ${basis.kind.padEnd(10)}  ${title}\n`).join('')

async function saveInputs(target: Target, path: string): Promise<Ended> {
  prepareOutputs([{ option: '--save-inputs', path }])
  const types = Object.values((await introspect((request) => target.send(request)))?.getTypeMap() ?? {})
  const inputs = types.filter(isInputObjectType)
  if (inputs.length === 0) {
    throw new UsageError('The server hides its input types. Write them down as SDL, and pass the file with --inputs.')
  }
  const scalarsAndEnums = types.filter((it) => isLeafType(it) && !isSpecifiedScalarType(it) && !isIntrospectionType(it))
  replaceFile(path, [...inputs, ...scalarsAndEnums].map((it) => `${printType(it)}\n`).join('\n'))
  return { output: `Wrote the input types to ${path}. Pass it with --inputs ${path}\n`, exitCode: 0 }
}

/** Writes what fails today, unless the run was cut short or judged nothing. Returns a line for the user. */
function writeKnown(
  report: Report,
  path: string,
  { listed, strict }: Pick<Choice, 'listed'> & Pick<CheckOptions, 'strict'>,
) {
  if (report.interrupted || report.stoppedAfter !== undefined) {
    return `The run was cut short, so ${path} was not written.`
  }
  if (!report.results.some((it) => isJudged(it) && !addedIds.includes(it.id))) {
    return `Nothing was judged, so ${path} was not written.`
  }
  const today = dayOf(report.startedAt)
  const { entries, renewed } = entriesToSave(report, { known: listed?.known, strict, today })
  replaceFile(path, knownText(entries, listed?.severity))
  const { error: errors } = report.totals
  return [
    `Wrote ${countOf(entries.length, 'known failure')} to ${path}. Pass it with --known ${path}`,
    ...(renewed > 0 ? [`Without a last day, because it is over: ${countOf(renewed, 'entry', 'entries')}`] : []),
    ...(errors > 0 ? [`Not in it, because an error cannot be known: ${countOf(errors, 'check')}`] : []),
  ].join('. ')
}

/** Writes what the server does as a profile. Entries that were not observed stay as they are given. Returns a line for the user. */
function writeProfile({ results }: Report, path: string, given: unknown) {
  const observed = results.flatMap(({ observes, observed }) =>
    observes === undefined || observed === undefined ? [] : [[observes, observed] as const],
  )
  if (observed.length === 0) return `Nothing was observed, so ${path} was not written.`
  const values = { ...(given as object | undefined), ...Object.fromEntries(observed) }
  replaceFile(path, `${JSON.stringify(values, undefined, 2)}\n`)
  const open = Object.keys(profileEntries).filter((it) => !Object.hasOwn(values, it))
  const without = open.length === 0 ? '' : ` It has no value for ${open.join(', ')}.`
  return `Wrote ${countOf(observed.length, 'profile entry', 'profile entries')} to ${path}. Pass it with --profile ${path}.${without}`
}

function refuseEmptyAddress(env: CheckSurroundings['env']): void {
  const variable = 'COMMERCE_MOCK_BASE_URL'
  if (env[variable] === '') {
    throw new UsageError(`${variable} is empty. Set it to the address of a server, or unset it to check the mock.`)
  }
}

/** A file that is written when a run has ended. */
interface ResultFile extends Output {
  /** May return a line for the user. */
  readonly write: (path: string, report: Report) => string | void
}

const forms = { json: jsonReport, junit: junitReport, markdown: markdownReport, html: htmlReport }

function filesOf(options: CheckOptions, { listed }: Choice, env: Surroundings['env']): readonly ResultFile[] {
  const { report: reports = [], saveProfile, saveKnown, profile } = options
  return [
    ...reports.map(({ form, path }): ResultFile => {
      // All steps of a GitHub job share the file of the summary.
      const write = path === env['GITHUB_STEP_SUMMARY'] ? appendFileSync : replaceFile
      return { option: `--report ${form}`, path, write: (path, report) => write(path, forms[form](report)) }
    }),
    {
      option: '--save-profile',
      path: saveProfile,
      write: (path, report) => writeProfile(report, path, profile?.values),
    },
    {
      option: '--save-known',
      path: saveKnown,
      write: (path, report) => writeKnown(report, path, { ...options, listed }),
    },
  ]
}

/**
 * The output of a run. Writes the files; if one cannot be written, a run that would exit with 0 exits with 2, and the text
 * report is printed even with --quiet.
 */
function print(
  report: Report,
  files: readonly ResultFile[],
  { verbose = false, quiet = false }: CheckOptions,
  { env, color, onWarning }: CheckSurroundings,
): Ended {
  let isWritten = true
  for (const { option, path, write } of files) {
    if (path === undefined) continue
    try {
      const said = write(path, report)
      if (said !== undefined) onWarning(said)
    } catch (error) {
      onWarning(`${option}: ${path} cannot be written: ${messageOf(error)}`)
      isWritten = false
    }
  }
  const text = quiet && isWritten ? '' : textReport(report, { verbose, color })
  return { output: text + annotations(report, env), exitCode: report.exitCode || (isWritten ? 0 : 2) }
}

/** The options as the JSON report shows them. The contents of files, one of which is a token, are left out. */
function shownOptions(options: CheckOptions): Report['options'] {
  const { baseUrl: _address, header: _header, tokenFile, inputs, profile, ...rest } = options
  const given = Object.entries({ tokenFile, inputs }).filter(([, it]) => it !== undefined)
  return { ...rest, profile: profile?.values, ...Object.fromEntries(given.map(([name]) => [name, '[file]'])) }
}
