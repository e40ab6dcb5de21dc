/** What is wrong with a file, and how to replace one. */
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** In words that follow its name. `missing` says what it means that there is no such file. */
export function fileProblem(error: unknown, missing = 'does not exist'): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return missing
  return code === 'EISDIR' ? 'is a folder' : `is not accessible (${code})`
}

/** Whether there is something else than a file, such as a device or a pipe. */
export const isSpecial = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === false

/** Writes a file as a whole: a full disk or a kill leaves the old one. */
export function replaceFile(path: string, text: string): void {
  if (isSpecial(path)) return writeFileSync(path, text)
  // A link stays a link.
  const file = existsSync(path) ? realpathSync(path) : path
  const beside = `${file}.new`
  try {
    writeFileSync(beside, text, { flush: true })
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
