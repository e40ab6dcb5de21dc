/** Masks secrets. A field, a variable or a member holds one if its name says so. */
import { isObject } from './json.js'

const secretNames = /token|passw(?:or)?d|secret|credential|authorization|api[_-]?key/i

export const isSecret = (name: string): boolean => secretNames.test(name)

/** A string or number in a member with the name of a secret, in text that is not JSON as a whole. */
const secretMember = new RegExp(
  `("[^"\\\\]{0,60}(?:${secretNames.source})[^"\\\\]{0,60}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*)`,
  'gi',
)

/**
 * The text of a response or request without the values of members with the name of a secret. Text without such a name stays
 * as it was sent.
 */
export function maskSecrets(text: string): string {
  if (!secretNames.test(text)) return text
  try {
    return JSON.stringify(masked(JSON.parse(text), false))
  } catch {
    return text.replace(secretMember, '$1"[secret]"')
  }
}

/** Masks each string and number inside a secret, unlike `withoutSecrets`: the shape of a response is evidence. */
function masked(value: unknown, isInSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((it) => masked(it, isInSecret))
  if (!isObject(value)) return isInSecret && /^(?:string|number)$/.test(typeof value) ? '[secret]' : value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, masked(it, isInSecret || isSecret(name))]))
}

type Variables = Readonly<Record<string, unknown>>

/** A copy of variables, without what a member with the name of a secret or one of these variables holds. */
export const maskVariables = (variables: Variables, secretVariables: readonly string[]): Variables =>
  withoutSecrets(variables, 0, secretVariables) as Variables

/** Variables can be nested further only if the request was rejected for that. */
const maxDepth = 60

/** Masks a secret as a whole, unlike `masked`: the shape of a variable is evidence of nothing. */
function withoutSecrets(value: unknown, depth: number, others: readonly string[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((it) => withoutSecrets(it, depth + 1))
  const members = Object.entries(value).map(([name, it]: [string, unknown]) => {
    const isMasked = it !== null && (isSecret(name) || others.includes(name))
    return [name, isMasked ? '[secret]' : withoutSecrets(it, depth + 1)]
  })
  return Object.fromEntries(members)
}
