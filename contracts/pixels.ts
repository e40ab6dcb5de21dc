/** Pixels of the account: what updateAccount promises of their lists, and how a run takes its pixels out again. */
import {
  assumed,
  documented,
  fail,
  inconclusive,
  type Check,
  type Context,
  type Data,
  type Finding,
} from '../src/contract/check.js'
import { within } from '../src/contract/identity.js'
import { dataLost } from '../src/contract/verdict.js'
import { withVariables, type Operation } from '../src/contract/operation.js'
import { Rejected } from '../src/contract/rejection.js'
import { deepEqual } from '../src/shared/json.js'
import type { Eventually } from '../src/writing/eventually.js'
import type { Entry, KnownEntry } from '../src/writing/ledger.js'
import { taggedAmong } from '../src/writing/find.js'
import { type CleanupStep, type Resource, stringOf } from '../src/writing/resource.js'
import { oneOf, ofRun } from '../src/writing/run-tag.js'
import { examplePixels, pixelLists, pixels, updateAccount } from './account.js'
import { judgeTexts, keepsTexts, takenWithTexts } from './rules/texts.js'
import { judgeAll, judgeEach } from './support/judge-each.js'
import { sampleTexts } from './support/texts.js'
import { says } from './support/shown.js'
import { accepted, writerOf } from './support/writer.js'

type PixelList = (typeof pixelLists)[number]
type Lists = Readonly<Record<string, readonly Data[]>>

/** A pixel that was added to a list, as the ledger keeps it. */
export interface PixelChange {
  readonly list: PixelList
  readonly pixel: Data
  /** The lists that were not sent, as they were, without pixels of this run. */
  readonly unsent?: Data | undefined
  /** Those of them that the answer showed to be empty. If one is emptied later, somebody has a reason. */
  readonly emptied?: Data | undefined
}

/** How many pixels a run adds. */
const pixelsAdded = pixelLists.length + 2

const changeOf = ({ keep }: Entry) => keep as PixelChange

const rowsIn = (list: unknown): readonly Data[] => (list ?? []) as readonly Data[]

async function readLists(context: Context): Promise<Lists> {
  const { account } = await context.ask(pixels)
  if (!account)
    return fail('The server shows no account, and so no pixels.', { code: 'null-value', at: 'Query.account' })
  return Object.fromEntries(pixelLists.map((it) => [it, rowsIn((account as Data)[it])]))
}

const writeLists = (lists: Lists): Operation => withVariables(updateAccount, { node: lists })

const withoutId = ({ label, value }: Data): Data => ({ label, value })

/** The pixels that a list lacks. A pixel has no id, and may be anywhere in the list. */
const lackedBy = (list: unknown, wanted: readonly Data[]): readonly Data[] =>
  wanted.filter((pixel) => !rowsIn(list).some((it) => deepEqual(withoutId(it), withoutId(pixel))))

const taggedIn = (list: readonly Data[] | undefined, tag: string): readonly Data[] =>
  rowsIn(list).filter(({ label }) => oneOf([tag])(String(label)) !== undefined)

/** The pixels that an entry added. One whose value somebody changed since is not ours any more. */
const addedBy = (entry: Entry, lists: Lists): readonly Data[] =>
  taggedIn(lists[changeOf(entry).list], entry.key).filter(({ value }) =>
    says(changeOf(entry).pixel['value'], value, false),
  )

/** The same label can be in each of the three lists. */
const keyOfPixel = ({ list, label }: Data) => `${stringOf(list)}: ${stringOf(label)}`

/** The pixels of all lists. The id of a pixel is its value, by which the platform knows it. */
const allPixels = async (context: Context): Promise<readonly Data[]> =>
  Object.entries(await readLists(context)).flatMap(([list, rows]) =>
    rows.map((it) => ({ ...it, list, id: stringOf(it['value']) })),
  )

