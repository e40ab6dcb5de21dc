/** `serve`: the mock on a socket. */
import { countRules, type Counts } from '../../../mocks/counts.js'
import { createServiceProfile } from '../../../mocks/service.js'
import { createMock } from '../../mock/create-mock.js'
import type { Ended, Surroundings } from '../commands.js'
import { UsageError } from '../options.js'
import { profileOf, readToken, defaultTokenVariable } from '../shared-options.js'
import { watchFaults } from './faults.js'
import type { ServeOptions } from './options.js'
import { bannerOf, logLine } from './text.js'

/** Throws an Error for a wrong option, and a ListenError if the port is in use. */
export async function serve(
  options: ServeOptions,
  { env, onWarning, onLog }: Pick<Surroundings, 'env' | 'onWarning' | 'onLog'>,
): Promise<Required<Ended>> {
  const { world, seed, now, freeze, lenientInputs, lan = false, host, port, log = 'text' } = options
  if (lan && host !== undefined) {
    throw new UsageError('--lan listens on all addresses, --host on one. Use one of them.')
  }
  const profile = profileOf(options.profile, createServiceProfile)
  const names = Object.keys(countRules) as (keyof Counts)[]
  const counts = names.map((name) => [name, options[name]]).filter(([, count]) => count !== undefined)
  const token = readToken(options, env)?.token
  if (token === undefined && env[defaultTokenVariable]) {
    onWarning(
      `${defaultTokenVariable} is set but no token is required. To require it: --token-env ${defaultTokenVariable}`,
    )
  }
  const mock = createMock({
    world,
    scenario: options.scenario,
    scenarios: options.scenarios,
    faults: options.faults,
    delay: options.delay,
    watch: options.watch,
    seed,
    now,
    freeze,
    lenientInputs,
    counts: Object.fromEntries(counts),
    sessionTtl: options.sessionTtl,
    state: options.state,
    stateSync: options.stateSync,
    stateReset: options.stateReset,
    limits: Object.assign({}, ...(options.limits ?? [])),
    allow: { hosts: options.allowHost ?? [], origins: options.allowOrigin ?? [], lan },
    profile: options.allowGet ? { ...profile, http_get: 'queries' } : profile,
    token,
    onUnexpected: onWarning,
    log: options.quiet ? undefined : (entry) => onLog(logLine(entry, log)),
  })
  const endWatch = watchFaults({ mock, onWarning })
  const close = async () => {
    endWatch()
    await mock.close()
  }
  const { url } = await mock.listen({ port, host: lan ? '0.0.0.0' : host }).catch(async (error: Error) => {
    await close()
    // Not a wrong option: the exit code is another one.
    throw Object.assign(error, { name: 'ListenError' })
  })
  return { output: `${bannerOf({ mock, url, options })}\n`, exitCode: 0, close }
}
