/** The options of `serve`. Light: the help does not load the mock. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { defaultNow, defaultTtl } from '../../mock/defaults.js'
import { limitRules, type Limits } from '../../server/graphql/limit-rules.js'
import { hostProblem, originProblem } from '../../server/http/hosts.js'
import { readDuration, readInstant } from '../../shared/time.js'
import { suggestion } from '../../shared/mistakes.js'
import { timeSpan, UsageError, wholeNumber, type CommandRule, type OptionRule, type SettingsOf } from '../options.js'
import { profileOption, randomSeed, replacedTokenFlag, tokenIn } from '../shared-options.js'

function readNow(text: string, name: string): string {
  if (text === 'real' || readInstant(text) !== undefined) return text
  throw new UsageError(
    `${name} takes a time such as 2026-01-31T12:00:00Z, or real for the wall clock, not ${JSON.stringify(text)}.`,
  )
}

function readLog(text: string, name: string): 'text' | 'json' {
  if (text === 'text' || text === 'json') return text
  throw new UsageError(`${name} takes text or json, not ${JSON.stringify(text)}.`)
}

/** Reads `300`, `2s` or `100-900`. */
function readDelay(text: string, name: string): number | [number, number] {
  const times = text.split(/(?<=\w)\s*-\s*/).map((it) => (/^\d+$/.test(it) ? Number(it) : readDuration(it)))
  const [least, most] = times
  if (least !== undefined && least >= 0 && times.length === 1) return least
  if (least !== undefined && most !== undefined && 0 <= least && least <= most && times.length === 2)
    return [least, most]
  throw new UsageError(`${name} takes milliseconds or a range such as 300, 2s or 100-900, not ${JSON.stringify(text)}.`)
}

/** Reads `depth=3`. */
function readLimit(text: string, place: string): Partial<Limits> {
  const [, name = '', value] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (value === undefined) {
    throw new UsageError(
      `${place} takes NAME=VALUE, not ${JSON.stringify(text)}. See commerce-mock serve --help limits.`,
    )
  }
  const rule = limitRules.find((it) => it.name === name || it.key === name)
  if (rule) return { [rule.key]: wholeNumber(rule.least, Number.MAX_SAFE_INTEGER)(value, `${place} ${name}`) }
  const names = limitRules.map((it) => it.name)
  throw new UsageError(`${place}: there is no limit ${JSON.stringify(name)}. ${suggestion(name, names)}`)
}

const readLimits = (values: object, place: string): Partial<Limits> =>
  Object.assign({}, ...Object.entries(values).map(([name, value]) => readLimit(`${name}=${String(value)}`, place)))

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

const options = [
  { flags: '--port <number>', about: 'port; 0 for any free one', default: 4000, read: wholeNumber(0, 65_535) },
  { flags: '--host <address>', about: 'address to listen on', default: '127.0.0.1' },
  {
    flags: '--world <world>',
    about: 'initial data: the name of a ready-made world, or the path of a world file',
    readObject: (values: object) => values,
  },
  { flags: '--watch', about: 'read the world file again at each reset', needs: ['--world', '--scenario'] },
  randomSeed,
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
    list: hostProblem,
  },
  {
    flags: '--allow-origin <origins>',
    about: 'comma-separated origins whose pages may call the API; https://*.example.dev for all below a domain',
    list: originProblem,
  },
  {
    flags: '--session-ttl <time>',
    about: 'how long an unused session is kept',
    default: defaultTtl,
    read: timeSpan,
  },
  {
    flags: '--scenario <scenario>',
    about: 'world, clock, records and faults under one name: a ready-made scenario, or the path of a scenario file',
  },
  { flags: '--scenarios <folder>', about: 'folder with scenarios of your own; names are looked up there first' },
  {
    flags: '--faults <faults>',
    about: 'what goes wrong: the name of ready-made faults, or the path of a file; an edit is live at once',
  },
  {
    flags: '--delay <time>',
    about: 'how long each answer of the API takes: milliseconds, 2s, or a range such as 100-900',
    read: readDelay,
  },
  { flags: '--state <folder>', about: 'keep the state in this folder, and go on with what is there' },
  {
    flags: '--state-sync',
    about: 'write each change to the disk before it is answered, against a loss of power',
    needs: ['--state'],
  },
  {
    flags: '--state-reset',
    about: 'start with a new log; the old one is kept as log.jsonl.old',
    needs: ['--state'],
  },
  { flags: '--allow-get', about: 'also answer queries sent with GET' },
  { flags: '--log <format>', about: 'format of the request log: text or json', default: 'text', read: readLog },
  { flags: '--quiet', about: 'do not print the request log' },
  {
    flags: '--limit <limit>',
    about: 'change a limit, NAME=VALUE; --help limits lists them',
    key: 'limits',
    repeat: true,
    read: readLimit,
    readObject: readLimits,
  },
] as const satisfies readonly OptionRule[]

export const serveCommand: CommandRule = {
  name: 'serve',
  summary: 'start the mock server',
  about:
    'Starts the mock of the whole documented API on this machine. Its data lives in memory, and with --state also in ' +
    'a folder: mutations change what queries return. The same seed gives the same data every time.',
  options,
  replaced: {
    ...replacedTokenFlag,
    ...Object.fromEntries(limitRules.map(({ name }) => [`--max-${name}`, `--limit ${name}=NUMBER`])),
  },
  topics: { limits: limitsHelp },
}

export type ServeOptions = SettingsOf<typeof options> & Partial<Counts>
