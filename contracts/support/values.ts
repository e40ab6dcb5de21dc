/** Values whose form the specification describes in words: elapsed time, URLs of images. */

const month = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?'
const weekday = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?'

/** Forms that are certainly no elapsed time in words. There are more words for that, in any language, than we know. */
const otherForms: readonly RegExp[] = [
  // Nothing, a number, a date or a time in digits.
  /^\P{L}*$/u,
  /^\d{1,2}:\d\d(?::\d\d)?\s*[ap]\.?m\.?$/i,
  /\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|^\d{8}T\d{6}/,
  // A date in words: a year and a day, in any language.
  /(?<!\d)(?:19|20)\d\d(?!\d).*\d|\d.*(?<!\d)(?:19|20)\d\d(?!\d)/,
  new RegExp(`^(?:${weekday}\\s+)?(?:${month},?\\s+\\d{1,4}|\\d{1,2}\\.?\\s+${month})$`, 'i'),
  // A duration of ISO 8601, and what a program shows by mistake.
  /^P(?:\d+[YMWD])*(?:T(?:[\d.]+[HMS])+)?$/,
  /\b(?:NaN|undefined|null|invalid)\b|\[object/i,
]

/** Whether a string can be elapsed time in words, such as `3 days ago` or `vor 3 Tagen`. An instant cannot. */
export const canBeElapsedTime = (text: string): boolean => !otherForms.some((form) => form.test(text.trim()))

/** Whether a string can be the URL of an image, with or without a protocol. */
export function isImageUrl(text: string): boolean {
  if (!/^(?:https?:)?\/\/[^\s/]+/i.test(text)) return false
  return URL.canParse(text.startsWith('//') ? `https:${text}` : text)
}
