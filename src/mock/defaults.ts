/** The defaults of a mock. */

/** Where the clock begins: fixed per release, so that responses stay the same. */
export const defaultNow = '2026-11-27T12:00:00.000Z'

/** Decides every generated value. */
export const defaultSeed = 1

/** How long an unused session is kept. */
export const defaultTtl = '1h'
