/** What is wrong with data, as zod finds it: one line for each mistake. */
import type * as z from 'zod'
import { suggestion } from '../shared/suggestion.js'

export type Path = readonly PropertyKey[]

type Issue = z.core.$ZodIssue

/** What zod is to say of an issue. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  // Passes the known keys on, to suggest one.
  if (issue.code === 'unrecognized_keys') return Object.keys((issue.inst as z.ZodObject).shape).join()
  // An alternative says more. A message of the definition comes before this one.
  return issue.code === 'invalid_union' ? '' : undefined
}

const maxMistakes = 20

export function mistakesIn(issues: readonly Issue[], placeOf: (path: Path) => string): string {
  const mistakes = issues.flatMap(resolved).flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys') return { path, text: `${message}.` }
    const advice = (key: string) => suggestion(key, message.split(','))
    return issue.keys.map((key) => ({ path: [...path, key], text: `is unknown. ${advice(key)}` }))
  })
  return linesOf(mistakes.map(({ path, text }) => [placeOf(path), text].filter(Boolean).join(': ')))
}

/** Not too many lines. */
export function linesOf(mistakes: readonly string[]): string {
  const more = mistakes.length > maxMistakes ? [`… and ${mistakes.length - maxMistakes} more mistakes.`] : []
  return [...mistakes.slice(0, maxMistakes), ...more].join('\n')
}

/** The issues of the alternative that a value was meant for: the one whose type it has, and whose issues are fewest. */
function resolved(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.message !== '') return [issue]
  const isOtherType = (branch: readonly Issue[]) =>
    branch.some(({ path, code }) => path.length === 0 && code === 'invalid_type')
  const meant = issue.errors.filter((branch) => !isOtherType(branch)).sort((a, b) => a.length - b.length)
  const issues = (meant.find((branch) => !isUnion(branch)) ?? meant[0])?.flatMap(resolved)
  if (issues) return issues.map((it) => ({ ...it, path: [...issue.path, ...it.path] }))
  const types = issue.errors.flatMap((branch) =>
    branch.flatMap((it) => (it.code === 'invalid_type' ? it.expected : [])),
  )
  return [{ ...issue, message: types.includes('null') ? 'must be a JSON value' : `must be ${nouns(types)}` }]
}

const isUnion = ([issue]: readonly Issue[]) => issue?.code === 'invalid_union' && issue.path.length === 0

const nouns = (types: readonly string[]) =>
  types.map((it) => (it === 'array' ? 'a list' : /^[aeio]/.test(it) ? `an ${it}` : `a ${it}`)).join(' or ')
