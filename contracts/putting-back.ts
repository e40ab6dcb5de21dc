/** How what was changed, and not made, is put back: the pixel lists of the account, the e-mail address of a customer. */
import type { Session } from '../src/contract/check.js'
import type { Entry } from '../src/contract/ledger.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import type { Settled, Undoing, WriteKind } from '../src/contract/write-kind.js'
import { pixels, updateAccount } from './account.js'
import { updateCustomer } from './customers.js'
import { marked, oneOf, type Found } from './finding.js'
import type { Data } from './samples.js'

export const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

/** How a list stood before and after a pixel was added to it. */
export interface PixelChange {
  readonly list: (typeof pixelLists)[number]
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
  /** How the other lists stood. */
  readonly others?: Data | undefined
}

/**
 * A list goes back to how it was only if nobody has touched it since. All three are sent, each as it shall stand, because a
 * server may empty what it is not sent; one that was found empty for that reason comes back too.
 */
export async function restorePixels(
  session: Session,
  entries: readonly Entry[],
  settled: Settled,
): Promise<readonly Undoing[]> {
  const account = await settled(
    async () => (await session.ask(pixels))['account'] as Data | null,
    (it) => entries.every(({ id, mark }) => labelled(it?.[id as string], mark)),
  )
  const standing: Record<string, unknown> = Object.fromEntries(pixelLists.map((it) => [it, account?.[it] ?? []]))
  return entries.map((entry): Undoing => {
    const { list, before, after, others = {} } = entry.keep as PixelChange
    const emptied = Object.keys(others).filter((it) => isEmpty(standing[it]) && !isEmpty(others[it]))
    for (const it of emptied) standing[it] = others[it]
    const asLeft = JSON.stringify(standing[list]) === JSON.stringify(after)
    if (asLeft) standing[list] = before
    if (asLeft || emptied.length > 0) {
      return { operation: withVariables(updateAccount, { node: { ...standing } }), entries: [entry] }
    }
    // Gone already: it was shown once, and somebody took it out.
    if (!labelled(standing[list], entry.mark)) return { entries: [entry] }
    const left = `${list} was changed by somebody else meanwhile and stays as it is; take the pixel labelled ${entry.mark} out by hand. It now reads ${JSON.stringify(standing[list])}.`
    return { entries: [entry], left }
  })
}

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

const labelled = (list: unknown, mark: string) =>
  ((list ?? []) as readonly Data[]).some((it) => oneOf([mark])(String(it['label'])) !== undefined)

/** Whether a list shows the pixel of a mark. */
export const showsPixel: WriteKind['bears'] = async (session, list, mark) =>
  (await findPixels(session, [mark])).get(mark) === list

export async function findPixels(session: Session, marks: readonly string[]): Promise<Found> {
  const account = (await session.ask(pixels))['account'] as Data | null
  const all = pixelLists.flatMap((list) =>
    ((account?.[list] ?? []) as readonly Data[]).map((it) => ({ ...it, id: list })),
  )
  return marked(all, 'label', oneOf(marks))
}

/** The e-mail address of a customer that bears a mark. */
export const ownAddress = (mark: string): string => `${mark}@example.com`

const address = operation('query Address($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Customer { email }\n  }\n}')

export async function addressOf(session: Session, id: string): Promise<string | undefined> {
  const { node } = await session.ask(withVariables(address, { id }))
  return ((node as Data | null)?.['email'] ?? undefined) as string | undefined
}

/** Whether a customer of ours has the address of somebody else. */
export const isLent: WriteKind['bears'] = async (session, id, mark) => {
  const now = await addressOf(session, id)
  return now !== undefined && oneOf([mark])(now) === undefined
}

/** It gets one of its own again. */
export const giveBackAddress = ({ id, mark }: Entry): Operation =>
  withVariables(updateCustomer, { id, node: { email: ownAddress(mark) } })
