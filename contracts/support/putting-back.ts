/** How what was changed, and not made, is put back: the pixel lists of the account, the e-mail address of a customer. */
import type { Context } from '../../src/contract/check.js'
import type { Entry } from '../../src/writing/ledger.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { operation, withVariables, type Operation } from '../../src/contract/operation.js'
import type { Settled, Undoing, WriteKind } from '../../src/writing/write-kind.js'
import { pixels, updateAccount } from '../account.js'
import { updateCustomer } from '../customers.js'
import { bearers } from './finding.js'
import type { Data } from './samples.js'
import { says } from './shown.js'

export const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

/** A pixel that was added to a list. */
export interface PixelChange {
  readonly list: (typeof pixelLists)[number]
  readonly pixel: Data
  /** How the lists stood that were not sent, without what this run had added. */
  readonly unsent?: Data | undefined
  /** Those of them that the answer showed to be empty. Whoever empties one later has a reason. */
  readonly emptied?: Data | undefined
}

export const pixelsNow = async (context: Context): Promise<Data> =>
  ((await context.ask(pixels))['account'] ?? {}) as Data

/**
 * Takes just our pixels out of what stands in the lists right before: what others did meanwhile stays. All three lists are
 * sent, because a server may empty what it is not sent; one that was seen to be emptied for that reason comes back too.
 */
export async function* restorePixels(
  context: Context,
  entries: readonly Entry[],
  settled: Settled,
): AsyncGenerator<Undoing> {
  const shown = await settled(
    () => pixelsNow(context),
    (it) => entries.every(({ id, key }) => bearing(it[id as string], key).length > 0),
  )
  let taking = takenOut(shown, entries)
  const { taken, gone, changes } = taking
  if (changes) {
    let missing: Lists = {}
    yield {
      operation: updateAccount,
      latest: async () => {
        const now = await settled(
          () => pixelsNow(context),
          (it) => taken.every(({ id, key }) => bearing(it[id as string], key).length > 0),
        )
        taking = takenOut(now, entries)
        return withVariables(updateAccount, { node: taking.standing })
      },
      heard: (data) => (missing = lacking(taking.standing, data?.['updateAccount'])),
      entries: taken,
    }
    const after = await settled(
      () => pixelsNow(context),
      (it) => Object.keys(lacking(taking.standing, it)).length === 0,
    )
    // The reads may be late, and the answer may be wrong.
    for (const [list, rows] of Object.entries({ ...missing, ...lacking(taking.standing, after) })) {
      yield {
        entries: [],
        left: `${list} was sent back with ${JSON.stringify(rows)}, which its answer or the account after it does not show. Look who took it out; if nobody did, the server lost it.`,
      }
    }
  }
  if (gone.length > 0) yield { entries: gone }
  for (const left of taking.others) yield { entries: [], left }
}

type Lists = Readonly<Record<string, readonly Data[]>>

/** The lists without our pixels, of which entries those were, and what bears their marks and is not ours. */
function takenOut(shown: Data, entries: readonly Entry[]) {
  const standing: Record<string, readonly Data[]> = Object.fromEntries(pixelLists.map((it) => [it, rowsIn(shown[it])]))
  const before = JSON.stringify(standing)
  for (const [list, rows] of entries.flatMap(({ keep }) => Object.entries((keep as PixelChange).emptied ?? {}))) {
    if (standing[list]?.length === 0) standing[list] = rowsIn(rows)
  }
  const taken: Entry[] = []
  const gone: Entry[] = []
  const others: string[] = []
  for (const entry of entries) {
    const { key: mark } = entry
    const { list } = entry.keep as PixelChange
    const rows = standing[list] ?? []
    const like = bearing(rows, mark)
    const [own, again] = like.filter((it) => isSent(entry, it))
    const isOne = own !== undefined && again === undefined
    if (isOne) {
      standing[list] = rows.filter((it) => it !== own)
      taken.push(entry)
    }
    if (like.length === 0) gone.push(entry)
    const foreign = like.filter((it) => !isOne || it !== own)
    if (foreign.length === 0) continue
    others.push(
      `${list} holds with the mark ${mark} what this run did not add so, which stays: ${JSON.stringify(foreign)}. Take it out by hand if it is of nobody else.`,
    )
  }
  return { standing, taken, gone, others, changes: JSON.stringify(standing) !== before }
}

