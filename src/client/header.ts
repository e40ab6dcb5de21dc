/** Reads the headers that a user adds to every request. */
import { sanitize } from '../shared/sanitize.js'

export interface Header {
  readonly name: string
  readonly value: string
}

/** A header with a secret value, and the environment variable that holds it. */
export interface SecretHeader extends Header {
  readonly variable: string
}

const validName = /^[\w!#$%&'*+.^`|~-]+$/
const validValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that the client sets, or that are about the connection. */
const reserved: readonly string[] = [
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

const secretName = /cookie|token|secret|key|auth|password/i

/** Reads `--header 'Name: value'`. Errors never repeat a value. */
export function readHeader(text: string): Header {
  const { name, rest: value } = split(text, '--header', 'Name: value')
  if (secretName.test(name)) {
    throw new Error(
      `--header: ${name} looks like a secret, and command lines are visible to others. Set an environment variable and use --header-env '${name}: VARIABLE'.`,
    )
  }
  refuseReserved(name, '--header')
  if (!validValue.test(value))
    throw new Error(`--header: the value of ${name} contains an invalid character. Remove it.`)
  return { name, value }
}

/** Reads `--header-env 'Name: VARIABLE'`. */
export function readHeaderEnv(text: string, env: Readonly<Record<string, string | undefined>>): SecretHeader {
  const { name, rest: variable } = split(text, '--header-env', 'Name: VARIABLE')
  refuseReserved(name, '--header-env')
  if (!/^[A-Za-z_]\w*$/.test(variable)) {
    // Not repeated, because it may be the secret itself.
    throw new Error(
      `--header-env: ${name} needs the name of an environment variable. Write --header-env '${name}: VARIABLE', and put the value into that variable.`,
    )
  }
  // `constructor` is not a variable.
  const value = Object.hasOwn(env, variable) ? env[variable]?.trim() : undefined
  if (!value) throw new Error(`--header-env: ${variable} is unset or empty. Set it to the value of ${name}.`)
  if (!validValue.test(value)) {
    throw new Error(`--header-env: ${variable} contains an invalid character, such as a line break. Remove it.`)
  }
  return { name, value, variable }
}

/** What is wrong with a header that the functions above did not read. Does not repeat the value. */
export function headerProblem({ name, value }: Header): string | undefined {
  if (!validName.test(name)) return `${JSON.stringify(sanitize(name, 40))} is not a valid header name.`
  return validValue.test(value) ? undefined : `The value of the header ${name} contains an invalid character.`
}

function split(text: string, option: string, form: string): { readonly name: string; readonly rest: string } {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon)).trim()
  const rest = text.slice(colon + 1).trim()
  // Not repeated, because it may be a secret.
  if (!validName.test(name)) throw new Error(`${option} takes '${form}'. A name has only letters, digits and hyphens.`)
  if (rest === '') throw new Error(`${option}: ${name} has no value. Write ${option} '${form}'.`)
  return { name, rest }
}

function refuseReserved(name: string, option: string): void {
  if (reserved.includes(name.toLowerCase())) throw new Error(`${option}: the client sets ${name} itself. Leave it out.`)
}