export const pixelResource: Resource = {
  name: 'pixels',
  one: 'pixel',
  type: 'Pixel',
  tagField: 'label',
  async *list(context) {
    yield await allPixels(context)
  },
  create: {
    field: 'updateAccount',
    input: 'InputPixel',
    async operation(pixel, row, context) {
      const list = stringOf(row['list'])
      const present = rowsIn((await readLists(context))[list]).map(withoutId)
      return writeLists({ [list]: [...present, pixel] })
    },
    objectIn: (account, { list, value }) => (account[stringOf(list)] ? { id: value } : null),
  },
  remove: {
    max: Number.MAX_SAFE_INTEGER,
    async operation(objects, context) {
      const isOurs = (it: Data) => objects.some(({ id, key }) => id === it['value'] && key === keyOfPixel(it))
      const lists = Object.entries(await readLists(context)).map(([list, rows]) => {
        const rest = rows.filter((it) => !isOurs({ ...it, list }))
        return { list, rest: rest.map(withoutId), isChanged: rest.length < rows.length }
      })
      return writeLists(Object.fromEntries(lists.flatMap((it) => (it.isChanged ? [[it.list, it.rest]] : []))))
    },
  },
  announced: `${pixelsAdded} are added to the lists of the account and removed again. Lists are written as a whole, so what somebody else adds at the same moment may be lost.`,
  keys: [{ name: 'label', of: keyOfPixel }],
  values: withoutId,
  // A list is read before it is written as a whole, so two pixels cannot be added at once.
  serial: true,
  find: async (context, findTag) =>
    taggedAmong(
      (await allPixels(context)).map((it) => ({ ...it, id: it['list'] })),
      'label',
      findTag,
    ),
  hasTag: async (context, list, tag) => taggedIn((await readLists(context))[list], tag).length > 0,
  isLeft: async (context, entry) => addedBy(entry, await readLists(context)).length > 0,
  cleanup: takePixelsOut,
  async review(context, entries, eventually) {
    const unsent = entries.flatMap((it) => Object.entries(changeOf(it).unsent ?? {}))
    const had = unsent.filter(([, rows]) => rowsIn(rows).length > 0)
    if (had.length === 0) return []
    const emptyIn = (shown: Lists) => had.filter(([list]) => shown[list]?.length === 0)
    const shown = await eventually(
      () => readLists(context),
      (it) => emptyIn(it).length === 0,
    )
    return emptyIn(shown).map(
      ([list, rows]) =>
        `${list} is empty. It had ${JSON.stringify(rows)} before this run sent another list. Check who emptied it, and restore manually what is missing.`,
    )
  },
}

/**
 * Takes only our pixels out of what the lists hold right before, so that changes of other people stay. Sends all three
 * lists, because a server may empty one that is not sent, and restores one that it was seen to empty for that reason.
 */
async function* takePixelsOut(
  context: Context,
  entries: readonly KnownEntry[],
  eventually: Eventually,
): AsyncGenerator<CleanupStep> {
  const shown = await eventually(
    () => readLists(context),
    (it) => entries.every(({ id, key }) => taggedIn(it[id], key).length > 0),
  )
  const ours = entries.flatMap((it) => addedBy(it, shown))
  const emptied = Object.fromEntries(entries.flatMap((it) => Object.entries(changeOf(it).emptied ?? {})))
  const rest = Object.fromEntries(
    Object.entries(shown).map(([list, rows]) => {
      const left = rows.filter((it) => !ours.includes(it))
      return [list, (left.length > 0 ? left : rowsIn(emptied[list] ?? left)).map(withoutId)]
    }),
  )
  if (!deepEqual(rest, shown)) {
    yield { operation: () => writeLists(rest), entries: entries.filter((it) => addedBy(it, shown).length > 0) }
    const lost = (after: Lists) =>
      Object.entries(rest).flatMap(([list, rows]) => {
        const lacked = lackedBy(after[list], rows)
        return lacked.length > 0 ? [`${list} was sent back with ${JSON.stringify(lacked)}`] : []
      })
    const after = await eventually(
      () => readLists(context),
      (it) => lost(it).length === 0,
    )
    for (const it of lost(after)) {
      const left = `${it}, which the server no longer shows. Check who removed it; if nobody did, the server lost it.`
      yield { entries: [], left }
    }
  }
  const gone = entries.filter(({ id, key }) => taggedIn(shown[id as string], key).length === 0)
  if (gone.length > 0) yield { entries: gone }
  for (const { id, key } of entries) {
    const others = taggedIn(rest[id], key)
    if (others.length === 0) continue
    const left = `${id} holds pixels tagged ${key} that this run did not add in this form: ${JSON.stringify(others)}. Left in place; remove them manually if they are not needed.`
    yield { entries: [], left }
  }
}

