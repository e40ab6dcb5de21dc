/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => String((error as Error)?.message ?? error)
