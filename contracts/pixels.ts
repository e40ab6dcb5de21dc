/** Pixels of the account: what updateAccount promises of their lists, and how a run takes its pixels out again. */
import { assumed, documented, fail, inconclusive, type Check, type Context, type Data } from '../src/contract/check.js'
import { withVariables } from '../src/contract/operation.js'
import { Rejected } from '../src/contract/rejection.js'
import { deepEqual } from '../src/shared/deep-equal.js'
import type { Entry, KnownEntry } from '../src/writing/ledger.js'
import { taggedAmong } from '../src/writing/find.js'
import { type CleanupStep, type Resource, stringOf } from '../src/writing/resource.js'
import { oneOf, ofRun } from '../src/writing/run-tag.js'
import { examplePixels, pixelLists, pixels, updateAccount } from './account.js'
import { says } from './support/shown.js'
import { accepted, writerOf } from './support/writer.js'

type PixelList = (typeof pixelLists)[number]

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
const pixelsAdded = pixelLists.length + 1

const changeOf = ({ keep }: Entry) => keep as PixelChange

const pixelsNow = async (context: Context): Promise<Data> => ((await context.ask(pixels))['account'] ?? {}) as Data

const rowsIn = (list: unknown): readonly Data[] => (list ?? []) as readonly Data[]

const taggedIn = (list: unknown, tag: string): readonly Data[] =>
  rowsIn(list).filter((it) => oneOf([tag])(String(it['label'])) !== undefined)

/** Whether a pixel is the one that was sent. One that somebody changed since is not ours any more. */
function isSent(entry: Entry, pixel: Data): boolean {
  const { pixel: sent } = changeOf(entry)
  const label = String(pixel['label'])
  // A server may shorten a label; the tag comes first in it.
  const isCut = label.length >= entry.key.length && String(sent?.['label']).startsWith(label)
  return says(isCut ? { ...sent, label } : (sent ?? null), pixel, false)
}

const withoutId = ({ label, value }: Data): Data => ({ label, value })

/** The pixels of all lists. A pixel has no id; its value is what the platform knows it by. */
const allPixels = async (context: Context): Promise<readonly Data[]> => {
  const { account } = await context.ask(pixels)
  if (!account) fail('The server shows no account, and so no pixels.')
  return pixelLists.flatMap((list) =>
    rowsIn((account as Data)[list]).map((it) => ({ ...it, list, id: stringOf(it['value']) })),
  )
}

