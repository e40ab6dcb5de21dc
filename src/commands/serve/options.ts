/** The options of `serve`. Light: the help does not load the mock. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { defaultNow, defaultSeed } from '../../mock/defaults.js'
import { limitRules, type Limits } from '../../server/graphql/limit-rules.js'
import { hostProblem, originProblem } from '../../server/http/hosts.js'
import { readInstant } from '../../shared/instant.js'
import { commaList, oneOf, UsageError, wholeNumber, type CommandRule, type OptionRule } from '../options.js'
import { profileOption, replacedTokenFlag, type NamedProfile } from '../shared-options.js'
import { tokenIn, type TokenOptions } from '../token-source.js'

function readNow(text: string, name: string): string {
  if (text === 'real' || readInstant(text) !== undefined) return text
  throw new UsageError(
    `${name} takes a time such as 2026-01-31T12:00:00Z, or real for the wall clock, not ${JSON.stringify(text)}.`,
  )
}

function readText(text: string, name: string): string {
  if (text.trim() !== '') return text
  throw new UsageError(`${name} is empty. Leave it out to use the default.`)
}

type PartialLimits = Partial<Limits>

function limit(name: string, text: string, place: string): PartialLimits {
  const rule = limitRules.find((it) => it.name === name || it.key === name)
  if (rule) return { [rule.key]: wholeNumber(1, Number.MAX_SAFE_INTEGER)(text, `${place} ${name}`) }
  const names = limitRules.map((it) => it.name).join(', ')
  throw new UsageError(`${place}: there is no limit ${JSON.stringify(name)}. The limits are ${names}.`)
}

/** Reads `depth=3`. */
function readLimit(text: string, place: string): PartialLimits {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return limit(name, value, place)
  throw new UsageError(`${place} takes NAME=VALUE, not ${JSON.stringify(text)}. See commerce-mock serve --help limits.`)
}

const readLimits = (values: object, place: string): PartialLimits =>
  Object.assign({}, ...Object.entries(values).map(([name, value]) => limit(name, String(value), place)))

const limitsHelp = () => {
  const width = Math.max(...limitRules.map(({ name }) => name.length))
  const lines = limitRules.map(
    ({ name, default: value, about }) => `  ${name.padEnd(width)}  ${String(value).padStart(8)}  ${about}`,
  )
  return ['Limits, with their defaults. Change one with --limit NAME=VALUE:', '', ...lines, ''].join('\n')
}

const countOptions = Object.entries(countRules).map(([name, rule]): OptionRule => ({
  flags: `--${name} <number>`,
  about: `number of ${name === 'pixels' ? 'pixels in each list of the account' : `generated ${name}`}, at most ${rule.max}`,
  default: rule.default,
  read: wholeNumber(0, rule.max),
}))

const options: readonly OptionRule[] = [
  { flags: '--port <number>', about: 'port; 0 for any free one', default: 4000, read: wholeNumber(0, 65_535) },
  { flags: '--host <address>', about: 'address to listen on', default: '127.0.0.1', read: readText },
  {
    flags: '--world <world>',
    about: 'initial data: the name of a ready-made world, or the path of a world file',
    read: readText,
    readObject: (values): object => values,
  },
  {
    flags: '--seed <number>',
    about: 'seed of the generated data',
    default: defaultSeed,
    read: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  {
    flags: '--now <time>',
    about: 'where the clock starts: an ISO 8601 time, or real for the wall clock',
    default: defaultNow,
    read: readNow,
  },
  { flags: '--freeze', about: 'stop the clock, so that equal requests get equal responses' },
  ...countOptions,
  profileOption('JSON file with the behavior to use where the specification is silent'),
  { flags: '--lenient-inputs', about: 'make input fields optional if it is only assumed that they are required' },
  { flags: '--token-env <name>', about: 'require the bearer token in this environment variable' },
  { flags: '--token-file <file>', about: 'require the bearer token in this file', read: tokenIn },
  { flags: '--lan', about: 'listen on all addresses, so that devices on the local network can call it' },
  {
    flags: '--allow-host <hosts>',
    about: 'comma-separated host names to accept; with a port, only on that port',
    list: true,
    read: commaList(hostProblem),
  },
  {
    flags: '--allow-origin <origins>',
    about: 'comma-separated origins whose pages may call the API',
    list: true,
    read: commaList(originProblem),
  },
  { flags: '--allow-get', about: 'also answer queries sent with GET' },
  {
    flags: '--log <format>',
    about: 'format of the request log: text or json',
    default: 'text',
    read: oneOf(['text', 'json']),
  },
  { flags: '--quiet', about: 'do not print the request log' },
  {
    flags: '--limit <limit>',
    about: 'change a limit, NAME=VALUE; --help limits lists them',
    key: 'limits',
    repeat: true,
    read: readLimit,
    readObject: readLimits,
  },
]

export const serveCommand: CommandRule = {
  name: 'serve',
  summary: 'start the mock server',
  about:
    'Starts the mock of the whole documented API on this machine. Its data lives in memory: mutations change what ' +
    'queries return. The same seed gives the same data every time.',
  options,
  replaced: {
    ...replacedTokenFlag,
    ...Object.fromEntries(limitRules.map(({ name }) => [`--max-${name}`, `--limit ${name}=NUMBER`])),
  },
  topics: { limits: limitsHelp },
}

export interface ServeOptions extends TokenOptions, Partial<Counts> {
  readonly port?: number
  readonly host?: string
  /** A name, a path, or the object in a config file. */
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
  readonly limits?: readonly PartialLimits[]
}
