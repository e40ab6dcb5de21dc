/** Masks secrets in variables. A secret is known by the name of its field, such as `token`, or of its variable. */
import { isObject } from '../../shared/json.js'
import { secretNames } from '../../shared/secret-names.js'

export const isSecret = (name: string): boolean => secretNames.test(name)

/** Variables can be nested further only if the request was rejected for that. */
const maxDepth = 60

/** A copy of variables, without what a member with the name of a secret or one of these variables holds. */
export const maskSecrets = (
  variables: Readonly<Record<string, unknown>>,
  secretVariables: readonly string[],
): Readonly<Record<string, unknown>> => maskMembers(variables, 0, (name) => secretVariables.includes(name))

function maskMembers(
  members: Readonly<Record<string, unknown>>,
  depth: number,
  isAlsoSecret: (name: string) => boolean = () => false,
) {
  const entries = Object.entries(members).map(([name, value]) => {
    const isMasked = (isSecret(name) || isAlsoSecret(name)) && value !== null
    return [name, isMasked ? '[secret]' : mask(value, depth + 1)]
  })
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>
}

function mask(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((it) => mask(it, depth + 1))
  return isObject(value) ? maskMembers(value, depth) : value
}
