/** How what was changed, and not made, is put back: the pixel lists of the account, the e-mail address of a customer. */
import type { Session } from '../src/contract/check.js'
import type { Entry } from '../src/contract/ledger.js'
import { oneOf } from '../src/contract/mark.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import type { Settled, Undoing, WriteKind } from '../src/contract/write-kind.js'
import { pixels, updateAccount } from './account.js'
import { updateCustomer } from './customers.js'
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
}

export const pixelsNow = async (session: Session): Promise<Data> =>
  ((await session.ask(pixels))['account'] ?? {}) as Data

/**
 * Takes just our pixels out of what stands in the lists right before: what others did meanwhile stays. All three lists are
 * sent, because a server may empty what it is not sent; one that was found empty for that reason comes back too.
 */
export async function* restorePixels(
  session: Session,
  entries: readonly Entry[],
  settled: Settled,
): AsyncGenerator<Undoing> {
  const shown = await settled(
    () => pixelsNow(session),
    (it) => entries.every(({ id, mark }) => bearing(it[id as string], mark).length > 0),
  )
  const standing = Object.fromEntries(pixelLists.map((it) => [it, rowsIn(shown[it])]))
  const before = JSON.stringify(standing)
  for (const [list, rows] of entries.flatMap(({ keep }) => Object.entries((keep as PixelChange).unsent ?? {}))) {
    if (standing[list]?.length === 0) standing[list] = rowsIn(rows)
  }
  const taken: Entry[] = []
  const gone: Entry[] = []
  const others: string[] = []
  for (const entry of entries) {
    const { mark } = entry
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
  if (JSON.stringify(standing) !== before) {
    yield { operation: withVariables(updateAccount, { node: standing }), entries: taken }
  }
  if (gone.length > 0) yield { entries: gone }
  for (const left of others) yield { entries: [], left }
}

type Stands = NonNullable<WriteKind['stands']>

const rowsIn = (list: unknown): readonly Data[] => (list ?? []) as readonly Data[]

const bearing = (list: unknown, mark: string): readonly Data[] =>
  rowsIn(list).filter((it) => oneOf([mark])(String(it['label'])) !== undefined)

/** Whether a pixel is the one that was sent; one that somebody has changed since is not ours any more. */
const isSent = ({ keep }: Entry, pixel: Data): boolean => says((keep as PixelChange).pixel ?? null, pixel, false)

/** Whether a list shows the pixel of a mark. */
export const showsPixel: WriteKind['bears'] = async (session, list, mark) =>
  bearing((await pixelsNow(session))[list], mark).length > 0

export const pixelStands: Stands = async (session, entry) =>
  bearing((await pixelsNow(session))[entry.id as string], entry.mark).some((it) => isSent(entry, it))

export const findPixels: WriteKind['find'] = async (session, pick) => {
  const shown = await pixelsNow(session)
  const all = pixelLists.flatMap((list) => rowsIn(shown[list]).map((it) => ({ ...it, id: list })))
  return bearers(all, 'label', pick)
}

/** The e-mail address of a customer that bears a mark. */
export const ownAddress = (mark: string): string => `${mark}@example.com`

const address = operation('query Address($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Customer { email }\n  }\n}')

export async function addressOf(session: Session, id: string): Promise<string | undefined> {
  const { node } = await session.ask(withVariables(address, { id }))
  return ((node as Data | null)?.['email'] ?? undefined) as string | undefined
}

/** Whether a customer of ours has the address of somebody else. */
export const isLent: Stands = async (session, { id, mark }) => {
  const now = await addressOf(session, id as string)
  return now !== undefined && oneOf([mark])(now) === undefined
}

/** It gets one of its own again. */
export const giveBackAddress = ({ id, mark }: Entry): Operation =>
  withVariables(updateCustomer, { id, node: { email: ownAddress(mark) } })
