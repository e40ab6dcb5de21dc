/** The options of `serve`. Light, because the help must not wait for the whole mock to be loaded. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { defaultNow, defaultSeed } from '../../mock/defaults.js'
import { readInstant } from '../../shared/instant.js'
import { commaList, fileJson, oneOf, tokenIn, UsageError, wholeNumber, type OptionRule } from '../options.js'
import type { TokenOptions } from '../token-source.js'
import { hostProblem, originProblem } from '../../server/http/hosts.js'
import { limitRules, type LimitName } from '../../server/graphql/limit-rules.js'

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

function filled(text: string, name: string): string {
  if (text.trim() !== '') return text
  throw new UsageError(`${name} is empty. Leave it out for the usual one.`)
}

const countOptions = Object.entries(countRules).map(([name, rule]): OptionRule => ({
  flags: `--${name} <number>`,
  about: `${name === 'pixels' ? 'pixels in each list of the account' : `${name} that the world begins with`}, at most ${rule.most}`,
  default: rule.default,
  read: wholeNumber(0, rule.most),
}))

const limitOptions = limitRules.map((rule): OptionRule => ({
  flags: `--max-${rule.name} <number>`,
  about: `most ${rule.about}`,
  default: rule.default,
  read: wholeNumber(rule.min, rule.max),
}))

export const serveOptions: readonly OptionRule[] = [
  {
    flags: '--port <number>',
    about: 'port to listen at; 0 for any free one',
    default: 4000,
    read: wholeNumber(0, 65_535),
  },
  {
    flags: '--host <name>',
    about: 'address to listen at; anything but loopback lets others in',
    default: '127.0.0.1',
    read: filled,
  },
  {
    flags: '--world <name>',
    about: 'what it begins with: a ready world by its name, or a world file by its path',
    read: filled,
    readObject: (values): object => values,
  },
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
    readObject: (values, name): NamedProfile => ({ place: name, values }),
  },
  { flags: '--lenient-inputs', about: 'makes input fields optional where it is only assumed that they are required' },
  { flags: '--token-env <name>', about: 'demands the token in this environment variable from every request' },
  {
    flags: '--token-file <file>',
    about: 'demands the token in this file from every request',
    read: tokenIn,
  },
  { flags: '--lan', about: 'listens at all addresses and lets in the private ones of the network' },
  {
    flags: '--allow-host <names>',
    about: 'other host names that requests may use, between commas; with a port only at that one',
    list: true,
    read: commaList(hostProblem),
  },
  {
    flags: '--allow-origin <origins>',
    about: 'other origins whose pages may call, between commas',
    list: true,
    read: commaList(originProblem),
  },
  { flags: '--allow-get', about: 'answers queries by GET too, as "http_get": "queries" in the profile' },
  {
    flags: '--log <form>',
    about: 'form of the lines about requests on stderr: text or json',
    default: 'text',
    read: oneOf(['text', 'json']),
  },
  { flags: '--quiet', about: 'writes no lines about requests' },
  ...limitOptions,
]

/** Limits by the names of their options: `maxDepth` for the limit `depth`. */
export type LimitSettings = { readonly [Name in LimitName as `max${Capitalize<Name>}`]: number }

/** The settings as the rules above read them; the names are those of the options in camel case. */
export interface ServeOptions extends TokenOptions, Partial<Counts>, Partial<LimitSettings> {
  readonly port?: number
  readonly host?: string
  /** A name, a path, or what a config file holds in their place. */
  readonly world?: string | object
  readonly seed?: number
  readonly now?: string
  readonly freeze?: boolean
  readonly profile?: NamedProfile
  readonly lenientInputs?: boolean
  readonly lan?: boolean
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly allowGet?: boolean
  readonly log?: 'text' | 'json'
  readonly quiet?: boolean
}
