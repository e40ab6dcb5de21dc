/** Opens the ledger of a plan: continues that of an earlier run, or creates one if the server has nothing of the plan. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../../contracts/resources.js'
import { untilShown } from '../../seeding/apply.js'
import { chooseKeys, findGone, findPlanned, type Keys } from '../../seeding/find.js'
import { keptOf } from '../../seeding/kept.js'
import { numbersOf, stepAt, type Plan } from '../../seeding/plan.js'
import type { Seeding } from '../../seeding/send.js'
import { groupBy } from '../../shared/group-by.js'
import { sanitize } from '../../shared/text.js'
import {
  createLedger,
  isCreated,
  openLedger,
  readLedger,
  type Entry,
  type Ledger,
  type LedgerHead,
} from '../../writing/ledger.js'
import { foldKey, type Key } from '../../writing/resource.js'
import { UsageError } from '../options.js'
import { named } from './text.js'

export interface SeedHead extends LedgerHead {
  readonly plan: string
  /** The hash of the plan. Ledgers before 0.2.0 have one of its rows instead, which changes with each new field. */
  readonly origin?: string
  readonly steps: number
  /** The names of the keys, by resource. */
  readonly marks: Readonly<Record<string, string>>
}

/** The default path. A world can have any name; the ledger itself tells apart two plans with the same path. */
export const ledgerPath = ({ host }: URL, { name }: Plan): string =>
  join('.commerce-mock', `${fileNameOf(host)}-${fileNameOf(name)}.jsonl`)

/** File systems allow 255 bytes, and the endings of locks follow. */
const maxBytes = 100

export function fileNameOf(text: string): string {
  let safe = text.replace(/[^\p{L}\p{N}._-]+/gu, '_')
  while (Buffer.byteLength(safe) > maxBytes) safe = [...safe].slice(0, -1).join('')
  return safe
}

/** The keys that a ledger recorded. Those of other resources are the best of each. */
const recordedKeys =
  ({ marks = {} }: Partial<SeedHead>): Keys =>
  ({ name, keys }) =>
    keys.find((it) => it.name === marks[name]) ?? (keys[0] as Key)

export interface Earlier {
  readonly ledger: Ledger
  /** When it was last written, in milliseconds since 1970. */
  readonly lastWritten: number
  /** Whether the plan has changed since, so that its steps have other numbers. */
  readonly isOutdated: boolean
}

/** Opens the ledger of an earlier run, if there is one. Throws if it belongs to another plan or address. */
export function openEarlier(path: string, plan: Plan, url: URL, update: boolean): Earlier | undefined {
  if (!existsSync(path)) return undefined
  const lastWritten = statSync(path).mtimeMs
  const ledger = openLedger(path, 'seed')
  const { baseUrl, plan: name, origin = plan.hash, steps } = ledger.head as SeedHead
  const isOutdated = origin !== plan.hash || steps !== plan.total || !hasKeysOf(plan, ledger)
  const problem =
    baseUrl !== url.href
      ? `The ledger ${path} belongs to ${sanitize(baseUrl)}, not to the --base-url. Choose another ledger with --ledger.`
      : name !== plan.name
        ? `The ledger ${path} belongs to the plan ${sanitize(String(name), 80)}, not to ${sanitize(plan.name, 80)}. Choose another ledger with --ledger.`
        : isOutdated && !update
          ? `The plan ${sanitize(plan.name, 80)} has changed since ${path} was written. Use --update to create what is new and to update what differs; see it first with --dry-run. Or create it as another plan with --name.`
          : undefined
  if (problem === undefined) return { ledger, lastWritten, isOutdated }
  ledger.close()
  throw new UsageError(problem)
}

/** Enough entries to notice that rows are generated in another way. */
const maxCompared = 1000

/** Whether the entries of a ledger have the keys of the steps with their numbers. */
function hasKeysOf({ parts, total }: Plan, ledger: Ledger): boolean {
  const keys = recordedKeys(ledger.head)
  return ledger
    .entries()
    .filter(({ n }) => n <= total)
    .slice(0, maxCompared)
    .every((entry) => {
      const part = parts.find(({ first, count }) => entry.n >= first && entry.n < first + count)
      if (part?.resource.name !== entry.kind) return false
      return stepAt(part, keys(part.resource), entry.n).key === entry.key
    })
}

export interface OpenOptions extends Pick<Seeding, 'plan' | 'context' | 'consistencyMs' | 'signal'> {
  readonly path: string
  readonly earlier: Earlier | undefined
  readonly url: URL
  readonly adopt: boolean
  readonly onWarning: (line: string) => void
}

export interface Opened {
  readonly ledger: Ledger
  readonly lastWritten: number
  readonly keys: Keys
  /** How many existing objects the plan uses. */
  readonly adopted: number
}

