/** The server that a command is aimed at: its address, and the headers and secrets that go along. */
import { readBaseUrl } from '../client/base-url.js'
import { readHeader, readHeaderEnv, type SecretHeader } from '../client/header.js'
import { createHttpTarget } from '../client/http-target.js'
import type { Report } from '../contract/report.js'
import type { Target } from '../client/target.js'
import { usage } from './options.js'
import { readToken, usualVariable, type TokenOptions } from './token-source.js'

export interface AimOptions extends TokenOptions {
  readonly header?: readonly string[]
  readonly headerEnv?: readonly string[]
  /** Milliseconds that one request may take. */
  readonly timeout?: number
}

export interface AimSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Takes a line of warning. */
  readonly onWarning: (line: string) => void
}

export interface Aim {
  readonly target: Target
  readonly url: URL
  /** What is sent along, as a report may show it. */
  readonly headers: Report['headers']
}

const bearer = 'Bearer '

/** Throws a UsageError where the address or a header cannot be used. */
export function aimAt(baseUrl: string, options: AimOptions, { env, onWarning }: AimSurroundings): Aim {
  return usage(() => {
    const headers = (options.header ?? []).map(readHeader)
    const others = (options.headerEnv ?? []).map((it) => readHeaderEnv(it, env))
    const tokens = tokenHeader(options, env)
    const secrets = [...others, ...tokens.map((it) => ({ ...it, value: bearer + it.value }))]
    const { url, warnings } = readBaseUrl(baseUrl, { hasSecret: secrets.length > 0, env })
    warnings.forEach(onWarning)
    const target = createHttpTarget({ baseUrl: url, headers, secrets, timeoutMs: options.timeout ?? 10_000, env })
    const sent = [
      ...headers,
      ...others.map(({ name, variable }) => ({ name, variable })),
      ...tokens.map(({ name, variable }) => ({ name, variable, scheme: bearer })),
    ]
    return { target, url, headers: sent }
  })
}

function tokenHeader(options: TokenOptions, env: AimSurroundings['env']): SecretHeader[] {
  const found = readToken(options, { env, usual: usualVariable })
  return found ? [{ name: 'authorization', value: found.token, variable: found.variable }] : []
}
