/** Words for a shell. */

/** A text as one word of bash, in which nothing is read. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
