/** What is promised of the pixels of the account. */
import { assumed, cannotTell, documented, unmet, type Check, type Session } from '../src/contract/check.js'
import { withVariables } from '../src/contract/operation.js'
import { examplePixels, pixels, updateAccount } from './account.js'
import { Refused } from '../src/contract/refusal.js'
import { writerOf } from './resource.js'
import type { Data } from './samples.js'
import { same } from './shown.js'
import { pixelLists, type PixelChange } from './putting-back.js'

const pixelsNow = async (session: Session): Promise<Data> => ((await session.ask(pixels))['account'] ?? {}) as Data

/** The lists as this run sent them last. */
const lastSent = (session: Session): Map<PixelChange['list'], unknown> =>
  session.shared('pixel lists sent last', () => new Map())

/** The lists as they stand. From an older state, what was added since would be written over. */
async function standingPixels(session: Session): Promise<Data> {
  const sent = lastSent(session)
  const lateIn = (all: Data) => [...sent.keys()].find((list) => !same(all[list], sent.get(list)))
  const all = await writerOf(session).eventually(
    () => pixelsNow(session),
    (it) => lateIn(it) === undefined,
  )
  const late = lateIn(all)
  if (late === undefined) return all
  return cannotTell(`The account does not show ${late} as this run sent it last, so nothing is added to what it shows.`)
}

/** Adds a pixel to what stands in a list. The other lists are sent as they stand, unless only this one shall be. */
async function addPixel(session: Session, list: PixelChange['list'], { alone = false } = {}) {
  const writer = writerOf(session)
  await writer.fits('InputUpdateAccount', examplePixels)
  const all = await standingPixels(session)
  const before = all[list] as readonly unknown[]
  const mark = writer.mark()
  const row = writer.row('Pixel')
  const after = [...before, { label: `${row['label']} ${mark}`, value: row['value'] }]
  const others = Object.fromEntries(pixelLists.filter((it) => it !== list).map((it) => [it, all[it]]))
  const keep: PixelChange = { list, before, after, others }
  const sent: Data = alone ? { [list]: after } : { ...others, [list]: after }
  const making = writer.make({
    kind: 'pixels',
    mark,
    keep,
    operation: withVariables(updateAccount, { node: sent }),
    idOf: (answer) => ((answer['updateAccount'] as Data | null)?.[list] ? list : undefined),
  })
  // Also where the answer is lost: it may have been done.
  lastSent(session).set(list, after)
  const { data } = await making.catch((error: unknown) => {
    if (error instanceof Refused) lastSent(session).set(list, before)
    throw error
  })
  return { all, after, answered: data['updateAccount'] as Data }
}

/** The lists that are sent by themselves, to see whether the others stay. */
const sentAlone = pixelLists.slice(0, 1)

/** How many pixels a run adds. */
export const pixelsAdded = pixelLists.length + sentAlone.length

export const pixelWrites: readonly Check[] = [
  {
    id: 'update-account',
    title: 'updateAccount answers the pixel lists as they were sent, and the account then shows them.',
    basis: documented(
      'Account settings: updateAccount, mutation: the Account (`id` and the requested fields, including the three pixel lists).',
    ),
    writes: 'pixels',
    async run(session) {
      const { account: own } = await session.ask(pixels)
      for (const list of pixelLists) {
        const { after, answered } = await addPixel(session, list)
        if (answered['id'] !== (own as Data | null)?.['id'])
          unmet(`updateAccount answers ${JSON.stringify(answered['id'])}, which is not the account.`)
        if (!same(answered[list], after))
          unmet(`${list} was sent as ${JSON.stringify(after)}, and the answer has ${JSON.stringify(answered[list])}.`)
        const later = await writerOf(session).eventually(
          () => pixelsNow(session),
          (it) => same(it[list], after),
        )
        if (!same(later[list], after))
          unmet(`${list} was sent as ${JSON.stringify(after)}, and the account shows ${JSON.stringify(later[list])}.`)
      }
    },
  },
  {
    id: 'update-account-rest',
    title: 'A pixel list that updateAccount is not sent stays as it is.',
    basis: assumed('That a list which is left out stays is not said.'),
    writes: 'pixels',
    async run(session) {
      for (const list of sentAlone) {
        const { all, after } = await addPixel(session, list, { alone: true })
        const later = await writerOf(session).eventually(
          () => pixelsNow(session),
          (it) => same(it[list], after),
        )
        const moved = pixelLists.find((it) => it !== list && !same(later[it], all[it]))
        if (moved)
          unmet(`${moved} was not sent and went from ${JSON.stringify(all[moved])} to ${JSON.stringify(later[moved])}.`)
      }
    },
  },
]
