/** Words the mistakes that zod finds in a world. */
import type { z as Zod } from 'zod'
import { quote } from '../shared/quote.js'
import { suggestion } from '../shared/suggestion.js'

const maxMistakes = 20

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** The messages of plain types, for all fields that do not have one of their own. */
export function messageOf(issue: Zod.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected]}`
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} characters`
  if (issue.code !== 'unrecognized_keys') return undefined
  return Object.keys((issue.inst as Zod.ZodObject).shape).join()
}

/** Throws an Error with one line for each mistake. `placeOf` puts file and line before a path. */
export function throwMistakes(
  issues: readonly Zod.core.$ZodIssue[],
  placeOf: (path: readonly PropertyKey[]) => string,
  toDotPath: (path: readonly PropertyKey[]) => string,
): never {
  const mistakes = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return { path: issue.path, text: textOf(issue) }
    const known = issue.message.split(',')
    return issue.keys.map((key) => ({ path: [...issue.path, key], text: `is unknown. ${suggestion(key, known)}` }))
  })
  const lines = mistakes.map(({ path, text }) => {
    const place = [placeOf(path), toDotPath(path)].filter(Boolean).join(' ')
    return place === '' ? text : `${place}: ${text}`
  })
  const unique = [...new Set(lines)]
  const more = unique.length - maxMistakes
  throw new Error([...unique.slice(0, maxMistakes), ...(more > 0 ? [`… and ${more} more mistakes.`] : [])].join('\n'))
}

function textOf({ path, message, input, ...issue }: Zod.core.$ZodIssue): string {
  if (!message.startsWith('must be')) return `${message}.`
  if (input === undefined && path.length > 0) return 'is missing.'
  const expected = 'expected' in issue ? issue.expected : undefined
  const isUnquoted = expected === 'string' && /number|boolean/.test(typeof input)
  return `${message}, not ${shown(input)}.${isUnquoted ? ' Put it in quotes.' : ''}`
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? quote(value) : String(value)
}
