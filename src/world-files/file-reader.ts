/** Finds, reads and validates what users write in files: ready ones by name, their own by path, and data. */
import * as z from 'zod'
import { deepFreeze } from '../shared/json.js'
import { suggestion, validated, type Path } from '../shared/mistakes.js'
import { quote } from '../shared/text.js'
import type { Parsed } from './parse.js'

/** A kind of files. */
export interface FileKind {
  readonly name: string
  /** Where the ready ones are, below `fixtures`. */
  readonly folder: 'worlds' | 'faults' | 'scenarios'
  /** What a file without content means, or what to write in it. */
  readonly empty: object | string
  /** How to give a file of one's own. */
  readonly own: string
  /** What to do if a file is too long. */
  readonly shorter: string
  readonly definition: z.ZodType
}

/** What a file holds, and where. */
export interface NamedFile<Content> {
  /** The name of a ready one, or of the file without its extension. */
  readonly name: string
  readonly file: Content
  /** Undefined for ready ones and for data. */
  readonly path?: string | undefined
  /** Names the place of a value: `shop.yaml:7 customers[0].email`. */
  readonly placeOf: (path: Path) => string
}

/** Where files of a kind come from. */
export interface FileStore {
  /** What can be given by name. */
  readonly names: () => readonly string[]
  /** The content of a ready one. */
  readonly ready: (name: string) => object
  /** The path of a file of the user that has this name; it comes before a ready one. */
  readonly ownPath?: ((name: string) => string | undefined) | undefined
  /** Reads a file. Throws an Error in one line. */
  readonly parse: (path: string) => Parsed
}

/** Reads a file by name or path, or takes its content. Throws an Error with one line for each mistake. */
export interface FileReader<Content> {
  /** `placeOf` names the place of a value in data that comes from a file of another kind. */
  (given: string | object, placeOf?: (path: Path) => string): NamedFile<Content>
  /** What can be given by name. */
  readonly names: () => readonly string[]
}

export const extension = /\.(json|ya?ml)$/i

/** Makes the reader of a kind of files. `Content` is the type that its definition describes. */
export function createFileReader<Content extends object>(kind: FileKind, store: FileStore): FileReader<Content> {
  function validate(data: unknown, placeOf: (path: Path) => string): Content {
    validated(kind.definition, data, placeOf)
    // Not the copy that zod makes: the order of keys is part of the hash of a seed plan.
    return deepFreeze(data as Content)
  }

  function readPath(path: string): NamedFile<Content> {
    const { data: written, lineOf } = store.parse(path)
    const data = written ?? kind.empty
    if (typeof kind.empty === 'string' && written === null) throw new Error(`${path} is empty. ${kind.empty}`)
    const placeOf = (at: Path) => placeIn(at, `${path}:${lineOf(at)}`)
    const name = path.replace(/^.*[/\\]/s, '').replace(extension, '')
    return { name, file: validate(data, placeOf), path, placeOf }
  }

  function readName(name: string): NamedFile<Content> {
    const own = store.ownPath?.(name)
    if (own !== undefined) return readPath(own)
    if (!store.names().includes(name)) {
      throw new Error(`There is no ready ${kind.name} ${quote(name)}. ${suggestion(name, store.names())} ${kind.own}`)
    }
    return { name, file: deepFreeze(store.ready(name) as Content), placeOf: (at) => placeIn(at, name) }
  }

  const read = (given: string | object, placeOf: (path: Path) => string = placeIn): NamedFile<Content> => {
    if (typeof given !== 'string') return { name: 'of your own', file: validate(given, placeOf), placeOf }
    return isPath(given) ? readPath(given) : readName(given)
  }
  return Object.assign(read, { names: store.names })
}

/** Whether a file is given by its path instead of a name. */
export const isPath = (given: string): boolean => /[/\\]/.test(given) || extension.test(given)

/** Names the place of a value. `file` is the file with the line. */
export const placeIn = (at: Path, file = ''): string => [file, z.core.toDotPath([...at])].filter(Boolean).join(' ')
