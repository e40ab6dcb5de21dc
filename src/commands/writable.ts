/** Whether a file can be written, asked before the work: a run of minutes shall not end with a report that cannot be. */
import { closeSync, openSync } from 'node:fs'
import { UsageError } from './options.js'

/** Throws a UsageError in the words of the option that names the file. */
export function tryWriting(option: string, path: string): void {
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'its folder does not exist' : code === 'EISDIR' ? 'it is a folder' : `${code}`
    throw new UsageError(`${option}: ${path} cannot be written: ${why}.`)
  }
}
