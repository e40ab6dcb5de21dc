/** The options of `seed` and `seed cleanup`. Loads little, because `--help` needs it. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { fileText, UsageError, wholeNumber, type CommandRule, type OptionRule, type SettingsOf } from '../options.js'
import {
  confirmHost,
  consistencyTimeout,
  inputsFile,
  randomSeed,
  replacedTokenFlag,
  targetOptions,
} from '../shared-options.js'

const seedAbout =
  'Writes believable demo data through the API: the customers, segments and stores that the mock has for the same seed. ' +
  'A ledger lists what was created, so that a run can be continued, repeated, and cleaned up with "seed cleanup".'

const seedCleanupAbout =
  'Deletes what a ledger of "seed" lists: segments, stores, integrations and pixels. ' +
  'Lists the customers, which no operation can delete.'

/** What a plan can hold without a world file, in the order of creation. */
export const seededCounts = ['segments', 'stores', 'customers'] as const

const countOptions = seededCounts.map((name): OptionRule => ({
  flags: `--${name} <number>`,
  about: `how many ${name} to create (default: those of the world, or ${countRules[name].default} without one)`,
  read: wholeNumber(0, countRules[name].max),
}))

const planName = (text: string, name: string): string => {
  if (/^[\w][\w.-]{0,79}$/.test(text)) return text
  throw new UsageError(`${name} takes letters, digits, and - . _ between them, not ${JSON.stringify(text)}.`)
}

/** The path of a report file, if it is one. */
function reportPath(text: string, name: string): string | undefined {
  const path = /^json=(.+)$/.exec(text)?.[1]
  if (text === 'text' || path !== undefined) return path
  throw new UsageError(`${name} takes text or json=FILE, not ${JSON.stringify(text)}.`)
}

const report = {
  flags: '--report <form>',
  about: 'text or json=FILE',
  default: 'text',
  repeat: true,
  read: reportPath,
} as const satisfies OptionRule

const includeAssumed = {
  flags: '--include-assumed',
  about: 'send the fields of our own schema if the server does not describe its inputs',
} as const satisfies OptionRule

const seedOptions = [
  {
    flags: '--base-url <url>',
    about: 'server to write to, ending in /api/v2; only on the command line',
    typed: true,
  },
  confirmHost,
  { flags: '--dry-run', about: 'print what would be sent, and send no mutation' },
  { flags: '--name <name>', about: 'name of the plan (default: that of the world)', read: planName },
  {
    flags: '--ledger <file>',
    about: 'where to record what is written (default: .commerce-mock/HOST-NAME.jsonl)',
  },
  {
    flags: '--adopt',
    about: 'use objects of the plan that already exist, as they are; cleanup leaves them in place',
  },
  {
    flags: '--update',
    about:
      'continue the ledger of a plan that has changed: create what is new, and update fields that still read as they were written',
  },
  {
    flags: '--world <name>',
    about:
      'what to create: the name of a ready-made world, or the path of a world file (default: the world of the mock)',
    readObject: (data: object) => data,
  },
  randomSeed,
  {
    flags: '--locale <names>',
    about: 'countries of the generated customers, as locales of faker: de, or de,fr,ja (default: the United States)',
  },
  {
    flags: '--customers-csv <file>',
    about: 'customers from a CSV file with a column "email", besides those of the world',
    read: (path: string, name: string) => ({ path, text: fileText(name, path) }),
  },
  ...countOptions,
  {
    flags: '--product-uids <uids>',
    about: 'comma-separated uids of products to add to each store, unless the world names others',
    list: () => undefined,
  },
  {
    flags: '--keep-going',
    about: 'skip what the server rejects, and exit with 1 at the end; always with --world edge-cases',
  },
  { flags: '--concurrency <number>', about: 'how many requests run at once', default: 8, read: wholeNumber(1, 256) },
  { flags: '--rate <number>', about: 'maximum number of requests per second', read: wholeNumber(1, 1_000_000) },
  inputsFile,
  includeAssumed,
  consistencyTimeout,
  {
    flags: '--facebook-token-env <name>',
    about: 'environment variable with the Facebook token, to create the integrations of a world',
  },
  ...targetOptions,
  report,
  {
    flags: '--ids-env <file>',
    about: 'write the ids of the created objects as variables, such as SEED_STORE_1=…; other lines of the file stay',
  },
  {
    flags: '--ids-json <file>',
    about: 'write the ids of the created objects as JSON, by e-mail address, slug, name or label',
  },
] as const satisfies readonly OptionRule[]

const cleanupOptions = [
  confirmHost,
  { flags: '--dry-run', about: 'list what would be deleted, and send no mutation' },
  {
    flags: '--with-adopted',
    about: 'also delete what existed before the run and was used with --adopt',
    typed: true,
  },
  includeAssumed,
  consistencyTimeout,
  ...targetOptions,
  report,
] as const satisfies readonly OptionRule[]

const replaced = {
  ...replacedTokenFlag,
  '--plan': '--dry-run',
  '--remove': 'commerce-mock seed cleanup LEDGER',
  '--settle': '--consistency-timeout TIME',
}

export const seedCommands: readonly CommandRule[] = [
  { name: 'seed', summary: 'write demo data to a server', about: seedAbout, options: seedOptions, replaced },
  {
    name: 'seed cleanup',
    summary: 'delete what a run of seed created',
    about: seedCleanupAbout,
    argument: { key: 'ledger', about: 'ledger file of the run' },
    options: cleanupOptions,
    replaced,
  },
]

export type SeedOptions = SettingsOf<typeof seedOptions> & Partial<Pick<Counts, (typeof seededCounts)[number]>>
export type SeedCleanupOptions = SettingsOf<typeof cleanupOptions> & { readonly ledger: string }

/** The files that reports are written to. */
export const reportPaths = ({ report = [] }: Pick<SeedOptions, 'report'>): readonly string[] =>
  report.filter((path) => path !== undefined)
