/** The mark of what a run made: a word that nothing else bears, and how it is found in a text. */

/** The mark in a text, if it holds one that is looked for. */
export type Pick = (text: string) => string | undefined

// Whole words: the first mark of a run is the beginning of its tenth.
const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\w-]+/)

export const oneOf =
  (marks: readonly string[]): Pick =>
  (text) => {
    const words = wordsOf(text)
    return marks.find((it) => words.includes(it))
  }

/** How the marks of all runs look. */
const markOfRun = /^cm-[a-z0-9]{6}-\d+$/

/** Any mark of any run: what bears one was made by this suite. */
export const ofAnyRun: Pick = (text) => wordsOf(text).find((it) => markOfRun.test(it))

/** Any mark of a run. */
export const ofRun =
  (run: string): Pick =>
  (text) =>
    wordsOf(text).find((it) => it.startsWith(`${run}-`) && /^\d+$/.test(it.slice(run.length + 1)))
