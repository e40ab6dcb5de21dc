/** Worlds on the disk: the ready ones of this package, and files by path. */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileProblem } from '../shared/file-problem.js'
import { packageFolder } from '../shared/package.js'
import { parseWithLines } from './parse.js'
import type { WorldStore } from './world-files.js'

export const worldsFolder = (): string => join(packageFolder(), 'fixtures/worlds')

export const schemaFile = 'world.schema.json'

/** The names of the ready worlds. */
export const readyWorlds = (): string[] =>
  readdirSync(worldsFolder())
    .filter((file) => file.endsWith('.json') && file !== schemaFile)
    .map((file) => basename(file, '.json'))
    .sort()

export const worldsOnDisk: WorldStore = {
  names: readyWorlds,
  ready: (name) => JSON.parse(readFileSync(join(worldsFolder(), `${name}.json`), 'utf8')) as object,
  parse: (path) => parseWithLines(textOf(path), path),
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
