/** What is promised of the pixels of the account. */
import { assumed, inconclusive, documented, fail, type Check, type Context } from '../src/contract/check.js'
import { ofRun } from '../src/writing/run-tag.js'
import { withVariables } from '../src/contract/operation.js'
import { examplePixels, pixels, updateAccount } from './account.js'
import { Rejected } from '../src/contract/rejection.js'
import { accepted, writerOf } from './support/resource.js'
import type { Data } from './support/samples.js'
import { deepEqual } from '../src/shared/deep-equal.js'
import { pixelLists, pixelsNow, type PixelChange } from './support/putting-back.js'

/** Whether a list shows the same pixels; that it keeps their order is not said. */
const sameRows = (a: unknown, b: unknown): boolean => deepEqual(sorted(a), sorted(b))

const sorted = (list: unknown) =>
  Array.isArray(list) ? list.map((it: Data) => JSON.stringify([it['label'], it['value']])).sort() : list

/** Whether a list shows at least these; more may be of somebody else, who adds some meanwhile. */
const shows = (list: unknown, pixels: unknown): boolean =>
  (pixels as readonly Data[]).every((pixel) => (list as readonly Data[]).some((it) => sameRows([it], [pixel])))

/** The pixels that this run may have added. */
const added = (context: Context): Pick<PixelChange, 'list' | 'pixel'>[] => context.shared('added pixels', () => [])

/** The lists as they stand. From an older state, what was added since would be written over. */
async function standingPixels(context: Context): Promise<Data> {
  const lateIn = (all: Data) => added(context).find(({ list, pixel }) => !shows(all[list], [pixel]))
  const all = await writerOf(context).eventually(
    () => pixelsNow(context),
    (it) => lateIn(it) === undefined,
  )
  const late = lateIn(all)
  if (late === undefined) return all
  return inconclusive(`The account does not show in ${late.list} what this run added, so nothing more is added to it.`)
}

/** Adds a pixel to what stands in a list. The other lists are sent as they stand, unless only this one shall be. */
async function addPixel(context: Context, list: PixelChange['list'], { alone = false } = {}) {
  const writer = writerOf(context)
  await writer.fits('InputUpdateAccount', examplePixels)
  const mark = writer.mark()
  const row = writer.row('Pixel')
  const pixel = { label: `${mark} ${row['label']}`, value: row['value'] }
  const isOurs = ({ label }: Data) => ofRun(writer.run)(String(label)) !== undefined
  const one = { list, pixel }
  // As they are read right before they are sent.
  let all: Data = {}
  let after: readonly Data[] = []
  const making = writer.make({
    kind: 'pixels',
    mark,
    operation: updateAccount,
    latest: async () => {
      all = await standingPixels(context)
      after = [...rowsOf(all[list]), pixel]
      const others = pixelLists.filter((it) => it !== list).map((it) => [it, rowsOf(all[it])] as const)
      const unsent = alone && Object.fromEntries(others.map(([it, rows]) => [it, rows.filter((row) => !isOurs(row))]))
      // Also where the answer is lost: it may have been done.
      added(context).push(one)
      return {
        operation: withVariables(updateAccount, { node: { ...(!alone && Object.fromEntries(others)), [list]: after } }),
        keep: { ...one, ...(unsent && { unsent }) },
      }
    },
    keepOf: (answer, keep) => withEmptied(keep as PixelChange, answer['updateAccount']),
    idOf: (answer) => ((answer['updateAccount'] as Data | null)?.[list] ? list : undefined),
  })
  const { data } = await accepted(
    making.catch((error: unknown) => {
      if (error instanceof Rejected) added(context).splice(added(context).indexOf(one), 1)
      throw error
    }),
    'to add a pixel',
  )
  return { all, after, ours: after.filter(isOurs), answered: data['updateAccount'] as Data }
}

const rowsOf = (list: unknown): readonly Data[] => list as readonly Data[]

/** With the lists that were not sent and that the answer shows to be empty. */
function withEmptied(keep: PixelChange, answered: unknown): PixelChange {
  const isEmpty = (list: string) => {
    const shown = (answered as Data | null)?.[list]
    return Array.isArray(shown) && shown.length === 0
  }
  return { ...keep, emptied: Object.fromEntries(Object.entries(keep.unsent ?? {}).filter(([it]) => isEmpty(it))) }
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
    async run(context) {
      const { account: own } = await context.ask(pixels)
      const missed: string[] = []
      for (const list of pixelLists) {
        const { after, ours, answered } = await addPixel(context, list)
        if (answered['id'] !== (own as Data | null)?.['id'])
          fail(`updateAccount answers ${JSON.stringify(answered['id'])}, which is not the account.`)
        if (!sameRows(answered[list], after))
          fail(`${list} was sent as ${JSON.stringify(after)}, and the answer has ${JSON.stringify(answered[list])}.`)
        const later = await writerOf(context).eventually(
          () => pixelsNow(context),
          (it) => shows(it[list], after),
        )
        if (shows(later[list], after)) continue
        const words = `${list} was sent as ${JSON.stringify(after)}, and the account shows ${JSON.stringify(later[list])}.`
        if (!shows(later[list], ours)) fail(words)
        missed.push(words)
        // Once proves nothing: somebody may have taken his own out.
        if (missed.length > 1) fail(missed.join(' '))
      }
      if (missed[0]) inconclusive(`${missed[0]} Others may have taken out what is not there any more.`)
    },
  },
  {
    id: 'update-account-rest',
    title: 'A pixel list that updateAccount is not sent stays as it is.',
    basis: assumed('That a list which is left out stays is not said.'),
    writes: 'pixels',
    async run(context) {
      for (const list of sentAlone) {
        const { all, after, answered } = await addPixel(context, list, { alone: true })
        const later = await writerOf(context).eventually(
          () => pixelsNow(context),
          (it) => shows(it[list], after),
        )
        const moved = pixelLists.find((it) => it !== list && !shows(later[it], all[it]))
        if (!moved) continue
        const words = `${moved} was not sent and went from ${JSON.stringify(all[moved])} to ${JSON.stringify(later[moved])}`
        if (shows(answered[moved], all[moved])) inconclusive(`${words} after the answer, which others may have done.`)
        fail(`${words}.`)
      }
    },
  },
]
