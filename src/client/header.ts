/** Headers that a user adds: `Name: value` as typed, or the name of an environment variable that holds a secret value. */
import { sanitize } from '../shared/sanitize.js'

export interface Header {
  readonly name: string
  readonly value: string
}

/** A header whose value is a secret, and the variable that it came from. */
export interface SecretHeader extends Header {
  readonly variable: string
}

const tokenForm = /^[\w!#$%&'*+.^`|~-]+$/
/** What a header may carry: visible characters, blanks and Latin letters. */
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/

/** Set by the request itself, or about the connection and not about the request. */
const ours: readonly string[] = [
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const secretNames: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']
const secretWord = /token|secret|key|auth|password/i

/** Reads `--header 'Name: value'`. The value of a secret is never repeated in an error. */
export function readHeader(text: string): Header {
  const { name, rest } = parted(text, '--header', 'Name: value')
  if (secretNames.includes(name.toLowerCase()) || secretWord.test(name)) {
    throw new Error(
      `--header: ${name} looks like a secret, and others can read a command line. Put it into an environment variable and name that: --header-env '${name}: VARIABLE'.`,
    )
  }
  refuseOurs(name, '--header')
  if (!valueForm.test(rest)) {
    throw new Error(`--header: the value of ${name} holds a character that no header can carry. Take it out.`)
  }
  return { name, value: rest }
}

/** Reads `--header-env 'Name: VARIABLE'`. */
export function readHeaderEnv(text: string, env: Readonly<Record<string, string | undefined>>): SecretHeader {
  const { name, rest: variable } = parted(text, '--header-env', 'Name: VARIABLE')
  refuseOurs(name, '--header-env')
  if (!/^[A-Za-z_]\w*$/.test(variable)) {
    // What stands there may be the secret itself.
    throw new Error(
      `--header-env: what follows ${name} is no name of an environment variable. Write --header-env '${name}: VARIABLE', and the value into that variable.`,
    )
  }
  // `constructor` is a name too, and no variable.
  const set = Object.hasOwn(env, variable) ? env[variable] : undefined
  const value = set?.trim()
  if (!value) {
    throw new Error(
      `--header-env: the environment variable ${variable} for ${name} is ${set === undefined ? 'not set' : 'empty'}. Set it to the value of the header.`,
    )
  }
  if (!valueForm.test(value)) {
    throw new Error(
      `--header-env: the environment variable ${variable} holds a character that no header can carry, such as a line break. Take it out.`,
    )
  }
  return { name, value, variable }
}

/** What is wrong with a header that did not come through the functions above, without its value. */
export function headerProblem({ name, value }: Header): string | undefined {
  if (!tokenForm.test(name)) return `${JSON.stringify(sanitize(name, 40))} is no name of a header.`
  if (!valueForm.test(value)) return `The value of ${name} holds a character that no header can carry.`
  return undefined
}

function parted(text: string, option: string, form: string): { readonly name: string; readonly rest: string } {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon)).trim()
  if (!tokenForm.test(name)) {
    // Not repeated: what was typed in a wrong form may be a secret.
    throw new Error(`${option} takes '${form}', and the name of a header is letters, digits and hyphens.`)
  }
  const rest = text.slice(colon + 1).trim()
  if (rest === '') throw new Error(`${option}: nothing follows ${name}. Write ${option} '${form}'.`)
  return { name, rest }
}

function refuseOurs(name: string, option: string): void {
  if (!ours.includes(name.toLowerCase())) return
  throw new Error(`${option}: ${name} is set by the request itself. Leave it out.`)
}
