/** Commands and their options as values: the parser, the help, the settings and the docs are made from them. */
import { readFileSync } from 'node:fs'

/** The user called a command in a wrong way. The message is one line: what is wrong, and what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

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
  /** Text that `--help TOPIC` prints, by topic. */
  readonly topics?: Readonly<Record<string, () => string>>
}

export interface OptionRule<Value = unknown> {
  /** As it is typed, with its value: `--port <number>`. */
  readonly flags: string
  /** One line for the help. */
  readonly about: string
  /** Shown in the help unless `about` says it. */
  readonly default?: string | number
  /** The key in a config file, if it is not the flag in camel case. */
  readonly key?: string
  /** Takes several values between commas; a config file may hold an array. */
  readonly list?: boolean
  /** Can be given several times; an environment variable holds one value per line, a config file an array. */
  readonly repeat?: boolean
  /** Can only be typed. Permission to write must not come from a forgotten file or variable. */
  readonly typed?: boolean
  /** Reads an object from a config file. */
  readonly readObject?: (value: object, name: string) => Value
  /** Reads the text of a value. `name` is the flag, variable or config key. Throws a UsageError. */
  readonly read?: (text: string, name: string) => Value
}

export const wholeNumber =
  (min: number, max: number) =>
  (text: string, name: string): number => {
    const number = Number(text)
    if (/^[+-]?\d+$/.test(text) && number >= min && number <= max) return number
    throw new UsageError(`${name} takes a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`)
  }

const msOf: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/** The longest delay of a timer in Node. */
const maxMs = 2 ** 31 - 1

/** Reads `500ms`, `10s` or `5m` as milliseconds. */
export const timeSpan = (text: string, name: string): number => {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = Number(number) * (msOf[unit] ?? 0)
  if (ms >= 1 && ms <= maxMs) return ms
  throw new UsageError(`${name} takes a time such as 500ms, 10s or 5m, not ${JSON.stringify(text)}.`)
}

export const filePath = (text: string, name: string): string => {
  if (text !== '') return text
  throw new UsageError(`${name} is empty. It takes the path of a file.`)
}

export const oneOf =
  (words: readonly string[]) =>
  (text: string, name: string): string => {
    if (words.includes(text)) return text
    throw new UsageError(`${name} takes ${words.join(' or ')}, not ${JSON.stringify(text)}.`)
  }

/** Reads words between commas. `problem` returns what is wrong with a word. */
export const commaList =
  (problem: (word: string) => string | undefined) =>
  (text: string, name: string): string[] => {
    const words = text
      .split(',')
      .map((it) => it.trim())
      .filter(Boolean)
    const wrong = words.map(problem).find(Boolean)
    if (wrong !== undefined) throw new UsageError(`${name}: ${wrong}`)
    return words
  }

/** The text of the file that an option names. */
export function fileText(name: string, path: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`
    throw new UsageError(`${name}: the file ${path} ${why}.`)
  }
}

export function fileJson(name: string, path: string): unknown {
  const text = fileText(name, path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name}: the file ${path} is not JSON: ${(error as Error).message}`)
  }
}

/** Errors with a message for the user. Others are bugs of ours. */
const plainErrors: readonly string[] = ['Error', 'LedgerError']

/** Runs code that reads an option: its error becomes a UsageError. `place` is put before the message. */
export function usage<T>(make: () => T, place?: string): T {
  try {
    return make()
  } catch (error) {
    throw asUsage(error, place)
  }
}

export async function usageOf<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asUsage(error)
  }
}

function asUsage(error: unknown, place?: string): unknown {
  if (!(error instanceof Error) || !plainErrors.includes(error.name)) return error
  return new UsageError(place === undefined ? error.message : `${place}: ${error.message}`)
}
