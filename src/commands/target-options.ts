/** Makes the target of a command from its options: the address, the headers and the token. */
import { readBaseUrl } from '../client/base-url.js'
import { readHeader, readHeaderEnv } from '../client/header.js'
import { createHttpTarget } from '../client/http-target.js'
import type { Target } from '../client/target.js'
import type { Report } from '../contract/report.js'
import { usage } from './options.js'
import { readToken, usualVariable, type TokenOptions } from './token-source.js'

export interface AimOptions extends TokenOptions {
  readonly header?: readonly string[]
  readonly headerEnv?: readonly string[]
  /** Milliseconds to wait for one response. */
  readonly timeout?: number
}

export interface AimSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Takes one line. */
  readonly onWarning: (line: string) => void
}

export interface Aim {
  readonly target: Target
  readonly url: URL
  /** The headers that are sent; for a secret, its variable in place of its value. */
  readonly headers: Report['headers']
}

const scheme = 'Bearer '

/** Throws a UsageError if the address or a header is wrong. */
export function aimAt(baseUrl: string, options: AimOptions, { env, onWarning }: AimSurroundings): Aim {
  return usage(() => {
    const headers = (options.header ?? []).map(readHeader)
    const fromEnv = (options.headerEnv ?? []).map((it) => readHeaderEnv(it, env))
    const found = readToken(options, env, usualVariable)
    const token = found ? [{ name: 'authorization', value: scheme + found.token, variable: found.variable }] : []
    const secrets = [...fromEnv, ...token]
    const { url, warnings } = readBaseUrl(baseUrl, { hasSecret: secrets.length > 0 })
    warnings.forEach(onWarning)
    const target = createHttpTarget({ baseUrl: url, headers, secrets, timeoutMs: options.timeout ?? 10_000, env })
    const shown = [
      ...headers,
      ...fromEnv.map(({ name, variable }) => ({ name, variable })),
      ...token.map(({ name, variable }) => ({ name, variable, scheme })),
    ]
    return { target, url, headers: shown }
  })
}