/** What of the lists is not shown; nothing where lists are not shown at all. */
const lacking = (lists: Lists, shown: unknown): Lists =>
  Object.fromEntries(
    Object.entries(lists)
      .map(([list, rows]) => {
        const there = (shown as Data | null | undefined)?.[list]
        const isThere = (row: Data) => rowsIn(there).some((it) => says(row, it, false))
        return [list, there ? rows.filter((it) => !isThere(it)) : []] as const
      })
      .filter(([, rows]) => rows.length > 0),
  )

/** Lists that were not sent and are empty now, of which nobody knows who emptied them. */
export const emptiedLists: NonNullable<WriteKind['doubts']> = async (context, entries, settled) => {
  const unsent = entries.flatMap(({ keep }) => Object.entries((keep as PixelChange).unsent ?? {}))
  const had = unsent.filter(([, rows]) => rowsIn(rows).length > 0)
  if (had.length === 0) return []
  const isEmpty = (shown: Data, list: string) => Array.isArray(shown[list]) && rowsIn(shown[list]).length === 0
  const shown = await settled(
    () => pixelsNow(context),
    (it) => !had.some(([list]) => isEmpty(it, list)),
  )
  return had
    .filter(([list]) => isEmpty(shown, list))
    .map(
      ([list, rows]) =>
        `${list} is empty now, and had ${JSON.stringify(rows)} before another list was sent. Look who emptied it, and put back by hand what is missed.`,
    )
}

type Stands = NonNullable<WriteKind['stands']>

const rowsIn = (list: unknown): readonly Data[] => (list ?? []) as readonly Data[]

const bearing = (list: unknown, mark: string): readonly Data[] =>
  rowsIn(list).filter((it) => oneOf([mark])(String(it['label'])) !== undefined)

/** Whether a pixel is the one that was sent; one that somebody has changed since is not ours any more. */
function isSent({ keep, key: mark }: Entry, pixel: Data): boolean {
  const { pixel: sent } = keep as PixelChange
  const label = String(pixel['label'])
  // A server may cut a label; the mark stands first in it.
  const isCut = label.length >= mark.length && String(sent?.['label']).startsWith(label)
  return says(isCut ? { ...sent, label } : (sent ?? null), pixel, false)
}

/** Whether a list shows the pixel of a mark. */
export const showsPixel: WriteKind['bears'] = async (context, list, mark) =>
  bearing((await pixelsNow(context))[list], mark).length > 0

export const pixelStands: Stands = async (context, entry) =>
  bearing((await pixelsNow(context))[entry.id as string], entry.key).some((it) => isSent(entry, it))

export const findPixels: WriteKind['find'] = async (context, pick) => {
  const shown = await pixelsNow(context)
  const all = pixelLists.flatMap((list) => rowsIn(shown[list]).map((it) => ({ ...it, id: list })))
  return bearers(all, 'label', pick)
}

/** The e-mail address of a customer that bears a mark. */
export const ownAddress = (mark: string): string => `${mark}@example.com`

const address = operation('query Address($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Customer { email }\n  }\n}')

export async function addressOf(context: Context, id: string): Promise<string | undefined> {
  const { node } = await context.ask(withVariables(address, { id }))
  return ((node as Data | null)?.['email'] ?? undefined) as string | undefined
}

/** Whether a customer of ours has the address of somebody else. */
export const isLent: Stands = async (context, { id, key: mark }) => {
  const now = await addressOf(context, id as string)
  return now !== undefined && oneOf([mark])(now) === undefined
}

/** It gets one of its own again. */
export const giveBackAddress = ({ id, key: mark }: Entry): Operation =>
  withVariables(updateCustomer, { id, node: { email: ownAddress(mark) } })
