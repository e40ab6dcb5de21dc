/** The options of `check` and `check cleanup`. Light: the help does not load the suite. */
import { severities, type SeverityRule } from '../../contract/known.js'
import { percentiles } from '../../contract/report.js'
import { timeSpan, UsageError, wholeNumber, type CommandRule, type OptionRule, type SettingsOf } from '../options.js'
import {
  confirmHost,
  consistencyTimeout,
  inputsFile,
  profileOption,
  replacedTokenFlag,
  targetOptions,
} from '../shared-options.js'

/** What `--write` takes, besides `all`. */
export const writableNames = ['segments', 'stores', 'customers', 'integrations', 'pixels'] as const

const reportForms = ['json', 'junit', 'markdown', 'html'] as const

/** The word, if it is one of these. Otherwise throws a UsageError. */
function requireOneOf<Word extends string>(words: readonly Word[], given: string | undefined, message: string): Word {
  const word = words.find((it) => it === given)
  if (word === undefined) throw new UsageError(message)
  return word
}

/** Reads `json=FILE`. */
function readReport(text: string, name: string) {
  const [, word, path = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  const hint = text === 'text' ? ' The text report is always printed, unless there is --quiet.' : ''
  const takes = `${name} takes json=FILE, junit=FILE, markdown=FILE or html=FILE, not ${JSON.stringify(text)}.`
  return { form: requireOneOf(reportForms, word, takes + hint), path }
}

function readShare(text: string, name: string): number {
  const number = Number(text)
  if (/^\d*\.?\d+$/.test(text) && number <= 1) return number
  throw new UsageError(`${name} takes a number from 0 to 1, such as 0.5, not ${JSON.stringify(text)}.`)
}

/** Reads `ID=notice`. */
function readSeverity(text: string, name: string): SeverityRule {
  const [, check = '', word] = /^([a-z0-9*-]+)=(\w+)$/.exec(text) ?? []
  const takes = `${name} takes ID=failure, ID=notice or ID=off, not ${JSON.stringify(text)}.`
  return { check, severity: requireOneOf(severities, word, takes) }
}

/** Reads `p95=2s`. */
function readLatency(text: string, name: string) {
  const [, word, time = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  const takes = `${name} takes p50=TIME or p95=TIME, such as p95=2s, not ${JSON.stringify(text)}.`
  return { percentile: requireOneOf(percentiles, word, takes), ms: timeSpan(time, name) }
}

const failOn = ['all', 'new'] as const
export type FailOn = (typeof failOn)[number]

const readFailOn = (text: string, name: string): FailOn =>
  requireOneOf(failOn, text, `${name} takes all or new, not ${JSON.stringify(text)}.`)

const writableProblem = (word: string) =>
  ['all', ...writableNames].includes(word)
    ? undefined
    : `${JSON.stringify(word)} cannot be written. Choose from ${writableNames.join(', ')}, or all.`

const checkIdProblem = (word: string) =>
  /^[a-z0-9*-]+$/.test(word)
    ? undefined
    : `${JSON.stringify(word)} is not a check id. Ids are lower-case words joined by hyphens; * matches any characters.`

const includeAssumed = {
  flags: '--include-assumed',
  about: 'also use fields that are only assumed, if the server hides its schema',
} as const

const recoverPages = {
  flags: '--recover-pages <number>',
  about: 'how many pages of a list to search for an object that the run wrote',
  default: 40,
  read: wholeNumber(1, 100_000),
} as const

const checkOptions = [
  { flags: '--base-url <url>', about: 'server to check, ending in /api/v2 (default: the mock in this process)' },
  { flags: '--list', about: 'print the checks that would run, and send nothing' },
  {
    flags: '--only <ids>',
    about: 'run only these comma-separated checks; * matches any characters, and ! before an id leaves it out',
    list: (word) => checkIdProblem(word.replace(/^!/, '')),
  },
  {
    flags: '--skip <ids>',
    about: 'leave out these comma-separated checks; * matches any characters',
    list: checkIdProblem,
  },
  {
    flags: '--known <file>',
    about: 'YAML file of known failures, which do not fail the run, and of severities',
  },
  { flags: '--save-known <file>', about: 'write what fails in this run to a file for --known' },
  {
    flags: '--compare <file>',
    about: 'JSON report of an earlier run: say what changed since',
  },
  {
    flags: '--fail-on <what>',
    about: 'new: exit with 1 only for findings that the report of --compare does not have',
    default: 'all',
    read: readFailOn,
  },
  {
    flags: '--severity <rule>',
    about: 'how findings of a check count: ID=failure, ID=notice or ID=off; * matches any characters',
    repeat: true,
    read: readSeverity,
  },
  {
    flags: '--max-latency <limit>',
    about: 'exit with 1 if an operation is slower, such as p95=2s or p50=300ms',
    repeat: true,
    read: readLatency,
  },
  { flags: '--strict', about: 'exit with 1 if an assumption is wrong' },
  {
    flags: '--require <ids>',
    about: 'comma-separated checks that must pass or fail; exit with 2 if one is skipped',
    list: checkIdProblem,
  },
  {
    flags: '--min-judged <share>',
    about: 'share of documented checks that must pass or fail; exit with 2 below it',
    default: 0.5,
    read: readShare,
  },
  {
    flags: '--max-requests <number>',
    about: 'stop after this many requests',
    default: 2000,
    read: wholeNumber(1, 1_000_000),
  },
  { flags: '--run-timeout <time>', about: 'how long the run may take', default: '5m', read: timeSpan },
  { flags: '--concurrency <number>', about: 'how many checks run at once', default: 4, read: wholeNumber(1, 64) },
  includeAssumed,
  profileOption('JSON file with the behavior to expect where the specification is silent'),
  { flags: '--save-profile <file>', about: 'write what the server does in this run to a file for --profile' },
  {
    flags: '--write <names>',
    about: `also create, change and delete objects: ${writableNames.join(', ')}, or all`,
    list: writableProblem,
    typed: true,
  },
  confirmHost,
  inputsFile,
  {
    flags: '--save-inputs <file>',
    about: "write the server's input types to a file for --inputs, and exit",
    needs: ['--base-url'],
  },
  {
    flags: '--values <file>',
    about: 'YAML or JSON file with values for input fields, by input type or mutation',
  },
  {
    flags: '--product-uids <uids>',
    about: 'comma-separated uids of products that may be added to a store of the run',
    list: () => undefined,
  },
  consistencyTimeout,
  recoverPages,
  {
    flags: '--ledger <file>',
    about: 'where to record what is written (default: .commerce-mock/check-HOST-RUN.jsonl)',
  },
  {
    flags: '--documents <glob>',
    about: 'also check these GraphQL files; variables come from FILE.variables.json',
    repeat: true,
  },
  ...targetOptions,
  {
    flags: '--report <form>',
    about: 'also write a report: json=FILE, junit=FILE, markdown=FILE or html=FILE',
    repeat: true,
    read: readReport,
  },
  {
    flags: '--exchanges <file>',
    about: 'write each request and its response to a HAR file, without the secrets of the run',
  },
  { flags: '--verbose', about: 'print the requests and the time of each check, and all remarks' },
  { flags: '--quiet', about: 'do not print the text report' },
] as const satisfies readonly OptionRule[]

const cleanupOptions = [
  confirmHost,
  includeAssumed,
  consistencyTimeout,
  recoverPages,
  ...targetOptions,
] as const satisfies readonly OptionRule[]

const replaced = {
  ...replacedTokenFlag,
  '--budget': '--max-requests NUMBER',
  '--settle': '--consistency-timeout TIME',
  '--print-inputs': '--save-inputs FILE',
  '--remove': 'commerce-mock check cleanup LEDGER',
  '--self-test': 'npm run mutants, in a checkout of commerce-mock',
}

export const checkCommands: readonly CommandRule[] = [
  {
    name: 'check',
    summary: 'check a server against the specification',
    about:
      'Checks that a server keeps the promises of the specification: shapes, values, listing rules. ' +
      'Without --base-url it checks the mock. Sends only queries unless --write is given.',
    options: checkOptions,
    replaced,
  },
  {
    name: 'check cleanup',
    summary: 'delete what an interrupted run left behind',
    about: 'Deletes what a run of check --write left behind, according to its ledger. Touches nothing else.',
    argument: { key: 'ledger', about: 'ledger file that the run named' },
    options: cleanupOptions,
    replaced,
    endsAtOnce: true,
  },
]

export type CheckOptions = SettingsOf<typeof checkOptions>
export type CleanupOptions = SettingsOf<typeof cleanupOptions> & { readonly ledger: string }
