import type * as z from 'zod'

/** The message for a value that is required and not there; zod says `expected string, received undefined`. */
export const missing = ({ code, input }: z.core.$ZodRawIssue): string | undefined =>
  code === 'invalid_type' && input === undefined ? 'is missing' : undefined
