/** World files: the ready ones by their names, others by their paths, each checked; what is wrong is said with its line. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nearest, type Problem } from './forms.js'
import { parseLocated, SyntaxProblem, type Located } from './source-position.js'
import { packageFolder } from '../shared/package.js'
import { worldForm, type WorldFile } from './world-form.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { quote } from '../shared/quote.js'

export type { WorldFile } from './world-form.js'

export interface NamedWorld {
  /** Its own name, or that of its file without the ending. */
  readonly name: string
  readonly file: WorldFile
}

/** Where the ready worlds lie. */
export const worldsFolder = (): string => join(packageFolder(), 'fixtures/worlds')

const ending = /\.(json|ya?ml)$/i

/** The names of the ready worlds. */
export const readyWorlds = (): string[] =>
  readdirSync(worldsFolder())
    .filter((file) => ending.test(file) && !file.endsWith('.schema.json'))
    .map((file) => file.replace(ending, ''))
    .sort()

/** The world that an option gives: a name, a path, or the data itself. Throws an Error in one line. */
export const worldOf = (given: string | object): NamedWorld =>
  typeof given === 'string' ? readWorld(given) : worldFrom(given)

/** What is wrong between a file and what is generated beside it has no line there, but the file. */
export function ofWorld<T>(given: string | object | undefined, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (typeof given !== 'string' || !(error instanceof Error) || error.name !== 'Error') throw error
    throw new Error(`${given}: ${error.message}`, { cause: error })
  }
}

/** The world of a name or of a file. Throws an Error in one line. */
export function readWorld(nameOrPath: string): NamedWorld {
  const path = pathOf(nameOrPath)
  const name = basename(path).replace(ending, '')
  return { name, file: checked(textOf(path), path) }
}

/** A world that somebody made of data, checked and copied. Throws an Error in one line. */
export function worldFrom(data: unknown): NamedWorld {
  const problem = worldForm.problem(data, [])
  if (problem) throw new Error(problem.text)
  return { name: 'of your own', file: deepFreeze(data as WorldFile) }
}

/** What looks like a path is one; all else is the name of a ready world. */
function pathOf(nameOrPath: string): string {
  if (/[/\\]/.test(nameOrPath) || ending.test(nameOrPath)) return nameOrPath
  const ready = readyWorlds()
  if (ready.includes(nameOrPath)) return join(worldsFolder(), `${nameOrPath}.json`)
  const near = nearest(nameOrPath, ready)
  throw new Error(
    `There is no ready world ${quote(nameOrPath)}. ${near === undefined ? '' : `Did you mean ${near}? `}` +
      `There are: ${ready.join(', ')}. A file is named by its path, as ./world.json.`,
  )
}

/** A parser that knows the line of each part needs some eighty times as much memory. */
const maxMiB = 8

function textOf(path: string): string {
  let bytes: Uint8Array
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw new Error(`${path} is ${stat.isDirectory() ? 'a folder' : 'no file'}. Name a world file.`)
    if (stat.size > maxMiB * 2 ** 20) {
      throw new Error(`${path} is larger than ${maxMiB} MiB. Write fewer rows, and let "counts" generate the others.`)
    }
    bytes = readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const why = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be read (${code})`
    throw new Error(`The world file ${path} ${why}.`, { cause: error })
  }
  return decoded(bytes, path)
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${path}:${firstBadLine(bytes)}: the text is not UTF-8. Save the file in that encoding.`)
  }
}

/** The first line that is not UTF-8. A line break is never part of another character. */
function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let line = 1, from = 0; ; line++) {
    const end = bytes.indexOf(10, from)
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end))
    } catch {
      return line
    }
    if (end < 0) return line
    from = end + 1
  }
}

function checked(text: string, path: string): WorldFile {
  const { data, lineOf } = located(text, path)
  if (data === null) throw new Error(`${path} is empty. Write at least {}, a world of the usual counts.`)
  const problem = worldForm.problem(data, []) as Problem | undefined
  if (problem) throw new Error(`${path}:${lineOf(problem)}: ${problem.text}`)
  return deepFreeze(data as WorldFile)
}

function located(text: string, path: string): Located {
  try {
    return parseLocated(text)
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    throw new Error(`${path}:${error.line}: ${error.message}`, { cause: error })
  }
}
