/** Opens the ledger of a plan: continues that of an earlier run, or creates one if the server has nothing of the plan. */
import { existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resources } from '../../../contracts/resources.js'
import { pause } from '../../client/retries.js'
import type { Context } from '../../contract/check.js'
import { findByKey, findGone, findPlanned, type Found } from '../../seeding/find.js'
import type { Plan } from '../../seeding/plan.js'
import { chooseKeys, type Keys } from '../../seeding/keys.js'
import { quote } from '../../shared/quote.js'
import { sanitize } from '../../shared/sanitize.js'
import { createLedger, openLedger, syncFolder, type Entry, type Ledger, type LedgerHead } from '../../writing/ledger.js'
import { UsageError } from '../options.js'

interface SeedHead extends LedgerHead {
  readonly plan: string
  readonly hash: string
  readonly steps: number
  /** The names of the keys, by resource. */
  readonly marks: Readonly<Record<string, string>>
}

/** The default path. A world can have any name; the ledger itself tells apart two plans with the same path. */
export const ledgerPath = ({ host }: URL, { name }: Plan): string =>
  join('.commerce-mock', `${fileNameOf(host)}-${fileNameOf(name)}.jsonl`)

/** File systems allow 255 bytes, and the endings of locks follow. */
const maxBytes = 100

function fileNameOf(text: string): string {
  let safe = text.replace(/[^\p{L}\p{N}._-]+/gu, '_')
  while (Buffer.byteLength(safe) > maxBytes) safe = [...safe].slice(0, -1).join('')
  return safe
}

export interface Earlier {
  readonly ledger: Ledger
  /** How long ago it was last written. */
  readonly idleMs: number
}

/** Opens the ledger of an earlier run, if there is one. Throws if it belongs to another plan or address. */
export function openEarlier(path: string, plan: Plan, url: URL): Earlier | undefined {
  if (!existsSync(path)) return undefined
  const idleMs = Math.max(0, Date.now() - statSync(path).mtimeMs)
  const ledger = openLedger(path, 'seed')
  try {
    refuseOther(ledger, plan, url)
    return { ledger, idleMs }
  } catch (error) {
    ledger.close()
    throw error
  }
}

function refuseOther({ path, head }: Ledger, plan: Plan, url: URL): void {
  if (head.baseUrl !== url.href) {
    throw new UsageError(
      `The ledger ${path} belongs to ${sanitize(head.baseUrl)}, not to the --base-url. Choose another ledger with --ledger.`,
    )
  }
  const { plan: name, hash, steps } = head as SeedHead
  if (name === plan.name && hash === plan.hash && steps === plan.total) return
  throw new UsageError(
    `The plan ${sanitize(String(name), 80)} has changed since ${path} was written. Give the new plan another name with --name, and take over existing objects with --adopt. Or clean up first: run commerce-mock seed cleanup ${path}, then delete that file.`,
  )
}

export interface OpenOptions {
  readonly path: string
  readonly earlier: Earlier | undefined
  readonly plan: Plan
  readonly url: URL
  readonly context: Context
  readonly adopt: boolean
  /** How long the target may take to show a write. */
  readonly consistencyMs: number
  readonly signal: AbortSignal
  readonly onWarning: (line: string) => void
}

export interface Opened {
  readonly ledger: Ledger
  readonly keys: Keys
  readonly idleMs: number
  /** How many existing objects were taken over. */
  readonly adopted: number
}

/**
 * Throws a UsageError if the server has objects of the plan that no ledger lists, or none of those that the ledger lists.
 */
export async function openSeedLedger(options: OpenOptions): Promise<Opened> {
  const { earlier, context } = options
  const keys = await chooseKeys(resources, context, (earlier?.ledger.head as SeedHead | undefined)?.marks)
  if (earlier) {
    await compareWithServer(options, earlier, keys)
    return { ...earlier, keys, adopted: 0 }
  }
  const head: SeedHead = {
    run: options.plan.name,
    baseUrl: options.url.href,
    by: 'seed',
    plan: options.plan.name,
    hash: options.plan.hash,
    steps: options.plan.total,
    marks: Object.fromEntries(resources.map((it) => [it.name, keys(it).name])),
  }
  if (options.adopt) return { ...(await adoptExisting(options, head, keys)), keys, idleMs: Infinity }
  await refuseExisting(options, keys)
  return { ledger: createLedger(options.path, head), keys, idleMs: Infinity, adopted: 0 }
}

/** Records what the server no longer has, so that it is created again. */
async function compareWithServer(options: OpenOptions, { ledger, idleMs }: Earlier, keys: Keys): Promise<void> {
  const { path, plan, context, consistencyMs, signal, onWarning } = options
  const compare = () => findGone({ plan, keys, ledger, context })
  let { any, gone } = await compare()
  if (gone.length > 0 && idleMs < consistencyMs) {
    await pause(consistencyMs - idleMs, signal)
    ;({ any, gone } = await compare())
  }
  if (!any) {
    throw new UsageError(
      `The server has nothing of what ${path} lists: it was emptied or reset. Delete that file to create everything again, or keep it and give the plan another name with --name.`,
    )
  }
  for (const resource of resources) {
    const entries = gone.filter(({ kind }) => kind === resource.name)
    if (entries.length === 0) continue
    const found = await findByKey({ resource, key: keys(resource), entries, ledger, context })
    for (const { n } of entries) ledger.record(n, found.has(n) ? 'made' : 'undone', found.get(n))
  }
  if (gone.length > 0) onWarning(goneText(path, gone))
}

const maxNamed = 5

function goneText(path: string, gone: readonly Entry[]): string {
  const oneOf = (kind: string) => resources.find(({ name }) => name === kind)?.one ?? kind
  const named = gone.slice(0, maxNamed).map(({ kind, key }) => `the ${oneOf(kind)} ${quote(key)}`)
  const more = gone.length > named.length ? ` and ${gone.length - named.length} more` : ''
  return `The server no longer shows what ${path} lists: ${named.join(', ')}${more}. What does not exist is created again.`
}

async function refuseExisting({ plan, context }: OpenOptions, keys: Keys): Promise<void> {
  for await (const { part, object } of findPlanned(plan, keys, context)) {
    throw new UsageError(
      `The ${part.resource.one} ${quote(object.key)} of the plan exists already, as ${sanitize(object.id, 80)}, and no ledger lists it. Take over existing objects with --adopt, or create other data with --seed.`,
    )
  }
}

async function adoptExisting({ path, plan, context }: OpenOptions, head: LedgerHead, keys: Keys) {
  const found: Found[] = []
  for await (const it of findPlanned(plan, keys, context)) found.push(it)
  // Written aside: if a part of the list were lost, the rest would be created twice.
  const aside = `${path}.adopting`
  rmSync(aside, { force: true })
  const draft = createLedger(aside, head)
  draft.intend(found.map(({ n, part, object }) => ({ n, kind: part.resource.name, key: object.key })))
  for (const { n, object } of found) draft.record(n, 'made', object.id)
  draft.close()
  linkSync(aside, path)
  rmSync(aside)
  syncFolder(dirname(path))
  return { ledger: openLedger(path, 'seed'), adopted: found.length }
}
