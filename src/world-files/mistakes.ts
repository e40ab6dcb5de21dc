/** Words the mistakes that zod finds in a world. */
import type { z as Zod } from 'zod'
import { quote } from '../shared/quote.js'
import { nearest } from '../shared/nearest.js'

const maxMistakes = 20

/** Throws an Error with one line for each mistake. `placeOf` puts file and line before a path. */
export function throwMistakes(
  issues: readonly Zod.core.$ZodIssue[],
  placeOf: (path: readonly PropertyKey[]) => string,
  toDotPath: (path: readonly PropertyKey[]) => string,
): never {
  const lines = new Set(
    issues.flatMap((issue) =>
      mistakesOf(issue).map(({ path, text }) => {
        const place = [placeOf(path), toDotPath(path)].filter((it) => it !== '').join(' ')
        return `${place}${place === '' ? '' : ': '}${text}`
      }),
    ),
  )
  const shown = [...lines].slice(0, maxMistakes)
  const more = lines.size - shown.length
  throw new Error([...shown, ...(more > 0 ? [`… and ${more} more mistakes.`] : [])].join('\n'))
}

interface Mistake {
  readonly path: readonly PropertyKey[]
  readonly text: string
}

function mistakesOf(issue: Zod.core.$ZodIssue): Mistake[] {
  const { path, message, input, code } = issue
  if (code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], text: `is unknown. ${adviceFor(key, message)}` }))
  }
  if (!message.startsWith('must be')) return [{ path, text: `${message}.` }]
  if (input === undefined && path.length > 0) return [{ path, text: `is missing, and ${message}.` }]
  const unquoted = code === 'invalid_type' && issue.expected === 'string' && /number|boolean/.test(typeof input)
  return [{ path, text: `${message}, not ${shown(input)}.${unquoted ? ' Put it in quotes.' : ''}` }]
}

/** The message of zod lists the known keys. */
function adviceFor(key: string, known: string): string {
  const near = nearest(key, known.split(', '))
  return near === undefined ? `Known keys: ${known}.` : `Did you mean ${near}?`
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? quote(value) : String(value)
}
