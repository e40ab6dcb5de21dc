/** Reads the headers that a user adds to every request. */
import { sanitize } from '../shared/text.js'

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
const reserved =
  /^(?:accept|accept-encoding|connection|content-(?:encoding|length|type)|expect|host|http2-settings|keep-alive|proxy-(?:authorization|connection)|te|trailer|transfer-encoding|upgrade)$/i

const secretName = /cookie|token|secret|key|auth|password/i

/** Reads `--header 'Name: value'`. Errors never repeat a value. */
export function readHeader(text: string): Header {
  const { name, rest: value } = split(text, '--header', 'Name: value')
  if (!secretName.test(name)) return { name, value }
  throw new Error(
    `--header: ${name} looks like a secret, and command lines are visible to others. Set an environment variable and use --header-env '${name}: VARIABLE'.`,
  )
}

/** Reads `--header-env 'Name: VARIABLE'`. */
export function readHeaderEnv(text: string): Omit<SecretHeader, 'value'> {
  const { name, rest: variable } = split(text, '--header-env', 'Name: VARIABLE')
  if (!/^[A-Za-z_]\w*$/.test(variable)) {
    // Not repeated, because it may be the secret itself.
    throw new Error(
      `--header-env: ${name} needs the name of an environment variable. Write --header-env '${name}: VARIABLE', and put the value into that variable.`,
    )
  }
  return { name, variable }
}

/** Reads the value of a header from its environment variable. */
export function secretOf(
  { name, variable }: Omit<SecretHeader, 'value'>,
  env: Readonly<Record<string, string | undefined>>,
): SecretHeader {
  // `constructor` is not a variable.
  const value = Object.hasOwn(env, variable) ? env[variable]?.trim() : undefined
  if (!value) throw new Error(`--header-env: ${variable} is unset or empty. Set it to the value of ${name}.`)
  return { name, value, variable }
}

/** What is wrong with a header, without its value. */
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
  if (reserved.test(name)) throw new Error(`${option}: the client sets ${name} itself. Leave it out.`)
  return { name, rest }
}
