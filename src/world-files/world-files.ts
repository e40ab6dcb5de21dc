/** Finds, reads and validates worlds: ready ones by name, files by path, and data. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type * as Zod from 'zod'
import { deepFreeze } from '../shared/deep-freeze.js'
import { packageFolder } from '../shared/package.js'
import { quote } from '../shared/quote.js'
import { suggestion } from '../shared/suggestion.js'
import { defineWorldFile, type WorldRules } from './definition.js'
import { messageOf, throwMistakes } from './mistakes.js'
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

/** Reads the worlds of a service. `File` is the type that the definition describes. */
export function createWorldFiles<File extends object>(rules: WorldRules) {
  let loaded: { readonly zod: typeof Zod; readonly definition: ReturnType<typeof defineWorldFile> } | undefined
  // Loaded when needed: zod takes longer than the rest of the start.
  function loadDefinition() {
    const zod = load('zod') as typeof Zod
    return (loaded ??= { zod, definition: defineWorldFile(zod.z, rules) })
  }
  const valid = new WeakSet<object>()

  function validate(data: unknown, placeOf: (path: readonly PropertyKey[]) => string): File {
    const { zod, definition } = loadDefinition()
    const { error } = definition.safeParse(data, { reportInput: true, error: messageOf })
    if (error) return throwMistakes(error.issues, placeOf, zod.core.toDotPath)
    return frozen(data)
  }
  // Not the copy that zod makes: the order of keys is part of the hash of a seed plan.
  function frozen(data: unknown): File {
    const file = deepFreeze(data as File)
    valid.add(file)
    return file
  }

  return {
    /**
     * The world of a name, a path or data.
     * Throws an Error with one line for each mistake.
     */
    read(given: string | object): NamedWorld<File> {
      if (typeof given !== 'string') {
        const file = valid.has(given) ? (given as File) : validate(given, () => '')
        return { name: 'of your own', file }
      }
      const isPath = /[/\\]/.test(given) || extension.test(given)
      if (!isPath) return { name: given, file: frozen(JSON.parse(readFileSync(readyPath(given), 'utf8'))) }
      const { data, lineOf } = parseWithLines(textOf(given), given)
      if (data === null) throw new Error(`${given} is empty. Write at least {}, which is the default world.`)
      const file = validate(data, (path) => `${given}:${lineOf(path)}`)
      return { name: basename(given).replace(extension, ''), file }
    },
    /** The JSON Schema of world files, for editors. */
    jsonSchema(): object {
      const { zod, definition } = loadDefinition()
      return {
        $id: 'https://commerce-mock.invalid/world.schema.json',
        title: 'A world of commerce-mock',
        description:
          'Demo data for serve --world and seed --world: numbers of generated records, written records, or both.',
        ...zod.toJSONSchema(definition, { target: 'draft-7' }),
      }
    },
  }
}

function readyPath(name: string): string {
  const ready = readyWorlds()
  if (ready.includes(name)) return join(worldsFolder(), `${name}.json`)
  const advice = `${suggestion(name, ready)} Give a file as a path, such as ./world.json.`
  throw new Error(`There is no ready world ${quote(name)}. ${advice}`)
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8. Save it in that encoding',
}

function textOf(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Error(`The world file ${path} ${problems[code] ?? `cannot be read (${code})`}.`, { cause: error })
  }
}
