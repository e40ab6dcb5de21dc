/** `serve`: the mock on a socket. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { createServiceProfile } from '../../../mocks/service.js'
import { createMock } from '../../mock/create-mock.js'
import { worldOf } from '../../mock/world-file.js'
import type { Ended, Surroundings } from '../commands.js'
import { usage, UsageError } from '../options.js'
import { readToken, usualVariable } from '../token-source.js'
import type { ServeOptions } from './options.js'
import { bannerOf, logLine } from './text.js'

/** Throws a UsageError for a wrong option, and an Error if the port is in use. */
export async function serve(
  options: ServeOptions,
  { env, onWarning, onLog }: Pick<Surroundings, 'env' | 'onWarning' | 'onLog'>,
): Promise<Required<Ended>> {
  const { profile: named, world: given, lan = false, host, port, log = 'text' } = options
  if (lan && host !== undefined) {
    throw new UsageError('--lan listens on all addresses, --host on one. Use one of them.')
  }
  const profile = named && usage(() => createServiceProfile(named.values), named.place)
  const world = given === undefined ? undefined : usage(() => worldOf(given), '--world')
  const names = Object.keys(countRules) as (keyof Counts)[]
  const counts = Object.fromEntries(
    names.map((name) => [name, options[name]]).filter(([, count]) => count !== undefined),
  )
  const token = readToken(options, env)?.token
  if (token === undefined && env[usualVariable]) {
    onWarning(`${usualVariable} is set but no token is required. To require it: --token-env ${usualVariable}`)
  }
  const mock = usage(() =>
    createMock({
      world: world?.file,
      seed: options.seed,
      now: options.now,
      freeze: options.freeze,
      lenientInputs: options.lenientInputs,
      counts,
      limits: Object.assign({}, ...(options.limits ?? [])),
      allow: { hosts: options.allowHost ?? [], origins: options.allowOrigin ?? [], lan },
      profile: options.allowGet ? { ...profile, http_get: 'queries' } : profile,
      token,
      onUnexpected: onWarning,
      log: options.quiet ? undefined : (entry) => onLog(logLine(entry, log)),
    }),
  )
  const { url } = await mock.listen({ port, host: lan ? '0.0.0.0' : host })
  const banner = bannerOf({ mock, url, options, worldName: world?.name })
  return { output: `${banner}\n`, exitCode: 0, close: () => mock.close() }
}
