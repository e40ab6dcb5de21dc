/** Finds, reads and validates worlds: ready ones by name, files by path, and data. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type * as Zod from 'zod'
import { deepFreeze } from '../shared/deep-freeze.js'
import { fileProblem } from '../shared/file-problem.js'
import { packageFolder } from '../shared/package.js'
import { quote } from '../shared/quote.js'
import { suggestion } from '../shared/suggestion.js'
import { defineWorldFile, type WorldRules } from './definition.js'
import { parseWithLines } from './parse.js'

export interface NamedWorld<File> {
  /** The name of a ready world, or of the file without its extension. */
  readonly name: string
  readonly file: File
}

export const worldsFolder = (): string => join(packageFolder(), 'fixtures/worlds')

export const schemaFile = 'world.schema.json'

const extension = /\.(json|ya?ml)$/i

/** The names of the ready worlds. */
export const readyWorlds = (): string[] =>
  readdirSync(worldsFolder())
    .filter((file) => file.endsWith('.json') && file !== schemaFile)
    .map((file) => basename(file, '.json'))
    .sort()

const load = createRequire(import.meta.url)

type Path = readonly PropertyKey[]

/**
 * Makes the reader of the worlds of a service. It takes a name, a path or data, and throws an Error with one line for each
 * mistake. `File` is the type that the definition describes.
 */
export function createWorldReader<File extends object>(rules: WorldRules) {
  let definition: ReturnType<typeof defineWorldFile> | undefined

  function validate(data: unknown, placeOf: (path: Path) => string): File {
    // Loaded when needed: zod takes longer than the rest of the start.
    const { z, core } = load('zod') as typeof Zod
    definition ??= defineWorldFile(z, rules)
    const { error } = definition.safeParse(data, { error: messageOf })
    if (error)
      throw new Error(
        mistakesIn(error.issues, (path) => [placeOf(path), core.toDotPath(path)].filter(Boolean).join(' ')),
      )
    // Not the copy that zod makes: the order of keys is part of the hash of a seed plan.
    return deepFreeze(data as File)
  }

  /** `placeOf` names the place of a value in data that comes from a file of another kind. */
  return (given: string | object, placeOf: (path: Path) => string = () => ''): NamedWorld<File> => {
    if (typeof given !== 'string') return { name: 'of your own', file: validate(given, placeOf) }
    const isPath = /[/\\]/.test(given) || extension.test(given)
    if (!isPath) return { name: given, file: deepFreeze(JSON.parse(readFileSync(readyPath(given), 'utf8')) as File) }
    const { data, lineOf } = parseWithLines(textOf(given), given)
    if (data === null) throw new Error(`${given} is empty. Write at least {}, which is the default world.`)
    const file = validate(data, (path) => `${given}:${lineOf(path)}`)
    return { name: basename(given).replace(extension, ''), file }
  }
}

function messageOf(issue: Zod.core.$ZodRawIssue): string | undefined {
  // Passes the known keys on, to suggest one.
  if (issue.code === 'unrecognized_keys') return Object.keys((issue.inst as Zod.ZodObject).shape).join()
  return issue.code === 'invalid_union' ? 'must be a JSON value' : undefined
}

const maxMistakes = 20

/** One line for each mistake. */
function mistakesIn(issues: readonly Zod.core.$ZodIssue[], placeOf: (path: Path) => string): string {
  const mistakes = issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys') return { path, text: `${message}.` }
    const advice = (key: string) => suggestion(key, message.split(','))
    return issue.keys.map((key) => ({ path: [...path, key], text: `is unknown. ${advice(key)}` }))
  })
  const lines = mistakes.map(({ path, text }) => [placeOf(path), text].filter(Boolean).join(': '))
  const more = lines.length > maxMistakes ? [`… and ${lines.length - maxMistakes} more mistakes.`] : []
  return [...lines.slice(0, maxMistakes), ...more].join('\n')
}

function readyPath(name: string): string {
  const ready = readyWorlds()
  if (ready.includes(name)) return join(worldsFolder(), `${name}.json`)
  const advice = `${suggestion(name, ready)} Give a file as a path, such as ./world.json.`
  throw new Error(`There is no ready world ${quote(name)}. ${advice}`)
}

const maxMiB = 8

function textOf(path: string): string {
  const refuse = (problem: string, cause?: unknown) => new Error(`The world file ${path} ${problem}.`, { cause })
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw refuse(fileProblem(error), error)
  }
  if (bytes.length > maxMiB * 1024 ** 2)
    throw refuse(`has more than ${maxMiB} MiB. Let the mock generate records with counts instead`)
  if (!isUtf8(bytes)) throw refuse('is not UTF-8. Save it in this encoding')
  return new TextDecoder().decode(bytes)
}
