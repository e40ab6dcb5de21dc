/** Reads tokens from environment variables or files. Never from the command line, which other users can read. */
import { fileText, UsageError } from './options.js'

export interface TokenOptions {
  readonly tokenEnv?: string
  /** The token in the file. */
  readonly tokenFile?: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Where commands that send a token look for it unless told otherwise. */
export const usualVariable = 'COMMERCE_MOCK_TOKEN'

const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** Reads `--token-file`. */
export function tokenIn(path: string, name: string): string {
  const token = fileText(name, path).trim()
  if (token === '') throw new UsageError(`${name}: the file ${path} is empty.`)
  if (isToken(token)) return token
  throw new UsageError(`${name}: the file ${path} must hold one line of visible ASCII characters without spaces.`)
}

/**
 * The token and the variable that holds it, for `curl` lines in reports. `fallback` is a variable to try if no option is
 * given. Throws a UsageError that never shows the token.
 */
export function readToken(
  { tokenEnv, tokenFile }: TokenOptions,
  env: Env,
  fallback?: string,
): { readonly token: string; readonly variable: string } | undefined {
  if (tokenEnv !== undefined && tokenFile !== undefined) {
    throw new UsageError('--token-env and --token-file both give a token. Use one of them.')
  }
  if (tokenFile !== undefined) return { token: tokenFile, variable: usualVariable }
  const variable = tokenEnv ?? fallback
  const token = variable === undefined ? undefined : env[variable]
  if (variable === undefined || (!token && tokenEnv === undefined)) return undefined
  const place = `${tokenEnv === undefined ? '' : '--token-env: '}the environment variable ${variable}`
  if (!token) throw new UsageError(`${place} is unset or empty.`)
  if (isToken(token)) return { token, variable }
  throw new UsageError(`${place} must hold visible ASCII characters without spaces.`)
}
