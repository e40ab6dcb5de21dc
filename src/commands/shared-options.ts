/** Options that several commands have. Tokens are never on the command line, which other users can read. */
import { readHeader, readHeaderEnv } from '../client/header.js'
import { defaultSeed } from '../mock/defaults.js'
import { fileJson, fileText, timeSpan, UsageError, wholeNumber, type OptionRule, type SettingsOf } from './options.js'

/** For the `replaced` flags of every command that takes a token. */
export const replacedTokenFlag = {
  '--token': '--token-env NAME or --token-file FILE, because other users can read a command line',
}

/** A user who forgot the address must not get a pass that belongs to the mock. */
const needs = ['--base-url']

/** How requests reach a server. */
export const targetOptions = [
  { flags: '--timeout <time>', about: 'how long to wait for one response', default: '10s', read: timeSpan },
  {
    flags: '--header <header>',
    about: "send this header, 'Name: value'; not for secrets",
    repeat: true,
    read: readHeader,
    needs,
  },
  {
    flags: '--header-env <header>',
    about: "send a header whose value is in an environment variable, 'Name: VARIABLE'",
    repeat: true,
    read: readHeaderEnv,
    needs,
  },
  {
    flags: '--token-env <name>',
    about: 'send the bearer token in this environment variable',
    default: 'COMMERCE_MOCK_TOKEN',
    needs,
  },
  { flags: '--token-file <file>', about: 'send the bearer token in this file', read: tokenIn, needs },
] as const satisfies readonly OptionRule[]

/** A profile as it was read, not checked yet, and where it comes from. */
export interface NamedProfile {
  readonly place: string
  readonly values: unknown
}

/** `about` says what the command uses the profile for. */
export const profileOption = (about: string) =>
  ({
    flags: '--profile <file>',
    about,
    read: (path: string, name: string): NamedProfile => ({ place: `${name}, ${path}`, values: fileJson(name, path) }),
    readObject: (values: object, name: string): NamedProfile => ({ place: name, values }),
  }) as const

/** Checks a profile with `check`, whose errors then name its place. */
export function profileOf<Profile>(named: NamedProfile | undefined, check: (values: unknown) => Profile) {
  try {
    return named && check(named.values)
  } catch (error) {
    throw new UsageError(`${named?.place}: ${(error as Error).message}`)
  }
}

export const randomSeed = {
  flags: '--seed <number>',
  about: 'seed of the generated data',
  default: defaultSeed,
  read: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
} as const satisfies OptionRule

export const confirmHost = {
  flags: '--confirm-host <host>',
  about: 'repeat the host to write to, NAME or NAME:PORT; required unless it is this machine',
  typed: true,
  needs,
} as const satisfies OptionRule

export const consistencyTimeout = {
  flags: '--consistency-timeout <time>',
  about: 'how long to wait for a write to become visible',
  default: '2s',
  read: timeSpan,
} as const satisfies OptionRule

export const inputsFile = {
  flags: '--inputs <file>',
  about: "SDL file with the server's input types, if the server hides them",
  read: (path: string, name: string) => fileText(name, path),
} as const satisfies OptionRule

/** The variable from which commands read the token by default. */
export const defaultTokenVariable = 'COMMERCE_MOCK_TOKEN'

function asToken(text: string | undefined, place: string): string {
  if (!text) throw new UsageError(`${place} holds no token.`)
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new UsageError(`${place} must hold visible ASCII characters without spaces.`)
}

export interface TokenFile {
  readonly token: string
  /** The token that the file holds now, if it holds one. */
  readonly readAgain: () => string | undefined
}

/** Reads `--token-file`. */
export function tokenIn(path: string, name: string): TokenFile {
  const read = () => asToken(fileText(name, path).trim(), `${name}: the file ${path}`)
  const readAgain = () => {
    try {
      return read()
    } catch {
      return undefined
    }
  }
  return { token: read(), readAgain }
}

/**
 * The token and the variable that holds it, for `curl` lines in reports. `fallback` is a variable to try if no option is
 * given. Throws a UsageError that never shows the token.
 */
export function readToken(
  { tokenEnv, tokenFile }: Pick<SettingsOf<typeof targetOptions>, 'tokenEnv' | 'tokenFile'>,
  env: Readonly<Record<string, string | undefined>>,
  fallback?: string,
): { readonly token: string; readonly variable: string; readonly readAgain?: TokenFile['readAgain'] } | undefined {
  if (tokenEnv !== undefined && tokenFile !== undefined) {
    throw new UsageError('--token-env and --token-file both give a token. Use one of them.')
  }
  if (tokenFile !== undefined) return { ...tokenFile, variable: defaultTokenVariable }
  if (tokenEnv !== undefined) {
    return { token: asToken(env[tokenEnv], `--token-env: the environment variable ${tokenEnv}`), variable: tokenEnv }
  }
  if (fallback === undefined || !env[fallback]) return undefined
  return { token: asToken(env[fallback], `the environment variable ${fallback}`), variable: fallback }
}
