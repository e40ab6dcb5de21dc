/** What a mock begins with unless told otherwise. */

/** Where the clock begins: a fixed instant of this release, so that answers stay the same. */
export const defaultNow = '2026-11-27T12:00:00.000Z'

/** Decides every generated value. */
export const defaultSeed = 1
