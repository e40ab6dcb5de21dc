/** What is wrong with a file, in words that follow its name. */

/** `missing` says what it means that there is no such file. */
export function fileProblem(error: unknown, missing = 'does not exist'): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return missing
  return code === 'EISDIR' ? 'is a folder' : `is not accessible (${code})`
}
