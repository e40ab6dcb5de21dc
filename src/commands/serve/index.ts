/** `serve`: the mock on a socket. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { createServiceProfile } from '../../../mocks/service.js'
import { createMock, type Mock } from '../../mock/create-mock.js'
import { worldOf } from '../../mock/world-file.js'
import { usage, UsageError } from '../options.js'
import { readToken, usualVariable } from '../token-source.js'
import type { ServeOptions } from './options.js'
import { bannerOf, logLine } from './text.js'

export interface Serving {
  readonly mock: Mock
  readonly banner: string
  close(): Promise<void>
}

export interface ServeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Takes one line about an internal error or a likely mistake. */
  readonly onUnexpected: (line: string) => void
  /** Takes one line of the request log. */
  readonly onRequest: (line: string) => void
}

/** Throws a UsageError for a wrong option, and an Error if the port is in use. */
export async function serve(
  options: ServeOptions,
  { env, onUnexpected, onRequest }: ServeSurroundings,
): Promise<Serving> {
  const { profile: named, world: given, lan = false, host, port, log = 'text' } = options
  if (lan && host !== undefined) {
    throw new UsageError('--lan listens on all addresses, --host on one. Use one of them.')
  }
  const profile = named && usage(() => createServiceProfile(named.values), named.place)
  const world = given === undefined ? undefined : usage(() => worldOf(given), '--world')
  const token = readToken(options, env)?.token
  if (token === undefined && env[usualVariable]) {
    onUnexpected(`${usualVariable} is set but no token is required. To require it: --token-env ${usualVariable}`)
  }
  const mock = usage(() =>
    createMock({
      world: world?.file,
      seed: options.seed,
      now: options.now,
      freeze: options.freeze,
      lenientInputs: options.lenientInputs,
      counts: countsIn(options),
      limits: Object.assign({}, ...(options.limits ?? [])),
      allow: { hosts: options.allowHost ?? [], origins: options.allowOrigin ?? [], lan },
      profile: options.allowGet ? { ...profile, http_get: 'queries' } : profile,
      token,
      onUnexpected,
      log: options.quiet ? undefined : (entry) => onRequest(logLine(entry, log)),
    }),
  )
  const { url } = await mock.listen({ port, host: lan ? '0.0.0.0' : host })
  return { mock, banner: bannerOf({ mock, url, options, worldName: world?.name }), close: () => mock.close() }
}

function countsIn(options: ServeOptions): Partial<Counts> {
  const names = Object.keys(countRules) as (keyof Counts)[]
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}
