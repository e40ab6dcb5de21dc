/** Values whose form the specification describes in words: elapsed time, URLs of images. */

/** The units of the usual libraries: moment, dayjs, date-fns, timeago, Rails. */
const unit =
  '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)\\.?'
const number =
  '(?:\\d+(?:[.,]\\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|half an?|several)'
const vague = '(?:about|almost|around|over|under|nearly|roughly|approximately|less than|more than|~|<|>)'
const amount = `(?:${vague}\\s*)?${number}\\s*${unit}(?:(?:,|\\s+and|,\\s*and)?\\s+${number}\\s*${unit})*`

const forms: readonly RegExp[] = [
  new RegExp(`^(?:in\\s+)?${amount}(?:\\s+(?:ago|from now|later|earlier))?$`, 'i'),
  /^(?:just now|right now|now|moments? ago|a moment ago|in a moment|recently|today|yesterday|tomorrow|never)$/i,
  /^(?:last|next|this) (?:second|minute|hour|night|day|week|month|quarter|year)$/i,
  /^the day (?:before yesterday|after tomorrow)$/i,
  /^(?:(?:today|yesterday|tomorrow)|(?:last |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day) at \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?$/i,
]

/** Whether a string is elapsed time in words, such as `3 days ago`. An instant is not. */
export const isElapsedTime = (text: string): boolean => {
  const plain = text.replace(/\s+/g, ' ').trim()
  return forms.some((form) => form.test(plain))
}

/** Whether a string can be the URL of an image, with or without a protocol. */
export function isImageUrl(text: string): boolean {
  if (!/^(?:https?:)?\/\/[^\s/]+/i.test(text)) return false
  return URL.canParse(text.startsWith('//') ? `https:${text}` : text)
}
