/** Settings from three places: what was typed goes over the environment, and that over the config file. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { fileJson, UsageError, type OptionRule } from './options.js'

const prefix = 'COMMERCE_MOCK_'

/** Variables of this name that are no settings: what other commands and the tests read. */
const otherVariables: readonly string[] = ['TOKEN', 'REQUIRE_ALL', 'NODE_24'].map((it) => prefix + it)

const wordOf = ({ flags }: OptionRule): string => (flags.split(' ')[0] as string).slice(2)

/** The name of an option in a config file and in code: `lenientInputs` for `--lenient-inputs`. */
export const keyOf = (rule: OptionRule): string =>
  wordOf(rule).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The environment variable that sets an option: `COMMERCE_MOCK_LENIENT_INPUTS`. */
export const variableOf = (rule: OptionRule): string => `${prefix}${wordOf(rule).replaceAll('-', '_').toUpperCase()}`

export const configNames: readonly string[] = ['commerce-mock.config.js', 'commerce-mock.config.json']

export interface Config {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The config file of a folder, if there is one. Throws a UsageError where it cannot be read. */
export async function loadConfig(folder: string): Promise<Config | undefined> {
  const [name, other] = configNames.filter((it) => existsSync(join(folder, it)))
  if (name === undefined) return undefined
  if (other !== undefined)
    throw new UsageError(`There are ${name} and ${other}, and one of them would say nothing. Keep one.`)
  const values = name.endsWith('.json') ? fileJson(name, join(folder, name)) : await imported(name, join(folder, name))
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new UsageError(`${name} must hold an object with settings such as "port": 4001.`)
  }
  return { name, values: plain(name, values) }
}

/** The settings as values, once: what a config file computes may throw. */
function plain(name: string, values: object): Config['values'] {
  try {
    return Object.fromEntries(Object.entries(values))
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${inOneLine(error)}`)
  }
}

const inOneLine = (error: unknown) =>
  (error instanceof Error ? error.message || error.name : inspect(error)).split('\n')[0]

/** A module may wait for something that never comes; Node would then end without a word. */
const maxLoadingMs = 5000

async function imported(name: string, path: string): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not finish within ${maxLoadingMs / 1000} s.`)), maxLoadingMs)
  })
  try {
    return await Promise.race([exported(path), late])
  } catch (error) {
    throw new UsageError(`${name} cannot be loaded: ${inOneLine(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Where it is a promise, what that gives. */
async function exported(path: string): Promise<unknown> {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
  return module.default
}

/** An error, named by the config module that it comes from, if it does: one may go on after it was loaded. */
export function ofConfig(error: unknown): unknown {
  const frames = error instanceof Error ? (error.stack?.match(/^ +at .*$/gm) ?? []) : []
  const name = configNames.find((it) => frames.some((frame) => frame.includes(it)))
  return name === undefined ? error : new UsageError(`${name} failed after it was loaded: ${inOneLine(error)}`)
}

export interface Places {
  /** What was typed: texts by option key, true for an option without a value. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: Config | undefined
  /** Rules of other commands: their variables and settings may be there and mean nothing here. */
  readonly others?: readonly OptionRule[] | undefined
}

/** The settings that are set anywhere, read by their rules. A UsageError names the place of a wrong one. */
export function readSettings(
  rules: readonly OptionRule[],
  { flags, env, config, others = [] }: Places,
): Record<string, unknown> {
  const known = [...rules, ...others].filter(({ typed }) => !typed)
  // What one command only takes from whoever types it may be a setting of another; then it means nothing here.
  const isSetting = (rule: OptionRule) => known.some((it) => keyOf(it) === keyOf(rule))
  for (const rule of [...rules, ...others].filter((it) => it.typed && !isSetting(it))) {
    const place = settingOf(rule, { flags: {}, env, config })
    if (place)
      throw new UsageError(`${place[0]} can only be typed, as --${wordOf(rule)}: nothing is written by accident.`)
  }
  const variables = [...known.map(variableOf), ...otherVariables]
  const unknown = Object.keys(env).find((name) => name.startsWith(prefix) && !variables.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(
      `The environment variable ${unknown} sets nothing. There are: ${[...new Set(known.map(variableOf))].join(', ')}.`,
    )
  }
  for (const name of Object.keys(config?.values ?? {})) {
    if (known.some((rule) => keyOf(rule) === name)) continue
    throw new UsageError(
      `${config?.name} has a setting "${name}" that does not exist. There are: ${[...new Set(known.map(keyOf))].join(', ')}.`,
    )
  }
  const settings = rules.flatMap((rule) => {
    const set = settingOf(rule, rule.typed ? { flags, env: {}, config: undefined } : { flags, env, config })
    return set ? [[keyOf(rule), read(rule, ...set)] as const] : []
  })
  return Object.fromEntries(settings)
}

/** What their places call the settings, by their keys, and those set nowhere as they would be typed: for messages about settings that do not go together. */
export const namesOf = (rules: readonly OptionRule[], places: Places): Record<string, string> =>
  Object.fromEntries(rules.map((rule) => [keyOf(rule), settingOf(rule, places)?.[0] ?? `--${wordOf(rule)}`]))

/** The value of the place that goes over the others, and what that place calls the option. */
function settingOf(
  rule: OptionRule,
  { flags, env, config }: Places,
): readonly [name: string, value: unknown] | undefined {
  const key = keyOf(rule)
  const places: readonly (readonly [name: string, value: unknown])[] = [
    [`--${wordOf(rule)}`, flags[key]],
    // A variable that is set to nothing is how shells unset one for a single command.
    [variableOf(rule), env[variableOf(rule)] || undefined],
    [`${config?.name}: ${key}`, config?.values[key]],
  ]
  return places.find(([, value]) => value !== undefined)
}

/** A value as its rule reads it; `name` is how the place calls the option. */
function read(rule: OptionRule, name: string, given: unknown): unknown {
  if (!rule.flags.includes('<')) return truth(name, given)
  if (rule.repeat) {
    const texts = Array.isArray(given) ? given : String(given).split('\n').filter(Boolean)
    return texts.map((it) => read({ ...rule, repeat: false }, name, it))
  }
  if (rule.readObject && typeof given === 'object' && given !== null) return rule.readObject(given, name)
  const value: unknown = rule.list && Array.isArray(given) ? given.join(',') : given
  if (rule.list && typeof value !== 'string') throw new UsageError(`${name} takes a list of texts.`)
  if (typeof value !== 'string' && typeof value !== 'number') throw new UsageError(`${name} takes a text or a number.`)
  return rule.read ? rule.read(String(value), name) : String(value)
}

function truth(name: string, value: unknown): boolean {
  if (value === true || value === 'true' || value === '1') return true
  if (value === false || value === 'false' || value === '0') return false
  throw new UsageError(`${name} takes true or false, not ${JSON.stringify(value)}.`)
}
