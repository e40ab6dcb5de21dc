/** Words mistakes in data that users write: one line for each, with its place, and a suggestion for a misspelled name. */
import type * as z from 'zod'
import { countOf } from './text.js'

export type Path = readonly PropertyKey[]

export interface Mistake {
  readonly path: Path
  /** A sentence. */
  readonly text: string
}

type Issue = z.core.$ZodIssue

const keysOfAll = new WeakMap<object, readonly string[]>()

/** The objects of a union. For an unknown key, a key of any of them is suggested. */
export function alternatives<Objects extends readonly z.ZodObject[]>(...objects: Objects): Objects {
  const keys = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))]
  for (const it of objects) keysOfAll.set(it, keys)
  return objects
}

/** For `safeParse`: words an issue, and passes the known keys of an object on, so that `mistakesOf` can suggest one. */
function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue
  if (code === 'unrecognized_keys') {
    const own = Object.keys((issue.inst as z.ZodObject).shape)
    return [own, keysOfAll.get(issue.inst as object) ?? own].join(';')
  }
  // The alternatives say more. A message of the definition comes before this one.
  if (code === 'invalid_union') return ''
  // JSON has no undefined.
  if ((code === 'invalid_type' || code === 'invalid_value') && input === undefined) return 'is missing'
  if (code === 'invalid_type') return `must be ${nounOf(issue.expected)}, not ${received(input, issue.expected)}`
  if (code === 'invalid_value') return `must be ${orList(issue.values.map(String), input)}`
  if (code === 'too_small')
    return limitText(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
  return code === 'too_big' ? limitText(issue.origin, 'at most', issue.maximum) : undefined
}

const things: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'a list',
  record: 'an object',
  null: 'null',
  nan: 'NaN',
}
const nounOf = (type: string) => things[type] ?? `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`

function received(input: unknown, expected: string): string {
  if (typeof input === 'number' && (expected === 'int' || !Number.isFinite(input))) return String(input)
  return nounOf(input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input)
}

function orList(words: readonly string[], input: unknown): string {
  const near = typeof input === 'string' ? nearest(input, words) : undefined
  return `${words.join(' or ')}${near === undefined ? '' : `. Did you mean ${near}?`}`
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'element' }

function limitText(origin: string, relation: string, limit: number | bigint): string {
  const unit = units[origin]
  return unit === undefined ? `must be ${relation} ${limit}` : `must have ${relation} ${countOf(Number(limit), unit)}`
}

const mistakesOf = ({ issues }: Pick<z.ZodError, 'issues'>): readonly Mistake[] =>
  issues.flatMap(meant).flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys') return { path, text: message.endsWith('?') ? message : `${message}.` }
    const [own = [], all = []] = message.split(';').map((it) => it.split(','))
    const advice = (key: string) => suggestion(key, all.includes(key) ? own : all)
    return issue.keys.map((key) => ({ path: [...path, key], text: `is unknown. ${advice(key)}` }))
  })

/** The data as a schema reads it. Throws an Error, of a class if given, with one line for each mistake. */
export function validated<Data>(
  schema: z.ZodType<Data>,
  given: unknown,
  placeOf: (path: Path) => string,
  ErrorClass: new (message: string) => Error = Error,
): Data {
  const { data, error } = schema.safeParse(given, { error: issueText })
  if (error) throw new ErrorClass(mistakeLines(mistakesOf(error), placeOf))
  return data
}

/** Whether an error was written for users: those are in one line, and of the class Error itself. */
export const isForUser = (error: unknown): error is Error => error instanceof Error && error.name === 'Error'

/** Puts a place before the message of an error for users. */
export function withPlace<Result>(place: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw isForUser(error) ? new Error(`${place}: ${error.message}`, { cause: error }) : error
  }
}

const maxMistakes = 20

export function mistakeLines(mistakes: readonly Mistake[], placeOf: (path: Path) => string): string {
  const lines = mistakes.map(({ path, text }) => [placeOf(path), text].filter(Boolean).join(': '))
  const more = lines.length > maxMistakes ? [`… and ${lines.length - maxMistakes} more mistakes.`] : []
  return [...lines.slice(0, maxMistakes), ...more].join('\n')
}

/** Of alternatives, the issues of the one that was meant: the value has its type, and it has the fewest mistakes. */
function meant(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.message !== '') return [issue]
  const ofType = issue.errors.filter((branch) => !branch.some((it) => isOwn(it) && it.code === 'invalid_type'))
  const branches = ofType.sort((a, b) => mistakesIn(a) - mistakesIn(b))
  const missing = branches.map((it) => (it.length === 1 && it[0]?.code === 'invalid_type' ? it[0].path.join('.') : ''))
  if (missing.length > 1 && !missing.includes('')) return [{ ...issue, message: `needs ${missing.join(' or ')}` }]
  const branch = branches.find(([first]) => !(first && isOwn(first) && first.code === 'invalid_union')) ?? branches[0]
  if (branch) return branch.flatMap(meant).map((it) => ({ ...it, path: [...issue.path, ...it.path] }))
  const types = issue.errors.flatMap((it) => it.flatMap((own) => (own.code === 'invalid_type' ? own.expected : [])))
  return [
    {
      ...issue,
      message: types.includes('null') ? 'must be a JSON value' : `must be ${types.map(nounOf).join(' or ')}`,
    },
  ]
}

const mistakesIn = (issues: readonly Issue[]) =>
  issues.reduce((sum, it) => sum + (it.code === 'unrecognized_keys' ? it.keys.length : 1), 0)

/** Whether an issue is about the value itself, not about one in it. */
const isOwn = ({ path }: Issue) => path.length === 0

/** Throws an Error in one line if an object has a key that is not known: JavaScript users get no other hint. */
export function checkNames(what: string, given: object, known: object): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new Error(`There is no ${what} "${unknown}". ${suggestion(unknown, Object.keys(known))}`)
}

/** Suggests what an unknown word could have been: the nearest of the words, else all of them. */
export function suggestion(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? `Choose one of: ${words.join(', ')}.` : `Did you mean ${near}?`
}

/** The word that is closest to a misspelt one, if any is close. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((it) => ({ it, edits: editDistance(word.slice(0, 40).toLowerCase(), it.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(1, Math.floor(best.it.length / 3)) ? best.it : undefined
}

/** The number of insertions, deletions, changes and swaps of neighbors between two words. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = (rows[i] = [i])
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      )
    }
  }
  return at(a.length, b.length)
}
