/** Files on the disk: the ready ones of this package, and those of users. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileProblem, readText } from '../shared/files.js'
import { packageFolder } from '../shared/package.js'
import { extension, type FileKind, type FileStore } from './file-reader.js'
import { parseWithLines } from './parse.js'

export const readyFolder = (folder: FileKind['folder']): string => join(packageFolder(), 'fixtures', folder)

/** The files of a folder by name, without the schema for editors. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => extension.test(file) && !file.endsWith('.schema.json'))
  return new Map(files.sort().map((file) => [file.replace(extension, ''), join(folder, file)]))
}

/** The names of the ready ones. */
export const readyNames = (folder: FileKind['folder']): string[] => [...filesIn(readyFolder(folder)).keys()]

/** The ready files of a kind, and those in a folder of the user. Throws an Error in one line if there is no such folder. */
export function filesOnDisk(kind: FileKind, own?: string): FileStore {
  const ready = () => filesIn(readyFolder(kind.folder))
  const owned = () => (own === undefined ? new Map<string, string>() : filesOf(own, kind))
  return {
    names: () => [...new Set([...owned().keys(), ...ready().keys()])],
    ready(name) {
      const path = ready().get(name) as string
      const text = readFileSync(path, 'utf8')
      return (path.endsWith('.json') ? JSON.parse(text) : parseWithLines(text, path).data) as object
    },
    ownPath: (name) => owned().get(name),
    parse: (path) => parseWithLines(textOf(path, kind), path),
  }
}

function filesOf(folder: string, { name }: FileKind): ReadonlyMap<string, string> {
  try {
    return filesIn(folder)
  } catch (error) {
    throw new Error(`The folder ${folder} with ${name} files ${folderProblem(error)}.`, { cause: error })
  }
}

const folderProblem = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'is a file' : fileProblem(error)

const maxMiB = 8

function textOf(path: string, { name, shorter }: FileKind): string {
  const refuse = (problem: string, cause?: unknown) => new Error(`The ${name} file ${path} ${problem}.`, { cause })
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  if (size > maxMiB * 1024 ** 2) throw refuse(`has more than ${maxMiB} MiB. ${shorter}`)
  return readText(path, refuse)
}
