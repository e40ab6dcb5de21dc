/** Makes the target of a command from its options: the address, the headers and the token. */
import { readBaseUrl } from '../client/base-url.js'
import { secretOf } from '../client/header.js'
import { createHttpTarget } from '../client/http-target.js'
import type { Target } from '../client/target.js'
import type { Report } from '../contract/report.js'
import type { Surroundings } from './commands.js'
import type { SettingsOf } from './options.js'
import { readToken, defaultTokenVariable, type targetOptions } from './shared-options.js'

export type OpenTargetOptions = SettingsOf<typeof targetOptions>
export type TargetSurroundings = Pick<Surroundings, 'env' | 'onWarning'>

export interface OpenTarget {
  readonly target: Target
  readonly url: URL
  /** The headers that are sent; for a secret, its variable in place of its value. */
  readonly headers: Report['headers']
}

const scheme = 'Bearer '

/** Throws an Error in one line if the address or a header is wrong. */
export function openTarget(
  baseUrl: string,
  options: OpenTargetOptions,
  { env, onWarning }: TargetSurroundings,
): OpenTarget {
  const headers = options.header ?? []
  const found = readToken(options, env, defaultTokenVariable)
  const secrets = [
    ...(options.headerEnv ?? []).map((it) => secretOf(it, env)),
    ...(found ? [{ name: 'authorization', value: scheme + found.token, variable: found.variable, scheme }] : []),
  ]
  const refresh = () => {
    const token = found?.readAgain?.()
    return token === undefined ? undefined : { name: 'authorization', value: scheme + token }
  }
  const { url, warnings } = readBaseUrl(baseUrl, { hasSecret: secrets.length > 0 })
  warnings.forEach(onWarning)
  const target = createHttpTarget({
    baseUrl: url,
    headers,
    secrets,
    refresh,
    timeoutMs: options.timeout ?? 10_000,
    env,
  })
  const shown = secrets.map((it) => {
    const { value: _, ...named } = it
    return named
  })
  return { target, url, headers: [...headers, ...shown] }
}
