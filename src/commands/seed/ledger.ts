/** The ledger of a seeding: where it is, whether it is the one of this plan, and how a new one begins. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../contract/check.js'
import { sanitize } from '../../shared/sanitize.js'
import { syncFolder } from '../../writing/ledger.js'
import { pause } from '../../client/retries.js'
import {
  continueLedger,
  createSeedLedger,
  readSeedLedger,
  seedName,
  type Doubtful,
  type ReadSeedLedger,
  type SeedHead,
  type SeedLedger,
} from '../../seeding/ledger.js'
import type { Mark, SeedKind } from '../../seeding/seed-kind.js'
import { alreadyThere } from '../../seeding/look.js'
import { stillThere, type Gone } from '../../seeding/still-there.js'
import type { Marks, Plan } from '../../seeding/plan.js'
import { UsageError } from '../options.js'

/** Names of worlds are those of files and of data: anything. Two that become one are told apart by what stands in the ledger. */
export const ledgerPath = ({ host }: URL, { name }: Plan): string =>
  join('.commerce-mock', `${inFileName(host)}-${inFileName(name)}.jsonl`)

/** Most file systems take 255 bytes, and endings follow, such as those of a lock. */
const maxBytes = 100

function inFileName(text: string): string {
  let safe = text.replace(/[^\p{L}\p{N}._-]+/gu, '_')
  while (Buffer.byteLength(safe) > maxBytes) safe = [...safe].slice(0, -1).join('')
  return safe
}

export interface Earlier extends ReadSeedLedger {
  /** How many milliseconds ago it was written last. */
  readonly age: number
}

/** What an earlier run of this plan wrote; undefined where there was none. Throws where the ledger is of something else. */
export function readEarlier(path: string, { name, hash, total }: Plan, url: URL): Earlier | undefined {
  if (!existsSync(path)) return undefined
  const read = readSeedLedger(path)
  const { head } = read
  if (head.baseUrl !== url.href) {
    throw new UsageError(
      `What stands in ${path} was written to ${sanitize(head.baseUrl)}, and --base-url is another address. Name another ledger with --ledger.`,
    )
  }
  if (head.plan !== name || head.hash !== hash || head.steps !== total) {
    throw new UsageError(
      `${path} is the ledger of the plan ${sanitize(head.plan, 80)}, which has changed since. Give the new one another name, --name OTHER, and take over what is there with --adopt; or take the old one away first: commerce-mock seed --remove ${path}, then delete that file.`,
    )
  }
  return { ...read, age: Math.max(0, Date.now() - statSync(path).mtimeMs) }
}

export interface OpenOptions {
  readonly path: string
  readonly earlier: Earlier | undefined
  readonly plan: Plan
  readonly url: URL
  readonly marks: Marks
  readonly context: Context
  readonly adopt: boolean
  /** Milliseconds that the target may take to show what was sent. */
  readonly settleMs: number
  readonly signal: AbortSignal
  readonly onWarning: (line: string) => void
}

export interface Seeding {
  readonly ledger: SeedLedger
  readonly marks: Marks
  readonly doubtful: ReadonlyMap<number, Doubtful>
  readonly refused: ReadonlyMap<number, Doubtful>
  readonly partial: ReadonlyMap<number, string>
  readonly sentBefore: number
  /** How many objects were taken over. */
  readonly adopted: number
}

/**
 * The ledger, ready to be written. Throws a UsageError where objects of the plan are there that no ledger knows, and where
 * none are there that the ledger knows.
 */
export async function openSeeding(options: OpenOptions): Promise<Seeding> {
  const { earlier, marks } = options
  if (earlier) return goOn(options, earlier)
  const begun = await begin(options)
  return {
    ledger: begun.ledger,
    marks,
    doubtful: new Map(),
    refused: new Map(),
    partial: new Map(),
    sentBefore: 0,
    adopted: begun.adopted,
  }
}

async function goOn(options: OpenOptions, earlier: Earlier): Promise<Seeding> {
  const { path, settleMs, signal, onWarning } = options
  const marks = marksIn(earlier.head, options.marks)
  const look = () => stillThere({ ...options, marks, states: earlier.states })
  let { any, gone } = await look()
  if (gone.length > 0 && earlier.age < settleMs) {
    await pause(settleMs - earlier.age, signal)
    ;({ any, gone } = await look())
  }
  if (!any) {
    throw new UsageError(
      `The server has nothing of what ${path} lists: it was emptied or reset since. Delete that file to make everything anew, or keep it and give the plan another name with --name.`,
    )
  }
  const doubtful = new Map(earlier.doubtful)
  for (const { n, kind, mark } of gone) {
    earlier.states.set(n, 'intended')
    doubtful.set(n, { kind: kind.name, mark })
  }
  if (gone.length > 0) onWarning(goneText(path, gone))
  return {
    ledger: continueLedger(path, earlier),
    marks,
    doubtful,
    refused: earlier.refused,
    partial: earlier.partial,
    sentBefore: earlier.age,
    adopted: 0,
  }
}

/** So many of what is gone are named. */
const maxNamed = 5

function goneText(path: string, gone: readonly Gone[]): string {
  const named = gone.slice(0, maxNamed).map(({ kind, mark }) => `the ${kind.one} ${JSON.stringify(sanitize(mark, 80))}`)
  const more = gone.length > named.length ? ` and ${gone.length - named.length} more` : ''
  return `The server does not show any more what ${path} lists: ${named.join(', ')}${more}. What is gone is looked for by its mark, and made again if it is not there.`
}

/** What was written down is looked for by the same mark, whatever the server shows now. */
export const marksIn = (head: SeedHead, marks: Marks): Marks =>
  new Map<SeedKind, Mark>(
    [...marks].map(([kind, mark]) => [kind, kind.marks.find((it) => it.name === head.marks[kind.name]) ?? mark]),
  )

async function begin({ path, plan, url, marks, context, adopt }: OpenOptions) {
  const head: SeedHead = {
    run: plan.name,
    baseUrl: url.href,
    by: seedName,
    plan: plan.name,
    hash: plan.hash,
    steps: plan.total,
    marks: Object.fromEntries([...marks].map(([kind, mark]) => [kind.name, mark.name])),
  }
  const objects = alreadyThere(plan, marks, context)
  if (!adopt) {
    for await (const { part, shown } of objects) {
      throw new UsageError(
        `The ${part.kind.one} ${JSON.stringify(sanitize(shown.mark, 80))} of the plan is there already, as ${sanitize(shown.id, 80)}, and no ledger says that seed made it. Take over what is there with --adopt, or seed other data with --seed.`,
      )
    }
    return { ledger: createSeedLedger(path, head), adopted: 0 }
  }
  // Put in its place as a whole: a part of it would have the rest made again.
  const aside = `${path}.adopting`
  rmSync(aside, { force: true })
  const ledger = createSeedLedger(aside, head)
  let adopted = 0
  for await (const { n, part, shown } of objects) {
    ledger.adopt({ n, kind: part.kind, mark: shown.mark }, shown.id)
    adopted += 1
  }
  ledger.close()
  renameSync(aside, path)
  syncFolder(dirname(path))
  return { ledger: continueLedger(path, readSeedLedger(path)), adopted }
}
