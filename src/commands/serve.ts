/** `serve`: the mock on a socket, told by command-line options. */
import { countRules, type Counts } from '../../mocks/service.js'
import { marksOf } from '../schema/marks.js'
import { parseSchema } from '../schema/load.js'
import { profileEntries, type ProfileName } from '../schema/profile.js'
import { createMock, defaultNow, defaultSeed, type Mock, type MockOptions } from './mock.js'
import { fileJson, fileText, UsageError, wholeNumber, type OptionRule } from './options.js'
import { ownPackage } from './package.js'

export const serveAbout =
  'Serves the whole documented GraphQL service on this machine, over a world that lives in memory: ' +
  'what one operation changes, every other shows. The same seed gives the same data every time.'

const countOptions = Object.entries(countRules).map(([name, rule]): OptionRule => ({
  flags: `--${name} <number>`,
  about: name === 'pixels' ? 'pixels in each of the three lists of the account' : `${name} that the world begins with`,
  default: rule.default,
  read: wholeNumber(`--${name}`, 0, rule.most),
}))

export const serveOptions: readonly OptionRule[] = [
  {
    flags: '--port <number>',
    about: 'port to listen at; 0 for any free one',
    default: 4000,
    read: wholeNumber('--port', 0, 65_535),
  },
  { flags: '--host <name>', about: 'address to listen at; anything but loopback lets others in', default: '127.0.0.1' },
  {
    flags: '--seed <number>',
    about: 'decides every generated value',
    default: defaultSeed,
    read: wholeNumber('--seed', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  {
    flags: '--now <instant>',
    about: 'where the clock begins: ISO 8601, in UTC where no offset is given, or "real" for the wall clock',
    default: defaultNow,
  },
  { flags: '--freeze', about: 'stops the clock, so that the same requests get the same bytes' },
  ...countOptions,
  { flags: '--profile <file>', about: 'JSON file with answers to what the specification leaves open' },
  { flags: '--lenient-inputs', about: 'makes input fields optional where it is only assumed that they are required' },
  { flags: '--token-env <name>', about: 'demands the token in this environment variable from every request' },
  { flags: '--token-file <file>', about: 'demands the token in this file from every request' },
]

/** What was typed, read by the rules above; the names are those of the options in camel case. */
export interface ServeOptions extends Partial<Counts> {
  readonly port?: number
  readonly host?: string
  readonly seed?: number
  readonly now?: string
  readonly freeze?: boolean
  readonly profile?: string
  readonly lenientInputs?: boolean
  readonly tokenEnv?: string
  readonly tokenFile?: string
}

export interface Serving {
  readonly mock: Mock
  /** What to tell the user: addresses, seed, clock, counts and what is assumed. */
  readonly banner: string
  close(): Promise<void>
}

export interface ServeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onUnexpected: (line: string) => void
}

/** Throws a UsageError for a wrong option, and an Error in one line where the port cannot be had. */
export async function serve(options: ServeOptions, { env, onUnexpected }: ServeSurroundings): Promise<Serving> {
  const counts = Object.fromEntries(
    Object.keys(countRules).flatMap((name) => {
      const count = options[name as keyof Counts]
      return count === undefined ? [] : [[name, count]]
    }),
  ) as Partial<Counts>
  const profile = options.profile === undefined ? undefined : fileJson('--profile', options.profile)
  const token = readToken(options, env)
  const mock = usage(() =>
    createMock({ ...options, counts, token, onUnexpected, profile: profile as MockOptions['profile'] }),
  )
  const { url } = await mock.listen({ port: options.port, host: options.host })
  return { mock, banner: bannerOf(mock, url, options), close: () => mock.close() }
}

/** What createMock says of an option is what the user did wrong. */
function usage<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof Error && error.name === 'Error' ? new UsageError(error.message) : error
  }
}

function readToken({ tokenEnv, tokenFile }: ServeOptions, env: ServeSurroundings['env']): string | undefined {
  if (tokenEnv !== undefined && tokenFile !== undefined) {
    throw new UsageError('The token comes from --token-env or from --token-file. Give one of them.')
  }
  if (tokenEnv !== undefined) {
    const token = env[tokenEnv]
    if (!token) throw new UsageError(`--token-env: the environment variable ${tokenEnv} is not set or empty.`)
    return token
  }
  if (tokenFile === undefined) return undefined
  const token = fileText('--token-file', tokenFile).trim()
  if (token === '') throw new UsageError(`--token-file: the file ${tokenFile} is empty.`)
  return token
}

function bannerOf(mock: Mock, url: string, options: ServeOptions): string {
  const { version, schema } = ownPackage()
  const { world, profile } = mock
  const origin = new URL(url).origin
  const counts = Object.entries(countRules).map(([name, rule]) => {
    const count = options[name as keyof Counts] ?? rule.default
    const noun = count === 1 ? name.slice(0, -1) : name
    return name === 'pixels' ? `${count} ${noun} a list` : `${count} ${noun}`
  })
  const assumed = [...marksOf(parseSchema(schema)).values()].filter((mark) => mark.basis === 'assumed').length
  const changed = (Object.keys(profileEntries) as ProfileName[]).filter(
    (name) => profile[name] !== profileEntries[name].default,
  )
  const clock = options.freeze
    ? 'standing still'
    : options.now === 'real'
      ? 'following the wall clock'
      : 'running from there'
  return [
    `commerce-mock ${version}`,
    '',
    `  API        ${url}`,
    `  GraphiQL   the same address in a browser`,
    `  products   GET ${origin}/_mock/products (uids for addProductsToStore)`,
    `  start over POST ${origin}/_mock/reset`,
    '',
    `  seed       ${world.population.randomSeed}`,
    `  now        ${new Date(world.population.start).toISOString()}, ${clock}`,
    `  world      ${counts.join(', ')}`,
    `  assumed    ${assumed} elements of the schema, each said in its description, and the behaviour in README`,
    `  profile    ${changed.length === 0 ? 'defaults' : changed.map((name) => `${name}=${JSON.stringify(profile[name])}`).join(', ')}`,
    ...(options.tokenEnv !== undefined || options.tokenFile !== undefined ? ['  token      demanded'] : []),
    '',
    '  Ctrl-C ends it.',
  ].join('\n')
}