/** The same label can be in each of the three lists. */
const keyOfPixel = ({ list, label }: Data) => `${stringOf(list)}: ${stringOf(label)}`

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
    async operation(pixel, { list }, context) {
      const present = (await allPixels(context)).filter((it) => it['list'] === list).map(withoutId)
      return withVariables(updateAccount, { node: { [stringOf(list)]: [...present, pixel] } })
    },
    objectIn: (account, { list, value }) => (account[stringOf(list)] ? { id: value } : null),
  },
  remove: {
    max: Number.MAX_SAFE_INTEGER,
    async operation(objects, context) {
      const present = await allPixels(context)
      const isOurs = (it: Data) => objects.some(({ id, key }) => id === it['id'] && key === keyOfPixel(it))
      const changed = pixelLists.filter((list) => present.some((it) => it['list'] === list && isOurs(it)))
      const rest = (list: string) => present.filter((it) => it['list'] === list && !isOurs(it)).map(withoutId)
      return withVariables(updateAccount, { node: Object.fromEntries(changed.map((it) => [it, rest(it)])) })
    },
  },
  announced: {
    documented: { input: 'InputUpdateAccount', values: examplePixels },
    all: `${pixelsAdded} are added to the lists of the account and removed again. Lists are written as a whole, so what somebody else adds at the same moment may be lost.`,
  },
  keys: [{ name: 'label', of: keyOfPixel }],
  values: ({ label, value }) => ({ label, value }),
  // A list is read before it is written as a whole, so two pixels cannot be added at once.
  serial: true,
  find: async (context, findTag) =>
    taggedAmong(
      (await allPixels(context)).map((it) => ({ ...it, id: it['list'] })),
      'label',
      findTag,
    ),
  hasTag: async (context, list, tag) => taggedIn((await pixelsNow(context))[list], tag).length > 0,
  isLeft: async (context, entry) =>
    taggedIn((await pixelsNow(context))[entry.id], entry.key).some((it) => isSent(entry, it)),
  cleanup: takePixelsOut,
  async review(context, entries, eventually) {
    const unsent = entries.flatMap((it) => Object.entries(changeOf(it).unsent ?? {}))
    const had = unsent.filter(([, rows]) => rowsIn(rows).length > 0)
    if (had.length === 0) return []
    const emptyIn = (shown: Data) => had.filter(([list]) => shown[list] && rowsIn(shown[list]).length === 0)
    const shown = await eventually(
      () => pixelsNow(context),
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
  eventually: <Value>(read: () => Promise<Value>, isWanted: (value: Value) => boolean) => Promise<Value>,
): AsyncGenerator<CleanupStep> {
  const readShowing = (wanted: readonly KnownEntry[]) =>
    eventually(
      () => pixelsNow(context),
      (it) => wanted.every(({ id, key }) => taggedIn(it[id], key).length > 0),
    )
  let lists = withoutOurs(await readShowing(entries), entries)
  const { taken, gone } = lists
  if (lists.differ) {
    let missing: Lists = {}
    yield {
      operation: async () => {
        lists = withoutOurs(await readShowing(taken), entries)
        return withVariables(updateAccount, { node: lists.rest })
      },
      onData: (data) => (missing = missingIn(data?.['updateAccount'], lists.rest)),
      entries: taken,
    }
    const after = await eventually(
      () => pixelsNow(context),
      (it) => Object.keys(missingIn(it, lists.rest)).length === 0,
    )
    // Reads may be stale and the answer may be wrong, so either of them counts.
    for (const [list, rows] of Object.entries({ ...missing, ...missingIn(after, lists.rest) })) {
      yield {
        entries: [],
        left: `${list} was sent back with ${JSON.stringify(rows)}, which the server no longer shows. Check who removed it; if nobody did, the server lost it.`,
      }
    }
  }
  if (gone.length > 0) yield { entries: gone }
  for (const left of lists.foreign) yield { entries: [], left }
}

type Lists = Readonly<Record<string, readonly Data[]>>

/** The lists without our pixels, the entries of those, and what carries their tags but is not ours. */
function withoutOurs(shown: Data, entries: readonly KnownEntry[]) {
  const rest: Record<string, readonly Data[]> = Object.fromEntries(pixelLists.map((it) => [it, rowsIn(shown[it])]))
  const before = JSON.stringify(rest)
  for (const [list, rows] of entries.flatMap((it) => Object.entries(changeOf(it).emptied ?? {}))) {
    if (rest[list]?.length === 0) rest[list] = rowsIn(rows)
  }
  const taken: KnownEntry[] = []
  const gone: KnownEntry[] = []
  const foreign: string[] = []
  for (const entry of entries) {
    const { list } = changeOf(entry)
    const tagged = taggedIn(rest[list], entry.key)
    const [own, another] = tagged.filter((it) => isSent(entry, it))
    const ours = another ? undefined : own
    if (ours) {
      rest[list] = rowsIn(rest[list]).filter((it) => it !== ours)
      taken.push(entry)
    }
    if (tagged.length === 0) gone.push(entry)
    const others = tagged.filter((it) => it !== ours)
    if (others.length === 0) continue
    foreign.push(
      `${list} holds pixels tagged ${entry.key} that this run did not add in this form: ${JSON.stringify(others)}. Left in place; remove them manually if they are not needed.`,
    )
  }
  return { rest, taken, gone, foreign, differ: JSON.stringify(rest) !== before }
}

/** The pixels that a server does not show of lists that it shows. */
function missingIn(shown: unknown, lists: Lists): Lists {
  const missing = Object.entries(lists).map(([list, rows]) => {
    const there = (shown as Data | null | undefined)?.[list]
    return [list, there ? rows.filter((row) => !rowsIn(there).some((it) => says(row, it, false))) : []] as const
  })
  return Object.fromEntries(missing.filter(([, rows]) => rows.length > 0))
}

/** Whether two lists hold the same pixels in any order. */
const samePixels = (a: unknown, b: unknown): boolean => deepEqual(sorted(a), sorted(b))

const sorted = (list: unknown) =>
  Array.isArray(list) ? list.map((it: Data) => JSON.stringify([it['label'], it['value']])).sort() : list

/** Whether a list shows at least these pixels. Other people may add more meanwhile. */
const showsAll = (list: unknown, wanted: unknown): boolean =>
  rowsIn(wanted).every((pixel) => rowsIn(list).some((it) => samePixels([it], [pixel])))

/** The pixels that this run may have added. */
const addedBy = (context: Context): Pick<PixelChange, 'list' | 'pixel'>[] => context.shared('added pixels', () => [])

/** A list in which the server does not show a pixel that this run added. */
const listMissing = (context: Context, shown: Data): PixelList | undefined =>
  addedBy(context).find(({ list, pixel }) => !showsAll(shown[list], [pixel]))?.list

const pixelsWithOurs = (context: Context): Promise<Data> =>
  writerOf(context).eventually(
    () => pixelsNow(context),
    (it) => listMissing(context, it) === undefined,
  )

/** Adds a pixel to a list. Sends the other lists as they are, unless this one is sent `alone`. */
async function addPixel(context: Context, list: PixelList, { alone = false } = {}) {
  const writer = writerOf(context)
  await writer.fits('InputUpdateAccount', examplePixels)
  const tag = writer.newTag()
  const row = writer.row('Pixel')
  const change = { list, pixel: { label: `${tag} ${row['label']}`, value: row['value'] } }
  const isForeign = ({ label }: Data) => ofRun(writer.run)(String(label)) === undefined
  let before: Data = {}
  let sent: readonly Data[] = []
  const pending = writer.create({
    kind: 'pixels',
    tag,
    operation: updateAccount,
    latest: async () => {
      before = await pixelsWithOurs(context)
      const stale = listMissing(context, before)
      // Sending an old list back would remove what was added since.
      if (stale) inconclusive(`${stale} does not show a pixel that this run added, so no more are added.`)
      sent = [...rowsIn(before[list]), change.pixel]
      const rest = pixelLists.filter((it) => it !== list).map((it) => [it, rowsIn(before[it])] as const)
      const unsent = alone && Object.fromEntries(rest.map(([it, rows]) => [it, rows.filter(isForeign)]))
      // Before it is sent, because it may be done even if the answer is lost.
      addedBy(context).push(change)
      return {
        operation: withVariables(updateAccount, { node: { ...(!alone && Object.fromEntries(rest)), [list]: sent } }),
        keep: { ...change, ...(unsent && { unsent }) },
      }
    },
    keepOf: (answer, keep) => withEmptied(keep as PixelChange, answer['updateAccount']),
    idOf: (answer) => ((answer['updateAccount'] as Data | null)?.[list] ? list : undefined),
  })
  const noteRejected = (error: unknown): never => {
    if (error instanceof Rejected) addedBy(context).splice(addedBy(context).indexOf(change), 1)
    throw error
  }
  const { data, exchanges } = await accepted(pending.catch(noteRejected), 'a new pixel')
  return { before, sent, answered: data['updateAccount'] as Data, exchanges }
}

/** Adds the lists that were not sent and that the answer shows to be empty. */
function withEmptied(keep: PixelChange, answered: unknown): PixelChange {
  const isEmpty = (list: string) => {
    const shown = (answered as Data | null)?.[list]
    return Array.isArray(shown) && shown.length === 0
  }
  return { ...keep, emptied: Object.fromEntries(Object.entries(keep.unsent ?? {}).filter(([it]) => isEmpty(it))) }
}

/** The list that is sent alone. */
const [aloneList] = pixelLists

export const pixelWrites: readonly Check[] = [
  {
    id: 'update-account',
    title: '`updateAccount` MUST return the pixel lists as they were sent, foreign pixels included, and store them.',
    basis: documented(
      'Account settings: updateAccount, mutation: the Account (`id` and the requested fields, including the three pixel lists).',
    ),
    writes: 'pixels',
    async run(context) {
      const { account: own } = await context.ask(pixels)
      for (const list of pixelLists) {
        const { sent, answered, exchanges } = await addPixel(context, list)
        const wrong = (sentence: string) => fail(sentence, exchanges)
        if (answered['id'] !== (own as Data | null)?.['id'])
          wrong(`updateAccount answers ${JSON.stringify(answered['id'])}, which is not the account.`)
        if (!samePixels(answered[list], sent))
          wrong(`${list} was sent as ${JSON.stringify(sent)}, and the answer has ${JSON.stringify(answered[list])}.`)
        // Foreign pixels may be removed by their owners meanwhile; those of this run may not.
        const later = await pixelsWithOurs(context)
        const missing = listMissing(context, later)
        if (missing)
          fail(
            `updateAccount answers ${list} with the new pixel, and ${missing} lost one of this run: ${JSON.stringify(later[missing])}.`,
          )
      }
    },
  },
  {
    id: 'update-account-rest',
    title: '`updateAccount` SHOULD NOT change a pixel list that was not sent.',
    basis: assumed('That a list which is left out stays is not said.'),
    writes: 'pixels',
    async run(context) {
      const { before, answered } = await addPixel(context, aloneList, { alone: true })
      const later = await pixelsWithOurs(context)
      const changed = pixelLists.find((it) => it !== aloneList && !showsAll(later[it], before[it]))
      if (!changed) return
      const [was, is] = [before, later].map((it) => JSON.stringify(it[changed]))
      const sentence = `${changed} was not sent and changed from ${was} to ${is}`
      if (showsAll(answered[changed], before[changed]))
        inconclusive(`${sentence} after the answer, so somebody else may have done it.`)
      fail(`${sentence}.`)
    },
  },
]
