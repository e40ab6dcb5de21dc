/** Where a token comes from: a variable of the environment or a file, never the command line, which others can read. */
import { isToken, UsageError } from './options.js'

export interface TokenOptions {
  readonly tokenEnv?: string
  /** The token itself, from the file. */
  readonly tokenFile?: string
}

export interface TokenSource {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the places where the options stand call them; as they are typed unless given. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** The variable that is looked at though nobody names it. */
  readonly usual?: string
}

/** The variable that a token is looked for in by those who send one. */
export const usualVariable = 'COMMERCE_MOCK_TOKEN'

/** The token and the variable that holds it. Throws a UsageError that never shows the token. */
export function readToken(
  { tokenEnv, tokenFile }: TokenOptions,
  { env, names = {}, usual }: TokenSource,
): { readonly token: string; readonly variable: string } | undefined {
  const { tokenEnv: envName = '--token-env', tokenFile: fileName = '--token-file' } = names
  if (tokenEnv !== undefined && tokenFile !== undefined) {
    throw new UsageError(`The token comes from ${envName} or from ${fileName}. Give one of them.`)
  }
  // From a file it has no variable; whoever sends it again puts it into the usual one.
  if (tokenFile !== undefined) return { token: tokenFile, variable: usualVariable }
  const variable = tokenEnv ?? usual
  const token = variable === undefined ? undefined : env[variable]
  if (variable === undefined || (!token && tokenEnv === undefined)) return undefined
  if (!token) throw new UsageError(`${envName}: the environment variable ${variable} is unset or empty.`)
  if (isToken(token)) return { token, variable }
  throw new UsageError(
    `${tokenEnv === undefined ? 'The token' : envName}: the environment variable ${variable} must hold visible ASCII characters without spaces.`,
  )
}
