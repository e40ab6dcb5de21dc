/** Masks the secrets of others in the text of a response or request: what stands in members such as `access_token`. */
import { isObject } from '../shared/json.js'
import { secretNames } from '../shared/secret-names.js'

/** A string or number in a member with the name of a secret, in text that is not JSON as a whole. */
const secretMember = new RegExp(
  `("[^"\\\\]{0,60}(?:${secretNames.source})[^"\\\\]{0,60}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*)`,
  'gi',
)

/** The text without the values of members with the name of a secret. Text without such a name stays as it was sent. */
export function maskSecrets(text: string): string {
  if (!secretNames.test(text)) return text
  try {
    return JSON.stringify(masked(JSON.parse(text), false))
  } catch {
    return text.replace(secretMember, '$1"[secret]"')
  }
}

/** Masks strings and numbers, also in lists and objects. */
function masked(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((it) => masked(it, isSecret))
  if (!isObject(value)) return isSecret && /^(?:string|number)$/.test(typeof value) ? '[secret]' : value
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, masked(it, isSecret || secretNames.test(name))]),
  )
}
