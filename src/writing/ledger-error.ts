/** Errors of a ledger or its lock. */

/** What is wrong with a ledger, in one line. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already',
  ENOTDIR: 'a file is in the way',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
}

/** Why a file cannot be created or written. */
export const because = (error: unknown): string => {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return reasons[code] ?? code
}
