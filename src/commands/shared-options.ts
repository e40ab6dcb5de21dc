/** Options that several commands have. */
import { commaList, fileJson, fileText, timeSpan, type OptionRule } from './options.js'
import { tokenIn } from './token-source.js'

/** For the `replaced` flags of every command that takes a token. */
export const replacedTokenFlag = {
  '--token': '--token-env NAME or --token-file FILE, because other users can read a command line',
}

/** How requests reach a server. The settings are AimOptions. */
export const targetOptions: readonly OptionRule[] = [
  { flags: '--timeout <time>', about: 'how long to wait for one response', default: '10s', read: timeSpan },
  { flags: '--header <header>', about: "send this header, 'Name: value'; not for secrets", repeat: true },
  {
    flags: '--header-env <header>',
    about: "send a header whose value is in an environment variable, 'Name: VARIABLE'",
    repeat: true,
  },
  {
    flags: '--token-env <name>',
    about: 'send the bearer token in this environment variable',
    default: 'COMMERCE_MOCK_TOKEN',
  },
  { flags: '--token-file <file>', about: 'send the bearer token in this file', read: tokenIn },
]

/** A profile as it was read, not checked yet, and where it comes from. */
export interface NamedProfile {
  readonly place: string
  readonly values: unknown
}

/** `about` says what the command uses the profile for. */
export const profileOption = (about: string): OptionRule => ({
  flags: '--profile <file>',
  about,
  read: (path, name): NamedProfile => ({ place: `${name}, ${path}`, values: fileJson(name, path) }),
  readObject: (values, name): NamedProfile => ({ place: name, values }),
})

export const confirmHost: OptionRule = {
  flags: '--confirm-host <host>',
  about: 'repeat the host to write to, NAME or NAME:PORT; required unless it is this machine',
  typed: true,
}

export const consistencyTimeout: OptionRule = {
  flags: '--consistency-timeout <time>',
  about: 'how long to wait for a write to become visible',
  default: '2s',
  read: timeSpan,
}

export const inputsFile: OptionRule = {
  flags: '--inputs <file>',
  about: "SDL file with the server's input types, if the server hides them",
  read: (path, name): string => fileText(name, path),
}

const isUid = (word: string) => (word.length <= 200 ? undefined : 'a product uid has at most 200 characters.')

export const productUids: OptionRule = {
  flags: '--product-uids <uids>',
  about: 'comma-separated uids of products that may be added to a store of the run',
  list: true,
  read: commaList(isUid),
}
