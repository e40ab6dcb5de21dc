/** Reads and replaces files, and says what is wrong with one. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Describes the problem, to follow the file name. `missing` says what it means that there is no such file. */
export function fileProblem(error: unknown, missing = 'does not exist'): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return missing
  return code === 'EISDIR' ? 'is a folder' : `is not accessible (${code})`
}

/** The text of a file, without the byte order mark with which some editors begin it. `refuse` makes the error. */
export function readText(path: string, refuse: (problem: string, cause?: unknown) => Error): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw refuse(fileProblem(error), error)
  }
  if (!isUtf8(bytes)) throw refuse('is not UTF-8. Save it in this encoding')
  return new TextDecoder().decode(bytes)
}

/** Whether there is something else than a file, such as a device or a pipe. */
export const isSpecial = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === false

/** Makes a folder and those that it is in. With `recursive`, Node never returns below /proc. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(dirname(folder))) throw error
    makeFolder(dirname(folder))
    makeFolder(folder)
  }
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

const unreplaceable = ['EACCES', 'EBUSY', 'EPERM', 'EROFS', 'EXDEV']

/**
 * Writes a file as a whole: a full disk or a kill leaves the old one. What another file cannot stand for, such as a device,
 * a mounted file or one of several hard links, is written in place.
 */
export function replaceFile(path: string, text: string): void {
  const old = statSync(path, { throwIfNoEntry: false })
  const names = isLink(path) ? [path, readlinkSync(path)] : [path]
  const isReplaceable = old ? old.isFile() && old.nlink === 1 : names.length === 1
  // `/dev/stdout` may be a file that the shell has opened.
  if (!isReplaceable || names.some((it) => /^\/(?:dev|proc)\//.test(resolve(it)))) return writeFileSync(path, text)
  const file = old ? realpathSync(path) : path
  const beside = join(dirname(file), `.commerce-mock-${randomUUID()}`)
  try {
    writeFileSync(beside, text, { flag: 'wx', flush: true, mode: old?.mode })
    if (old) {
      chownSync(beside, old.uid, old.gid)
      chmodSync(beside, old.mode)
    }
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    if (!unreplaceable.includes(String((error as NodeJS.ErrnoException).code))) throw error
    writeFileSync(path, text)
  }
}
