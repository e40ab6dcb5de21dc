/** The options of `check`. Light, because the help must not wait for the suite to be loaded. */
import {
  filePath,
  commaList,
  fileJson,
  fileText,
  timeSpan,
  tokenIn,
  UsageError,
  wholeNumber,
  type OptionRule,
} from '../options.js'
import type { AimOptions } from '../target-options.js'
import type { NamedProfile } from '../serve/options.js'

export const checkAbout =
  'Judges a server by what the specification promises: shapes, values and the laws of its lists. Without --base-url it ' +
  'judges the mock in this process. It only reads: no mutation is sent unless --write allows it.'

/** What can be written, by name; `all` is all of it. */
export const writableNames = ['segments', 'stores', 'customers', 'integrations', 'pixels'] as const

export const reportForms = ['text', 'json', 'junit', 'markdown'] as const

/** A report to be written: to standard output unless a path is given. */
export interface ReportTo {
  readonly form: (typeof reportForms)[number]
  readonly path: string | undefined
}

function reportTo(text: string, name: string): ReportTo {
  const [word = '', ...rest] = text.split('=')
  const form = reportForms.find((it) => it === word)
  const path = rest.length === 0 ? undefined : rest.join('=')
  if (form === undefined || path === '' || (form !== 'text' && path === undefined)) {
    throw new UsageError(`${name} takes text, json=FILE, junit=FILE or markdown=FILE, not ${JSON.stringify(text)}.`)
  }
  return { form, path }
}

function part(text: string, name: string): number {
  const number = Number(text)
  if (/^\d*\.?\d+$/.test(text) && number <= 1) return number
  throw new UsageError(`${name} takes a part of the whole from 0 to 1, such as 0.5, not ${JSON.stringify(text)}.`)
}

const writableName = (word: string) =>
  word === 'all' || writableNames.some((it) => it === word)
    ? undefined
    : `${JSON.stringify(word)} cannot be written. There are: ${writableNames.join(', ')}, and all.`

const productUid = (word: string) => (word.length <= 200 ? undefined : 'the uid of a product is not so long.')

const checkId = (word: string) =>
  /^[a-z0-9*-]+$/.test(word)
    ? undefined
    : `${JSON.stringify(word)} is no id of a check. Ids are lower-case words with hyphens; * stands for any part.`

export const checkOptions: readonly OptionRule[] = [
  {
    flags: '--base-url <url>',
    about: 'the server to judge: the address that ends in /api/v2 (default: the mock in this process)',
  },
  { flags: '--list', about: 'prints the checks that would run, and sends nothing' },
  {
    flags: '--only <ids>',
    about: 'runs these checks alone, between commas; * stands for any part of an id',
    list: true,
    read: commaList(checkId),
  },
  { flags: '--strict', about: 'lets a notice fail the run' },
  {
    flags: '--require <ids>',
    about: 'checks that must be judged, between commas; a skip of one fails the run',
    list: true,
    read: commaList(checkId),
  },
  {
    flags: '--min-judged <part>',
    about: 'the least part of the documented checks that must be judged',
    default: 0.5,
    read: part,
  },
  {
    flags: '--budget <calls>',
    about: 'most requests of the whole run',
    default: 2000,
    read: wholeNumber(1, 1_000_000),
  },
  { flags: '--timeout <time>', about: 'most time for one request', default: '10s', read: timeSpan },
  { flags: '--run-timeout <time>', about: 'most time for the whole run', default: '5m', read: timeSpan },
  { flags: '--concurrency <number>', about: 'most checks at once', default: 4, read: wholeNumber(1, 64) },
  {
    flags: '--include-assumed',
    about: 'asks for fields that are only assumed, though the server does not say that it has them',
  },
  {
    flags: '--profile <file>',
    about: 'JSON file with what the server is expected to do where the specification is silent',
    read: (path, name): NamedProfile => ({ place: `${name}, ${path}`, values: fileJson(name, path) }),
    readObject: (values, name): NamedProfile => ({ place: name, values }),
  },
  {
    flags: '--write <list>',
    about:
      'lets the suite make, change and delete things of its own: segments, stores, customers, integrations, pixels or all',
    list: true,
    typed: true,
    read: commaList(writableName),
  },
  {
    flags: '--confirm-host <name>',
    about:
      'the host that is written to, once more, as NAME or NAME:PORT: needed with --write and --remove on any host but this machine',
    typed: true,
  },
  {
    flags: '--inputs <file>',
    about: "SDL with the target's input types, for a target that does not tell them",
    read: (path, name): string => fileText(name, path),
  },
  { flags: '--print-inputs', about: 'prints the input types that the target tells, as a file for --inputs' },
  {
    flags: '--product-uids <uids>',
    about: 'products that may be attached to a store of the suite, between commas',
    list: true,
    read: commaList(productUid),
  },
  {
    flags: '--settle <time>',
    about: 'most time that the target may take to show what was written',
    default: '2s',
    read: timeSpan,
  },
  {
    flags: '--recover-pages <number>',
    about: 'most pages of a list that are searched for something that was written',
    default: 40,
    read: wholeNumber(1, 100_000),
  },
  {
    flags: '--ledger <file>',
    about: 'where it is kept what was written (default: .commerce-mock/check-HOST-RUN.jsonl)',
    read: filePath,
  },
  {
    flags: '--remove <ledger>',
    about: 'takes away what a run that crashed has left, by its ledger; ends with 2 where something is left',
    typed: true,
  },
  {
    flags: '--documents <glob>',
    about: "judges these documents too: your own front end's queries, with variables from FILE.variables.json",
    repeat: true,
  },
  { flags: '--header <header>', about: "sends this header along, 'Name: value'; nothing secret", repeat: true },
  {
    flags: '--header-env <header>',
    about: "sends a header along whose value stands in an environment variable, 'Name: VARIABLE'",
    repeat: true,
  },
  {
    flags: '--token-env <name>',
    about: 'sends the token in this environment variable along',
    default: 'COMMERCE_MOCK_TOKEN',
  },
  { flags: '--token-file <file>', about: 'sends the token in this file along', read: tokenIn },
  {
    flags: '--report <form>',
    about: 'text, json=FILE, junit=FILE or markdown=FILE',
    default: 'text',
    repeat: true,
    read: reportTo,
  },
  { flags: '--verbose', about: 'shows the calls and the time of each check, and what was passed with a remark' },
  {
    flags: '--self-test',
    about:
      'tells what the suite is worth, on broken servers and on odd but lawful ones; those of writing too with --write all',
  },
]

/** The settings as the rules above read them. */
export interface CheckOptions extends AimOptions {
  readonly baseUrl?: string
  readonly list?: boolean
  readonly only?: readonly string[]
  readonly strict?: boolean
  readonly require?: readonly string[]
  readonly minJudged?: number
  readonly budget?: number
  readonly runTimeout?: number
  readonly concurrency?: number
  readonly includeAssumed?: boolean
  readonly profile?: NamedProfile
  readonly write?: readonly string[]
  readonly confirmHost?: string
  /** The text of the file. */
  readonly inputs?: string
  readonly printInputs?: boolean
  readonly productUids?: readonly string[]
  readonly settle?: number
  readonly recoverPages?: number
  readonly ledger?: string
  readonly remove?: string
  readonly documents?: readonly string[]
  readonly report?: readonly ReportTo[]
  readonly verbose?: boolean
  readonly selfTest?: boolean
}
