/** Finds, reads and validates worlds: ready ones by name, files by path, and data. */
import * as z from 'zod'
import { deepFreeze } from '../shared/deep-freeze.js'
import { missing } from '../shared/missing.js'
import { quote } from '../shared/quote.js'
import { suggestion } from '../shared/suggestion.js'
import { defineWorldFile, type WorldRules } from './definition.js'
import type { Parsed } from './parse.js'

export interface NamedWorld<File> {
  /** The name of a ready world, or of the file without its extension. */
  readonly name: string
  readonly file: File
}

/** Where worlds with a name or a path come from. */
export interface WorldStore {
  /** The names of the ready worlds. */
  readonly names: () => readonly string[]
  readonly ready: (name: string) => object
  /** Reads a world file. Throws an Error in one line. */
  readonly parse: (path: string) => Parsed
}

const extension = /\.(json|ya?ml)$/i

type Path = readonly PropertyKey[]

/**
 * Makes the reader of the worlds of a service. It takes a name, a path or data, and throws an Error with one line for each
 * mistake. `File` is the type that the definition describes.
 */
export function createWorldReader<File extends object>(rules: WorldRules, store: WorldStore) {
  let definition: ReturnType<typeof defineWorldFile> | undefined

  function validate(data: unknown, placeOf: (path: Path) => string): File {
    definition ??= defineWorldFile(rules)
    const { error } = definition.safeParse(data, { error: messageOf })
    if (error)
      throw new Error(
        mistakesIn(error.issues, (path) => [placeOf(path), z.core.toDotPath(path)].filter(Boolean).join(' ')),
      )
    // Not the copy that zod makes: the order of keys is part of the hash of a seed plan.
    return deepFreeze(data as File)
  }

  /** `placeOf` names the place of a value in data that comes from a file of another kind. */
  return (given: string | object, placeOf: (path: Path) => string = () => ''): NamedWorld<File> => {
    if (typeof given !== 'string') return { name: 'of your own', file: validate(given, placeOf) }
    const isPath = /[/\\]/.test(given) || extension.test(given)
    if (!isPath) return { name: given, file: deepFreeze(readyWorld(given, store) as File) }
    const { data, lineOf } = store.parse(given)
    if (data === null) throw new Error(`${given} is empty. Write at least {}, which is the default world.`)
    const file = validate(data, (path) => `${given}:${lineOf(path)}`)
    return { name: given.replace(/^.*[/\\]/s, '').replace(extension, ''), file }
  }
}

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  // Passes the known keys on, to suggest one.
  if (issue.code === 'unrecognized_keys') return Object.keys((issue.inst as z.ZodObject).shape).join()
  return issue.code === 'invalid_union' ? 'must be a JSON value' : missing(issue)
}

const maxMistakes = 20

/** One line for each mistake. */
function mistakesIn(issues: readonly z.core.$ZodIssue[], placeOf: (path: Path) => string): string {
  const mistakes = issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys') return { path, text: `${message}.` }
    const advice = (key: string) => suggestion(key, message.split(','))
    return issue.keys.map((key) => ({ path: [...path, key], text: `is unknown. ${advice(key)}` }))
  })
  const lines = mistakes.map(({ path, text }) => [placeOf(path), text].filter(Boolean).join(': '))
  const more = lines.length > maxMistakes ? [`… and ${lines.length - maxMistakes} more mistakes.`] : []
  return [...lines.slice(0, maxMistakes), ...more].join('\n')
}

function readyWorld(name: string, { names, ready }: WorldStore): object {
  if (names().includes(name)) return ready(name)
  const advice = `${suggestion(name, names())} Give a file as a path, such as ./world.json.`
  throw new Error(`There is no ready world ${quote(name)}. ${advice}`)
}
