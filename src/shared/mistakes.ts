/** Words mistakes in data that users write: one line for each, with its place and a suggestion. */
import type * as z from 'zod'
import { suggestion } from './suggestion.js'

export type Path = readonly PropertyKey[]

export interface Mistake {
  readonly path: Path
  /** A sentence. */
  readonly text: string
}

/** For `safeParse`: passes the known keys of an object on, so that `mistakesOf` can suggest one. */
export const knownKeys = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys' ? Object.keys((issue.inst as z.ZodObject).shape).join() : undefined

export const mistakesOf = ({ issues }: z.ZodError): readonly Mistake[] =>
  issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys') return { path, text: `${message}.` }
    const advice = (key: string) => suggestion(key, message.split(','))
    return issue.keys.map((key) => ({ path: [...path, key], text: `is unknown. ${advice(key)}` }))
  })

const maxMistakes = 20

export function mistakeLines(mistakes: readonly Mistake[], placeOf: (path: Path) => string): string {
  const lines = mistakes.map(({ path, text }) => [placeOf(path), text].filter(Boolean).join(': '))
  const more = lines.length > maxMistakes ? [`… and ${lines.length - maxMistakes} more mistakes.`] : []
  return [...lines.slice(0, maxMistakes), ...more].join('\n')
}
