/** The options of `serve`. Light, because the help must not wait for the whole mock to be loaded. */
import { countRules, type Counts } from '../../mocks/counts.js'
import { defaultNow, defaultSeed } from './defaults.js'
import { readInstant } from './instant.js'
import { fileJson, UsageError, wholeNumber, type OptionRule } from './options.js'

export const serveAbout =
  'Serves the whole documented GraphQL service on this machine, over a world that lives in memory: ' +
  'what one operation changes, every other shows. The same seed gives the same data every time.'

/** A profile that was read and not yet checked, and where it stands. */
export interface NamedProfile {
  readonly place: string
  readonly values: unknown
}

function instant(text: string, name: string): string {
  if (text === 'real' || readInstant(text) !== undefined) return text
  throw new UsageError(
    `${name} takes an instant such as 2026-01-31T12:00:00Z, or "real" for the wall clock, not ${JSON.stringify(text)}.`,
  )
}

const countOptions = Object.entries(countRules).map(([name, rule]): OptionRule => ({
  flags: `--${name} <number>`,
  about: name === 'pixels' ? 'pixels in each of the three lists of the account' : `${name} that the world begins with`,
  default: rule.default,
  read: wholeNumber(0, rule.most),
}))

export const serveOptions: readonly OptionRule[] = [
  {
    flags: '--port <number>',
    about: 'port to listen at; 0 for any free one',
    default: 4000,
    read: wholeNumber(0, 65_535),
  },
  { flags: '--host <name>', about: 'address to listen at; anything but loopback lets others in', default: '127.0.0.1' },
  {
    flags: '--seed <number>',
    about: 'decides every generated value',
    default: defaultSeed,
    read: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  {
    flags: '--now <instant>',
    about: 'where the clock begins: ISO 8601, in UTC where no offset is given, or "real" for the wall clock',
    default: defaultNow,
    read: instant,
  },
  { flags: '--freeze', about: 'stops the clock, so that the same requests get the same bytes' },
  ...countOptions,
  {
    flags: '--profile <file>',
    about: 'JSON file with answers to what the specification leaves open',
    read: (path, name): NamedProfile => ({ place: `${name}, ${path}`, values: fileJson(name, path) }),
  },
  { flags: '--lenient-inputs', about: 'makes input fields optional where it is only assumed that they are required' },
  { flags: '--token-env <name>', about: 'demands the token in this environment variable from every request' },
  { flags: '--token-file <file>', about: 'demands the token in this file from every request' },
]

/** The settings as the rules above read them; the names are those of the options in camel case. */
export interface ServeOptions extends Partial<Counts> {
  readonly port?: number
  readonly host?: string
  readonly seed?: number
  readonly now?: string
  readonly freeze?: boolean
  readonly profile?: NamedProfile
  readonly lenientInputs?: boolean
  readonly tokenEnv?: string
  readonly tokenFile?: string
}