/** The pixels that this run may have added. */
const ownPixels = (context: Context): Pick<PixelChange, 'list' | 'pixel'>[] => context.shared('added pixels', () => [])

function forget(context: Context, change: Pick<PixelChange, 'list' | 'pixel'>): void {
  ownPixels(context).splice(ownPixels(context).indexOf(change), 1)
}

/** A list in which the server does not show a pixel that this run added. */
const listMissing = (context: Context, shown: Lists): PixelList | undefined =>
  ownPixels(context).find(({ list, pixel }) => lackedBy(shown[list], [pixel]).length > 0)?.list

const listsWithOurs = (context: Context): Promise<Lists> =>
  writerOf(context).eventually(
    () => readLists(context),
    (it) => listMissing(context, it) === undefined,
  )

interface Adding {
  readonly alone?: boolean
  /** A label in place of the usual one. */
  readonly text?: string
}

/** Adds a pixel to a list. Sends the other lists as they are, unless this one is sent `alone`. */
async function addPixel(context: Context, list: PixelList, { alone = false, text }: Adding = {}) {
  const writer = writerOf(context)
  await writer.fits('InputUpdateAccount', examplePixels)
  const tag = writer.newTag()
  const row = writer.row('Pixel')
  const change = { list, pixel: { label: `${tag} ${text ?? row['label']}`, value: row['value'] } }
  const isForeign = ({ label }: Data) => ofRun(writer.run)(String(label)) === undefined
  let before: Lists = {}
  let sent: readonly Data[] = []
  const pending = writer.create({
    kind: 'pixels',
    tag,
    operation: updateAccount,
    latest: async () => {
      before = await listsWithOurs(context)
      const stale = listMissing(context, before)
      // Sending an old list back would remove what was added since.
      if (stale) inconclusive(`${stale} does not show a pixel that this run added, so no more are added.`)
      const { [list]: present, ...rest } = before
      sent = [...rowsIn(present), change.pixel]
      const unsent = Object.fromEntries(Object.entries(rest).map(([it, rows]) => [it, rows.filter(isForeign)]))
      // Before it is sent, because it may be done even if the answer is lost.
      ownPixels(context).push(change)
      return {
        operation: writeLists({ ...(!alone && rest), [list]: sent }),
        keep: { ...change, ...(alone && { unsent }) },
      }
    },
    keepOf: ({ updateAccount: answered }, keep) => withEmptied(keep as PixelChange, answered as Data | null),
    idOf: ({ updateAccount: answered }) => ((answered as Data | null)?.[list] ? list : undefined),
  })
  const noteRejected = (error: unknown): never => {
    if (error instanceof Rejected) forget(context, change)
    throw error
  }
  const { data, exchanges } = await pending.catch(noteRejected)
  return { before, sent, change, tag, answered: data['updateAccount'] as Data, exchanges }
}

/** Adds the lists that were not sent and that the answer shows to be empty. */
function withEmptied(keep: PixelChange, answered: Data | null): PixelChange {
  const emptied = Object.entries(keep.unsent ?? {}).filter(([list]) => deepEqual(answered?.[list], []))
  return { ...keep, emptied: Object.fromEntries(emptied) }
}

/** The list that is sent alone. */
const [aloneList] = pixelLists

