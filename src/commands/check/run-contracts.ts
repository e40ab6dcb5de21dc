/** `runContracts`: the contract suite as a function – against a real base_url, another target, or the mock in process. */
import { checks as readingChecks } from '../../../contracts/checks.js'
import { writeChecks } from '../../../contracts/write-checks.js'
import type { Check } from '../../contract/check.js'
import { documentChecks, type DocumentSource } from '../../contract/documents.js'
import { readBaseUrl } from '../../client/base-url.js'
import { createHttpTarget } from '../../client/http-target.js'
import type { Report } from '../../contract/report.js'
import { redactReport } from '../../contract/reports/redact.js'
import { reported, runChecks, type RunOptions } from '../../contract/runner.js'
import type { Target } from '../../client/target.js'
import { createProfile, type Profile } from '../../profile.js'
import type { Mock } from '../../mock/create-mock.js'
import { mockTarget } from '../../mock/mock-target.js'
import { contractShapes } from './contract-shapes.js'

export interface ContractsOptions extends Pick<
  RunOptions,
  | 'addressed'
  | 'budget'
  | 'write'
  | 'recoverPages'
  | 'runTimeout'
  | 'concurrency'
  | 'includeAssumed'
  | 'strict'
  | 'require'
  | 'minJudged'
  | 'signal'
  | 'onResult'
> {
  /** A base_url, a mock, or anything that answers operations. A new mock in this process unless given. */
  readonly target?: string | Mock | Target | undefined
  /** Sent along as a bearer token, where the target is a base_url. */
  readonly token?: string | undefined
  /** Sent along, where the target is a base_url. Their values are kept out of every output. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds that one request may take, where the target is a base_url. */
  readonly timeout?: number | undefined
  /** Instead of all: `[...contractChecks, mine]` adds one. */
  readonly checks?: readonly Check[] | undefined
  /** Ids of the checks to be run; `*` stands for any part. */
  readonly only?: readonly string[] | undefined
  /** Documents of a front end, judged like the suite's own. */
  readonly documents?: readonly DocumentSource[] | undefined
  /** What the target is expected to do where the specification is silent; a new mock does it. */
  readonly profile?: Partial<Profile> | undefined
}

/** All checks: those that read, and those that run only where writing is allowed. */
export const contractChecks: readonly Check[] = [...readingChecks, ...writeChecks]

/** What `chosenChecks` goes by. */
interface Choice extends Pick<ContractsOptions, 'checks' | 'only' | 'documents'> {
  readonly write?: { readonly allowed: readonly string[] } | undefined
}

/**
 * The checks that the options choose, of those that may run. Throws an Error where a pattern fits none of them: a leave to
 * write that was forgotten must not look as if all was well.
 */
export function chosenChecks({ checks = contractChecks, only, documents = [], write }: Choice): readonly Check[] {
  const all = [...checks, ...documentChecks(documents, contractShapes())]
  const able = all.filter(({ writes }) => writes === undefined || write?.allowed.includes(writes))
  if (only === undefined || only.length === 0) return able
  const patterns = only.map((text) => ({ text, form: new RegExp(`^${text.replaceAll('*', '.*')}$`) }))
  const chosen = able.filter(({ id }) => patterns.some(({ form }) => form.test(id)))
  for (const { text, form } of patterns) {
    if (reported(chosen).some(({ id }) => form.test(id))) continue
    const [barred] = reported(all).filter(({ id }) => form.test(id))
    if (!barred) throw new Error(`No check has the id ${text}. See them with --list.`)
    if (barred.writes === undefined)
      throw new Error(`${text} is judged by a run that writes. Choose a check that does.`)
    throw new Error(`${text} cannot run, because it writes ${barred.writes}. Allow that with --write ${barred.writes}.`)
  }
  // Whatever is written, harm to others is told.
  const written = new Set(chosen.flatMap(({ writes = [] }) => writes))
  return able.filter((it) => chosen.includes(it) || (it.always && written.has(it.writes ?? '')))
}

/** Judges a target. Nothing is thrown for what a target does; an Error in one line says what is wrong with the options. */
export async function runContracts(options: ContractsOptions = {}): Promise<Report> {
  const checks = chosenChecks(options)
  const { target, close } = await targetOf(options)
  try {
    const report = await runChecks({
      ...options,
      checks,
      target,
      shapes: contractShapes(),
      expected: createProfile(options.profile),
    })
    return redactReport(report, (text) => target.redact(text))
  } finally {
    await close()
  }
}

/** The target, and how to end what was begun for it. */
async function targetOf({ target, token, headers = {}, timeout, profile }: ContractsOptions): Promise<{
  target: Target
  close: () => Promise<void>
}> {
  if (typeof target === 'string') {
    const secrets = [
      ...Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(token === undefined ? [] : [{ name: 'authorization', value: `Bearer ${token}` }]),
    ]
    const { url } = readBaseUrl(target, { hasSecret: secrets.length > 0 })
    const server = createHttpTarget({ baseUrl: url, secrets, timeoutMs: timeout, env: process.env })
    return { target: server, close: () => server.close() }
  }
  const given = target ?? (await import('../../mock/create-mock.js')).createMock({ profile })
  return { target: 'send' in given ? given : mockTarget(given), close: async () => {} }
}
