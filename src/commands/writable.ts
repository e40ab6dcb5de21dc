/** Checks that a file can be written, before a command does minutes of work for it. */
import { closeSync, openSync } from 'node:fs'
import { UsageError } from './options.js'

/** Throws a UsageError that names the option. */
export function tryWriting(option: string, path: string): void {
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'its folder does not exist' : code === 'EISDIR' ? 'it is a folder' : `${code}`
    throw new UsageError(`${option}: ${path} cannot be written: ${why}.`)
  }
}
