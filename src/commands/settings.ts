/** Settings: flags override environment variables, which override the config file. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../shared/json.js'
import { suggestion } from '../shared/mistakes.js'
import { fileJson, UsageError, type CommandRule, type OptionRule } from './options.js'

const prefix = 'COMMERCE_MOCK_'

/** Variables with our prefix that are not settings: the usual token, and what tests read. */
const otherVariables: readonly string[] = ['TOKEN', 'URL', 'REQUIRE_ALL', 'NODE_24', 'MSW'].map((it) => prefix + it)

/** What Kubernetes sets in every pod for a Service named `commerce-mock`, or `commerce-mock-…`. */
const ofService = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/
const isOfService = (name: string, value = ''): boolean =>
  ofService.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))

/** `--lenient-inputs` */
export const flagOf = ({ flags }: OptionRule): string => flags.split(' ')[0] as string

const camelCase = (words: string) => words.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name of an option in a config file and in code: `lenientInputs`. */
export const keyOf = (rule: OptionRule): string => rule.key ?? camelCase(flagOf(rule).slice(2))

/** The environment variable of an option: `COMMERCE_MOCK_LENIENT_INPUTS`. */
export const variableOf = (rule: OptionRule): string =>
  `${prefix}${flagOf(rule).slice(2).replaceAll('-', '_').toUpperCase()}`

const configNames = ['js', 'mjs', 'cjs', 'json'].map((it) => `commerce-mock.config.${it}`)

export interface Config {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The config file of a folder, if there is one. Throws a UsageError if it cannot be read. */
export async function loadConfig(folder: string): Promise<Config | undefined> {
  const [name, other] = configNames.filter((it) => existsSync(join(folder, it)))
  if (name === undefined) return undefined
  if (other !== undefined) throw new UsageError(`There are two config files, ${name} and ${other}. Delete one.`)
  const path = join(folder, name)
  const values = name.endsWith('.json') ? fileJson(name, path) : await loadModule(name, path)
  if (isObject(values)) return { name, values }
  throw new UsageError(`${name} must hold an object with settings such as "port": 4001.`)
}

async function loadModule(name: string, path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
    return await module.default
  } catch (error) {
    throw new UsageError(`${name} cannot be loaded: ${String(error).split('\n')[0]}`)
  }
}

export interface Sources {
  /** What was typed: texts by flag in camel case, true for an option without a value. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: Config | undefined
  /** Takes a line about a variable that is not a setting: it may belong to somebody else. */
  readonly onWarning?: ((line: string) => void) | undefined
}

/**
 * The settings of a command, read by their rules. Variables and config keys of other commands are allowed and have no
 * effect. Throws a UsageError that names the flag, variable or key.
 */
export function readSettings(
  command: CommandRule,
  sources: Sources,
  all: readonly CommandRule[] = [command],
): Record<string, unknown> {
  const env = Object.fromEntries(Object.entries(sources.env).filter(([name, value]) => !isOfService(name, value)))
  refuseUnknown({ ...sources, env }, all)
  const { argument, options } = command
  const set = new Map<string, readonly [name: string, value: unknown]>()
  const settings = options.flatMap((rule) => {
    const [name, given] = valueOf(rule, { ...sources, env }) ?? []
    if (name === undefined) return []
    const value = read(rule, name, given)
    set.set(flagOf(rule), [name, value])
    return [[keyOf(rule), value] as const]
  })
  const flags = options.map(flagOf)
  for (const rule of options) {
    const [name, value] = set.get(flagOf(rule)) ?? []
    const needs = rule.needs?.filter((it) => flags.includes(it)) ?? []
    const isGiven = Array.isArray(value) ? value.length > 0 : Boolean(value)
    if (isGiven && needs.length > 0 && !needs.some((it) => set.has(it)))
      throw new UsageError(`${name} has no effect without ${needs.join(' or ')}.`)
  }
  return Object.fromEntries([...settings, ...(argument ? [[argument.key, sources.flags[argument.key]]] : [])])
}

function refuseUnknown({ env, config, onWarning }: Sources, all: readonly CommandRule[]): void {
  const options = all.flatMap((it) => it.options)
  const open = options.filter((it) => !it.typed)
  const replaced = Object.assign({}, ...all.map((it) => it.replaced)) as Readonly<Record<string, string>>
  const refuse = (place: string, words: string, known: readonly string[], name: string) => {
    if (known.includes(name)) return undefined
    const flag = `--${words}`
    if (options.some((it) => flagOf(it) === flag))
      throw new UsageError(`${place} has no effect. For safety, ${flag} can only be given on the command line.`)
    const instead = replaced[flag]
    const advice = instead === undefined ? suggestion(flag, [...new Set(open.map(flagOf))]) : `Use ${instead}.`
    const message = `${place} is not a setting. ${advice}`
    if (instead === undefined && place === name) return onWarning?.(message)
    throw new UsageError(message)
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || otherVariables.includes(name)) continue
    refuse(name, name.slice(prefix.length).replaceAll('_', '-').toLowerCase(), open.map(variableOf), name)
  }
  for (const key of Object.keys(config?.values ?? {})) {
    const words = key.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)
    refuse(`${config?.name}: ${key}`, words, open.map(keyOf), key)
  }
}

/** The value with the highest precedence, and the name of the flag, variable or config key that sets it. */
function valueOf(
  rule: OptionRule,
  { flags, env, config }: Sources,
): readonly [name: string, value: unknown] | undefined {
  const [flag, variable, key] = [flagOf(rule), variableOf(rule), keyOf(rule)]
  const places: (readonly [string, unknown])[] = [[flag, flags[camelCase(flag.slice(2))]]]
  if (!rule.typed) {
    // Shells unset a variable for one command by setting it to nothing.
    places.push([variable, env[variable] || undefined], [`${config?.name}: ${key}`, config?.values[key]])
  }
  return places.find(([, value]) => value !== undefined)
}

/** The value as its rule reads it. `name` is the flag, variable or config key. */
function read(rule: OptionRule, name: string, given: unknown): unknown {
  if (!rule.flags.includes('<')) return readBoolean(name, given)
  if (rule.repeat) {
    const values = typeof given === 'string' ? given.split('\n').filter(Boolean) : [given].flat()
    return values.map((it) => read({ ...rule, repeat: false }, name, it))
  }
  if (rule.list) return readList(rule.list, name, given)
  if (rule.readObject && isObject(given)) return rule.readObject(given, name)
  if (typeof given !== 'string' && typeof given !== 'number')
    throw new UsageError(`${name} takes a string or a number.`)
  if (given === '') throw new UsageError(`${name} is empty.`)
  return rule.read ? rule.read(String(given), name) : String(given)
}

function readList(problem: NonNullable<OptionRule['list']>, name: string, given: unknown): readonly string[] {
  const words = [given].flat().flatMap((it) => String(it).split(','))
  const filled = words.map((it) => it.trim()).filter(Boolean)
  if (filled.length === 0) throw new UsageError(`${name} is empty.`)
  const wrong = filled.map(problem).find(Boolean)
  if (wrong !== undefined) throw new UsageError(`${name}: ${wrong}`)
  return filled
}

function readBoolean(name: string, value: unknown): boolean {
  if ([true, 'true', '1'].includes(value as string)) return true
  if ([false, 'false', '0'].includes(value as string)) return false
  throw new UsageError(`${name} takes true or false, not ${JSON.stringify(value)}.`)
}
