/** The options of `seed`. Light, because the help must not wait for what seeds. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import type { AimOptions } from '../target-options.js'
import { inputsFile, replacedTokenFlag, targetOptions } from '../shared-options.js'
import { defaultSeed } from '../../mock/defaults.js'
import { filePath, timeSpan, UsageError, wholeNumber, type CommandRule, type OptionRule } from '../options.js'

const about =
  'Writes believable demo data through the API: the same people, segments and stores that the mock of the same seed shows. ' +
  'What was made stands in a ledger, so that a run can be continued, told apart from others, and taken back with --remove.'

/** What a plan can hold without a world file, in the order in which it is made. */
export const seededCounts = ['segments', 'stores', 'customers'] as const

const countOptions = seededCounts.map((name): OptionRule => ({
  flags: `--${name} <number>`,
  about: `${name} that are made (default: the world's, else ${countRules[name].default})`,
  read: wholeNumber(0, countRules[name].most),
}))

interface ReportTo {
  readonly form: 'text' | 'json'
  readonly path: string | undefined
}

const planName = (text: string, name: string): string => {
  if (/^[\w][\w.-]{0,79}$/.test(text)) return text
  throw new UsageError(`${name} takes letters, digits, and - . _ between them, not ${JSON.stringify(text)}.`)
}

function reportTo(text: string, name: string): ReportTo {
  if (text === 'text') return { form: 'text', path: undefined }
  const path = /^json=(.+)$/.exec(text)?.[1]
  if (path !== undefined) return { form: 'json', path }
  throw new UsageError(`${name} takes text or json=FILE, not ${JSON.stringify(text)}.`)
}

export const seedOptions: readonly OptionRule[] = [
  {
    flags: '--base-url <url>',
    about: 'the server to write to: the address that ends in /api/v2. It must be typed',
    typed: true,
  },
  {
    flags: '--confirm-host <name>',
    about: 'the host that is written to, once more: needed on any host but this machine',
    typed: true,
  },
  { flags: '--plan', about: 'prints what would be sent, and sends no mutation' },
  { flags: '--name <name>', about: "what the plan is called (default: the world's)", read: planName },
  {
    flags: '--ledger <file>',
    about: 'where it is kept what was made (default: .commerce-mock/HOST-NAME.jsonl)',
    read: filePath,
  },
  {
    flags: '--adopt',
    about: 'takes over what the plan holds and the server has already: it is not made again, and goes with --remove',
  },
  {
    flags: '--remove <ledger>',
    about: 'takes away what a ledger lists: segments, stores, integrations, pixels; lists the customers, which stay',
    typed: true,
  },
  {
    flags: '--world <name>',
    about: 'what is made: a ready world by its name, or a world file by its path (default: what the mock begins with)',
    readObject: (data) => data,
  },
  {
    flags: '--seed <number>',
    about: 'decides every generated value',
    default: defaultSeed,
    read: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  ...countOptions,
  { flags: '--keep-going', about: 'passes over what the server does not take, and exits with 1 at the end' },
  { flags: '--concurrency <number>', about: 'most requests at once', default: 8, read: wholeNumber(1, 256) },
  { flags: '--rate <number>', about: 'most requests a second', read: wholeNumber(1, 1_000_000) },
  inputsFile,
  {
    flags: '--include-assumed',
    about: 'sends the fields of our own schema where the server does not tell what its inputs take',
  },
  {
    flags: '--settle <time>',
    about: 'most time that the target may take to show what was written, where an answer was lost',
    default: '2s',
    read: timeSpan,
  },
  {
    flags: '--facebook-token-env <name>',
    about: 'makes the integrations of a world with the Facebook token in this environment variable',
  },
  ...targetOptions,
  { flags: '--report <form>', about: 'text or json=FILE', default: 'text', repeat: true, read: reportTo },
  {
    flags: '--ids-env <file>',
    about: 'writes the ids of what was made as lines for a shell, such as SEED_STORE_1=…',
  },
]

export const seedCommands: readonly CommandRule[] = [
  { name: 'seed', summary: 'write demo data', about, options: seedOptions, replaced: replacedTokenFlag },
]

/** The settings as the rules above read them. */
export interface SeedOptions extends AimOptions, Partial<Pick<Counts, (typeof seededCounts)[number]>> {
  readonly baseUrl?: string
  readonly confirmHost?: string
  readonly plan?: boolean
  readonly name?: string
  readonly ledger?: string
  readonly adopt?: boolean
  readonly remove?: string
  readonly world?: string | object
  readonly seed?: number
  readonly keepGoing?: boolean
  readonly concurrency?: number
  readonly rate?: number
  /** The text of the file. */
  readonly inputs?: string
  readonly includeAssumed?: boolean
  readonly settle?: number
  readonly facebookTokenEnv?: string
  readonly report?: readonly ReportTo[]
  readonly idsEnv?: string
}