const withLabel = { type: 'Pixel', tagField: 'label', texts: { label: 'line' } } as const

export const pixelWrites: readonly Check[] = [
  {
    id: 'update-account',
    at: 'Mutation.updateAccount',
    title: '`updateAccount` MUST return the pixel lists as they were sent, foreign pixels included, and store them.',
    basis: documented(
      'Account settings: updateAccount, mutation: the Account (`id` and the requested fields, including the three pixel lists).',
    ),
    writes: 'pixels',
    async run(context) {
      const { account: own } = await context.ask(pixels)
      const judge = async (list: PixelList) => {
        const { sent, answered, exchanges } = await accepted(addPixel(context, list), 'a new pixel')
        await judgeAll(
          context,
          () => {
            if (answered['id'] === (own as Data | null)?.['id']) return
            const sentence = `updateAccount returned ${JSON.stringify(answered['id'])}, which is not the account.`
            fail(sentence, { at: 'Account.id', exchanges })
          },
          () => {
            if (rowsIn(answered[list]).length === sent.length && lackedBy(answered[list], sent).length === 0) return
            const [was, is] = [sent, answered[list]].map((it) => JSON.stringify(it))
            fail(`${list} was sent as ${was}, and the answer has ${is}.`, { at: `Account.${list}`, exchanges })
          },
          async () => {
            // Foreign pixels may be removed by their owners meanwhile; those of this run may not.
            const later = await listsWithOurs(context)
            const missing = listMissing(context, later)
            if (!missing) return
            const shown = JSON.stringify(later[missing])
            const sentence = `updateAccount returned ${list} with the new pixel, and ${missing} lost one of this run: ${shown}.`
            fail(sentence, { at: within('Query.account', `Account.${missing}`) })
          },
        )
      }
      // After a pixel is lost, nothing more is written, because foreign pixels may be lost next.
      const stopsAt = ({ at }: Finding) => at !== 'Account.id'
      await judgeEach(context, pixelLists, judge, { stopsIfOpen: true, stopsAt })
    },
  },
  {
    ...keepsTexts('pixel', '`updateAccount`'),
    writes: 'pixels',
    async run(context) {
      const adding = addPixel(context, aloneList, { text: sampleTexts.line })
      const { change, tag, answered, exchanges } = await takenWithTexts('pixel', adding)
      const { list, pixel } = change
      const own = (shown: Data) => taggedIn(rowsIn(shown[list]), tag)[0]
      const later = await writerOf(context).eventually(
        () => readLists(context),
        (it) => lackedBy(it[list], [pixel]).length === 0,
      )
      // A pixel with a damaged label is not a lost one.
      if (own(later)) forget(context, change)
      const evidence = [...exchanges, ...context.last()]
      await judgeEach(context, [answered, later], (shown) =>
        judgeTexts(withLabel, 'updateAccount', pixel, own(shown) ?? {}, evidence),
      )
    },
  },
  {
    id: 'update-account-rest',
    at: 'Mutation.updateAccount',
    title: '`updateAccount` SHOULD NOT change a pixel list that was not sent.',
    basis: assumed('That a list which is left out stays is not said.'),
    writes: 'pixels',
    async run(context) {
      const { before, answered } = await accepted(addPixel(context, aloneList, { alone: true }), 'a new pixel')
      const later = await listsWithOurs(context)
      const lacks = (shown: Data, list: string) => lackedBy(shown[list], rowsIn(before[list])).length > 0
      const changed = pixelLists.filter((it) => it !== aloneList && lacks(later, it))
      await judgeEach(context, changed, (list) => {
        const [was, is] = [before, later].map((it) => JSON.stringify(it[list]))
        const sentence = `${list} was not sent and changed from ${was} to ${is}`
        if (!lacks(answered, list)) inconclusive(`${sentence} after the answer, so somebody else may have done it.`)
        // The verdict names it.
        fail(`${sentence}.`, { code: dataLost, at: `Account.${list}` })
      })
    },
  },
]
