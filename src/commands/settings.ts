/** Settings: flags override environment variables, which override the config file. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { isObject } from '../shared/is-object.js'
import { fileJson, UsageError, type CommandRule, type OptionRule } from './options.js'

const prefix = 'COMMERCE_MOCK_'

/** Variables with our prefix that are not settings: the usual token, and what the tests read. */
const otherVariables: readonly string[] = ['TOKEN', 'REQUIRE_ALL', 'NODE_24'].map((it) => prefix + it)

/** `--lenient-inputs` */
const flagOf = ({ flags }: OptionRule): string => flags.split(' ')[0] as string

const camelCase = (words: string) => words.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name of an option in a config file and in code: `lenientInputs`. */
export const keyOf = (rule: OptionRule): string => rule.key ?? camelCase(flagOf(rule).slice(2))

/** The environment variable of an option: `COMMERCE_MOCK_LENIENT_INPUTS`. */
export const variableOf = (rule: OptionRule): string =>
  `${prefix}${flagOf(rule).slice(2).replaceAll('-', '_').toUpperCase()}`

const configNames: readonly string[] = ['commerce-mock.config.js', 'commerce-mock.config.json']

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
  if (!isObject(values)) {
    throw new UsageError(`${name} must hold an object with settings such as "port": 4001.`)
  }
  return { name, values: { ...values } }
}

async function loadModule(name: string, path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
    return await module.default
  } catch (error) {
    const message = error instanceof Error ? error.message || error.name : inspect(error)
    throw new UsageError(`${name} cannot be loaded: ${message.split('\n')[0]}`)
  }
}

export interface Sources {
  /** What was typed: texts by flag in camel case, true for an option without a value. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: Config | undefined
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
  refuseUnknown(sources, all)
  const { argument, options } = command
  const settings = options.flatMap((rule) => {
    const set = valueOf(rule, sources)
    return set ? [[keyOf(rule), read(rule, ...set)] as const] : []
  })
  return Object.fromEntries([...settings, ...(argument ? [[argument.key, sources.flags[argument.key]]] : [])])
}

function refuseUnknown({ env, config }: Sources, all: readonly CommandRule[]): void {
  const options = all.flatMap((it) => it.options)
  const open = options.filter(({ typed }) => !typed)
  const replaced = Object.assign({}, ...all.map((it) => it.replaced)) as Readonly<Record<string, string>>
  const refuse = (place: string, flag: string, known: readonly string[]): never => {
    const instead = replaced[flag]
    if (instead !== undefined) throw new UsageError(`${place}: there is no ${flag}. Use ${instead}.`)
    if (options.some((rule) => rule.typed && flagOf(rule) === flag))
      throw new UsageError(`${place} has no effect. For safety, ${flag} can only be given on the command line.`)
    throw new UsageError(`${place} is not a setting. The settings are: ${[...new Set(known)].join(', ')}.`)
  }
  const variables = open.map(variableOf)
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || [...variables, ...otherVariables].includes(name)) continue
    refuse(name, `--${name.slice(prefix.length).replaceAll('_', '-').toLowerCase()}`, variables)
  }
  const keys = open.map(keyOf)
  for (const key of Object.keys(config?.values ?? {})) {
    if (keys.includes(key)) continue
    refuse(`${config?.name}: ${key}`, `--${key.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`, keys)
  }
}

/** The value with the highest precedence, and the name of the flag, variable or config key that sets it. */
function valueOf(
  rule: OptionRule,
  { flags, env, config }: Sources,
): readonly [name: string, value: unknown] | undefined {
  const [flag, variable, key] = [flagOf(rule), variableOf(rule), keyOf(rule)]
  const typed: readonly [string, unknown] = [flag, flags[camelCase(flag.slice(2))]]
  if (rule.typed) return typed[1] === undefined ? undefined : typed
  // Shells unset a variable for one command by setting it to nothing.
  const places = [
    typed,
    [variable, env[variable] || undefined],
    [`${config?.name}: ${key}`, config?.values[key]],
  ] as const
  return places.find(([, value]) => value !== undefined)
}

/** The value as its rule reads it. `name` is the flag, variable or config key. */
function read(rule: OptionRule, name: string, given: unknown): unknown {
  if (!rule.flags.includes('<')) return readBoolean(name, given)
  if (rule.repeat) {
    const values = typeof given === 'string' ? given.split('\n').filter(Boolean) : [given].flat()
    return values.map((it) => read({ ...rule, repeat: false }, name, it))
  }
  if (rule.readObject && isObject(given)) return rule.readObject(given, name)
  const value: unknown = rule.list && Array.isArray(given) ? given.join(',') : given
  if (typeof value !== 'string' && (typeof value !== 'number' || rule.list)) {
    throw new UsageError(`${name} takes a ${rule.list ? 'list of strings' : 'string or a number'}.`)
  }
  return rule.read ? rule.read(String(value), name) : String(value)
}

function readBoolean(name: string, value: unknown): boolean {
  if ([true, 'true', '1'].includes(value as string)) return true
  if ([false, 'false', '0'].includes(value as string)) return false
  throw new UsageError(`${name} takes true or false, not ${JSON.stringify(value)}.`)
}