/**
 * Throws a UsageError if the server has objects of the plan that no ledger lists, or none of those that the ledger lists.
 */
export async function openSeedLedger(options: OpenOptions): Promise<Opened> {
  const { path, earlier, plan, url, context, adopt } = options
  const before = earlier?.ledger.head as SeedHead | undefined
  const keys = await chooseKeys(resources, context, before?.marks)
  const head: SeedHead = {
    run: plan.name,
    baseUrl: url.href,
    by: 'seed',
    plan: plan.name,
    origin: plan.hash,
    steps: plan.total,
    marks: Object.fromEntries(resources.map((it) => [it.name, keys(it).name])),
  }
  if (earlier?.isOutdated) earlier.ledger.replace(head, renumbered(earlier.ledger.entries(), plan, keys))
  if (earlier) await compareWithServer(options, earlier, keys)
  const found = await findPlanned(plan, keys, context, earlier?.ledger)
  const [first] = found
  if (first && !adopt) {
    const unlisted = earlier ? `${path} does not list it` : 'no ledger lists it'
    throw new UsageError(
      `The ${named(first.resource.name, first.key)} of the plan exists already, as ${sanitize(first.id, 80)}, and ${unlisted}. Use existing objects with --adopt, which neither changes nor deletes them, or create other data with --seed.`,
    )
  }
  const intents = found.map(({ n, key, resource }) => ({ n, kind: resource.name, key }))
  const ledger = earlier?.ledger ?? createLedger(path, head)
  ledger.intend(intents)
  for (const { n, id } of found) ledger.record(n, 'adopted', id)
  return { ledger, lastWritten: earlier?.lastWritten ?? 0, keys, adopted: found.length }
}

/** What the ledger of an earlier run of this plan lists, under the numbers that its steps have now. */
export function readEarlier(path: string, plan: Plan) {
  if (!existsSync(path)) return undefined
  const { head, entries } = readLedger(path, 'seed')
  if ((head as SeedHead).plan !== plan.name) return undefined
  const keys = recordedKeys(head)
  return { entries: renumbered([...entries.values()], plan, keys), keys }
}

/**
 * The entries of a ledger under the numbers of a changed plan, by resource and key. Those without a row in it follow
 * after its last step, so that cleanup still knows them.
 */
function renumbered(entries: readonly Entry[], { parts, total }: Plan, keys: Keys): readonly Entry[] {
  const nameOf = (kind: string, key: string) => `${kind} ${foldKey(key)}`
  const all = parts.flatMap((part) => numbersOf(part).map((n) => stepAt(part, keys(part.resource), n)))
  const steps = groupBy(all, ({ resource, key }) => nameOf(resource.name, key))
  let last = total
  return entries.flatMap((entry) => {
    const same = steps.get(nameOf(entry.kind, entry.key)) ?? []
    const exact = same.findIndex(({ key }) => key === entry.key)
    const [step] = same.splice(Math.max(0, exact), 1)
    if (step) return { ...entry, n: step.n, key: step.key, keep: keepOf(entry, step.key) }
    // Nothing to clean up.
    if (entry.state === 'absent' || (entry.state === 'failed' && entry.id === undefined)) return []
    return { ...entry, n: (last += 1) }
  })
}

/** The server shows the old key until the row is updated. */
const keepOf = (entry: Entry, key: string): unknown =>
  key === entry.key ? entry.keep : { ...keptOf(entry), shown: keptOf(entry).shown ?? entry.key }

/** Opens the entries of what the server no longer has. */
async function compareWithServer(options: OpenOptions, earlier: Earlier, keys: Keys): Promise<void> {
  const { ledger, lastWritten } = earlier
  const { path, plan, context, onWarning } = options
  let gone = await findGone(plan, keys, ledger, context)
  if (gone.length > 0 && (await untilShown(options, lastWritten))) gone = await findGone(plan, keys, ledger, context)
  if (gone.length === 0) return
  const planned = ledger.entries().filter(({ n }) => n <= plan.total)
  if (gone.length === planned.filter(isCreated).length) {
    throw new UsageError(
      `The server has nothing of what ${path} lists: it was emptied or reset. Delete that file to create everything again, or keep it and give the plan another name with --name.`,
    )
  }
  // As if their answers had been lost: they are looked for by key, and created if they do not exist.
  ledger.intend(gone.map(({ n, kind, key, keep }) => ({ n, kind, key, keep })))
  onWarning(goneText(path, gone))
}

const maxNamed = 5

function goneText(path: string, gone: readonly Entry[]): string {
  const names = gone.slice(0, maxNamed).map(({ kind, key }) => `the ${named(kind, key)}`)
  const more = gone.length > names.length ? ` and ${gone.length - names.length} more` : ''
  return `The server no longer shows what ${path} lists: ${names.join(', ')}${more}. What does not exist is created again.`
}
