/** The run tag: a word that one object of one run carries, and how to find it in a text. */

/** Returns the tag in a text if it is one of those looked for. */
export type FindTag = (text: string) => string | undefined

// Whole words, because `cm-abcdef-1` is also the beginning of `cm-abcdef-10`.
const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\w-]+/)

export const oneOf =
  (tags: readonly string[]): FindTag =>
  (text) => {
    const words = wordsOf(text)
    return tags.find((it) => words.includes(it))
  }

const tagForm = /^cm-[a-z0-9]{6}-\d+$/

/** Finds a tag of any run. An object that carries one was created by this suite. */
export const ofAnyRun: FindTag = (text) => wordsOf(text).find((it) => tagForm.test(it))

/** Finds a tag of one run. */
export const ofRun =
  (run: string): FindTag =>
  (text) =>
    wordsOf(text).find((it) => it.startsWith(`${run}-`) && /^\d+$/.test(it.slice(run.length + 1)))
