/** Judges lists that other people may change while they are read. */
import { CheckFailure, inconclusive, type Exchange } from '../../src/contract/check.js'
import { seenTwice } from '../support/judge-each.js'
import { sameWindow, type Listing, type Row, type Window } from '../support/pages.js'

const attempts = 3

interface Judging {
  readonly first: () => Promise<Window>
  /** Reads the window anew. */
  readonly again: () => Promise<Window>
  readonly judge: (window: Window) => Promise<CheckFailure | undefined>
  /** What is wrong if the window was different each time it was read. */
  readonly unstable: (windows: readonly Window[]) => CheckFailure | undefined
}

/**
 * Judges a window until a result is certain, and returns the window. A failure counts only if it is seen twice, each
 * time with the same window before and after.
 */
export async function steadily({ first, again, judge, unstable }: Judging): Promise<Window> {
  let once: CheckFailure | undefined
  const windows = [await first()]
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = windows.at(-1) as Window
    const failure = await judge(before)
    if (!failure) return before
    const after = await again()
    windows.push(after)
    if (!sameWindow(before, after)) continue
    const confirmed = once && seenTwice(once, failure)
    if (confirmed) throw confirmed
    once = failure
  }
  if (once) return inconclusive(`Seen once, but not again: ${once.message}`)
  const failure = unstable(windows)
  if (failure) throw failure
  return inconclusive(`The list changed during each of ${attempts} attempts.`)
}

/** The smallest number of common elements that must move to turn one reading into the other. */
function movedBetween(one: readonly Row[], two: readonly Row[], value: (row: Row) => unknown) {
  const places = new Map(two.map((row, at) => [row.id, { at, value: value(row) }]))
  const common = one.flatMap((row) => {
    const place = places.get(row.id)
    return place && place.value === value(row) ? [place.at] : []
  })
  // For each length, the smallest last place of an ascending subsequence of that length.
  const ends: number[] = []
  for (const at of common) {
    const longer = ends.findIndex((it) => it >= at)
    ends[longer === -1 ? ends.length : longer] = at
  }
  return { moved: common.length - ends.length, common: common.length }
}

/** Keys whose values nobody can change. */
const fixedKeys = ['id', '_id', 'created_at']

/** The failure of a list whose order changes with each request, more than other people can have changed it. */
export function unstableOrder(listing: Listing, query: string, windows: readonly Window[]): CheckFailure | undefined {
  const key = /order_by:(\S+)/.exec(query)?.[1] ?? ''
  const isVisible = Object.hasOwn(listing.visibleKeys, key)
  const value = ({ node }: Row) => (isVisible ? node?.[key] : undefined)
  const changes = windows.slice(1).map((two, at) => movedBetween((windows[at] as Window).rows, two.rows, value))
  const sum = (of: 'moved' | 'common') => changes.reduce((total, it) => total + it[of], 0)
  // In an order of values that are hidden and may change, people can move elements, but hardly a quarter of them.
  const allowed = isVisible || fixedKeys.includes(key) ? 0 : Math.max(3 * changes.length, sum('common') / 4)
  if (changes.some(({ moved }) => moved === 0) || sum('moved') <= allowed) return undefined
  const sentence = `\`${listing.name}(query: ${JSON.stringify(query)})\` returns the same elements in another order at each of ${windows.length} requests, so none comes after a cursor.`
  const exchanges: readonly Exchange[] = windows.slice(-2).flatMap((it) => it.exchanges)
  return new CheckFailure([{ sentence, code: 'unstable-order', order: query, exchanges }])
}
