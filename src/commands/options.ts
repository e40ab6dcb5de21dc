/** Commands and their options as values: the parser, the help, the settings, their types and the docs are made from them. */
import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readDuration } from '../shared/time.js'
import { fileProblem, isSpecial, makeFolder, readText } from '../shared/files.js'
import { parseWithLines } from '../world-files/parse.js'

/** The user called a command in a wrong way. The message is one line: what is wrong, and what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Errors with a message for the user. Others are bugs of ours, or something that failed during the run. */
const userErrors: readonly string[] = ['Error', 'FileError', 'UsageError']

/** The exit code of a command that threw an error. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof Error && userErrors.includes(error.name) && !('code' in error) ? 2 : 1

export interface CommandRule {
  /** As it is typed: `check`, or `check cleanup` for a subcommand. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The first paragraph of its own help. */
  readonly about: string
  /** A required positional argument. Its value becomes the setting of this key. */
  readonly argument?: { readonly key: string; readonly about: string }
  readonly options: readonly OptionRule[]
  /** Flags that do not exist, or no longer, and what to use instead: `{ '--budget': '--max-requests' }`. */
  readonly replaced?: Readonly<Record<string, string>>
  /** Whether a signal ends it at once: what it did is on disk, so that it can be run again. */
  readonly endsAtOnce?: boolean
  /** Text that `--help TOPIC` prints, by topic. */
  readonly topics?: Readonly<Record<string, () => string>>
}

export interface OptionRule {
  /** As it is typed, with its value: `--port <number>`. */
  readonly flags: string
  /** One line for the help. */
  readonly about: string
  /** Shown in the help unless `about` says it. */
  readonly default?: string | number
  /** The key in a config file, if it is not the flag in camel case. */
  readonly key?: string
  /** Takes several words between commas, or an array in a config file. Returns what is wrong with a word. */
  readonly list?: (word: string) => string | undefined
  /** Can be given several times; an environment variable holds one value per line, a config file an array. */
  readonly repeat?: boolean
  /** Flags of which one must be set too; without them this one would do nothing. Those of other commands do not count. */
  readonly needs?: readonly string[]
  /** Can only be typed. Permission to write must not come from a forgotten file or variable. */
  readonly typed?: boolean
  /** Reads an object from a config file. */
  readonly readObject?: (value: object, name: string) => unknown
  /** Reads the text of a value. `name` is the flag, variable or config key. Throws a UsageError. */
  readonly read?: (text: string, name: string) => unknown
}

type CamelCase<Words extends string> = Words extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Words

type KeyOf<Rule> = Rule extends { key: infer Key extends string }
  ? Key
  : Rule extends { flags: `--${infer Flag} <${string}` | `--${infer Flag}` }
    ? CamelCase<Flag>
    : never

type Read<Rule, Reader extends string> = Rule extends { [Key in Reader]: (...given: never) => infer Value }
  ? Value
  : never

type ValueOf<Rule> = Rule extends { flags: `${string}<${string}` }
  ? Rule extends { list: unknown }
    ? readonly string[]
    : Rule extends { read: unknown }
      ? Read<Rule, 'read'> | Read<Rule, 'readObject'>
      : string | Read<Rule, 'readObject'>
  : boolean

/** The settings that a list of options makes. */
export type SettingsOf<Rules extends readonly OptionRule[]> = {
  readonly [Rule in Rules[number] as KeyOf<Rule>]?: Rule extends { repeat: true }
    ? readonly ValueOf<Rule>[]
    : ValueOf<Rule>
}

export const wholeNumber =
  (min: number, max: number) =>
  (text: string, name: string): number => {
    const number = Number(text)
    if (/^[+-]?\d+$/.test(text) && number >= min && number <= max) return number
    throw new UsageError(`${name} takes a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`)
  }

/** The longest delay of a timer in Node. */
const maxMs = 2 ** 31 - 1

/** Reads `500ms`, `10s` or `5m` as milliseconds. */
export const timeSpan = (text: string, name: string): number => {
  const ms = readDuration(text) ?? 0
  if (ms >= 1 && ms <= maxMs) return ms
  throw new UsageError(`${name} takes a time such as 500ms, 10s or 5m, not ${JSON.stringify(text)}.`)
}

/** The text of the file that an option names. */
export const fileText = (name: string, path: string): string =>
  readText(path, (problem) => new UsageError(`${name}: the file ${path} ${problem}.`))

export function fileJson(name: string, path: string): unknown {
  const text = fileText(name, path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name}: the file ${path} is not JSON: ${(error as Error).message}`)
  }
}

/** The data of a YAML or JSON file, and where a value of it is: `FILE:LINE`. */
export function fileYaml(name: string, path: string) {
  const text = fileText(name, path)
  try {
    const { data, lineOf } = parseWithLines(text, path)
    return { data, placeOf: (at: readonly PropertyKey[]) => `${path}:${lineOf(at)}` }
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`)
  }
}

/** A file that a command will write. */
export interface Output {
  readonly option: string
  readonly path: string | undefined
}

/**
 * Makes the folders of the files that a command will write. Throws a UsageError if one cannot be written, or would be
 * written twice, before the command does minutes of work for it.
 */
export function prepareOutputs(outputs: readonly Output[]): void {
  const options = new Map<string, string>()
  for (const { option, path } of outputs) {
    if (path === undefined) continue
    const other = options.get(resolve(path))
    if (other !== undefined && !isSpecial(path)) {
      throw new UsageError(`${other} and ${option} write to the same file, ${path}. Give each its own.`)
    }
    options.set(resolve(path), option)
    try {
      makeFolder(dirname(path))
      const exists = existsSync(path)
      closeSync(openSync(path, 'a'))
      // A link stays, also if its target was missing.
      if (!exists) rmSync(realpathSync(path))
    } catch (error) {
      throw new UsageError(`${option}: ${path} cannot be written: ${fileProblem(error)}.`)
    }
  }
}
