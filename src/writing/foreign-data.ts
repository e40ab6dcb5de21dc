/** Compares what other people have in the account, read before the first write and after cleanup. */
import type { Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import { deepEqual } from '../shared/json.js'
import { messageOf } from '../shared/text.js'
import { readUntil } from './eventually.js'
import type { Ledger } from './ledger.js'

/** The compared fields of each object of other people, by a name such as `Store store_1`. */
export interface Reading {
  readonly objects: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Run tags on objects of other runs. */
  readonly otherTags: readonly string[]
}

/** Operations that together read foreign data. */
export type Way = readonly Operation[]

/** How to read foreign data of a service. */
export interface ForeignData {
  /** Two ways to read what the server shows: all in one request, and less in several for a server with limits. */
  readonly ways: (context: Context) => Promise<readonly [all: Way, less: Way]>
  /** Throws an error if the server shows nothing. */
  readonly read: (context: Context, way: Way, isOwn: (id: string) => boolean) => Promise<Reading>
  /** Whether an object that a later reading lacks no longer exists. A page may just not reach it. */
  readonly isGone: (context: Context, name: string) => Promise<boolean>
}

export interface Comparison {
  readonly outcome: 'pass' | 'skip' | 'inconclusive'
  readonly sentence: string
  /** A tag of another run that wrote meanwhile. */
  readonly otherTag?: string | undefined
}

const unreadable = (message: string): Comparison => ({
  outcome: 'inconclusive',
  sentence: `Foreign data cannot be read: ${message}`,
})

/** Reads foreign data before the first write of a run, and compares it after cleanup. */
export function watchForeignData(foreignData: ForeignData, ledger: Ledger) {
  const isOwn = (id: string) => ledger.entries().some((it) => it.id === id)
  /** The first reading, or why there is none. */
  let first: { readonly way: Way; readonly reading: Reading } | string = 'no check wrote.'
  return {
    async begin(context: Context): Promise<void> {
      const read = async (way: Way) => ({ way, reading: await foreignData.read(context, way, isOwn) })
      first = await foreignData
        .ways(context)
        .then(([all, less]) => read(all).catch(() => read(less)))
        .catch(messageOf)
    },
    async compare(context: Context, timeoutMs: number): Promise<Comparison> {
      if (ledger.entries().length === 0) return { outcome: 'skip', sentence: 'Nothing was written.' }
      if (typeof first === 'string') return unreadable(first)
      const { way, reading: before } = first
      const read = async () => {
        const after = await foreignData.read(context, way, isOwn)
        const isGone = (name: string) => foreignData.isGone(context, name)
        return { after, differences: await differencesIn(before, after, isGone) }
      }
      try {
        const { value } = await readUntil(timeoutMs, read, ({ differences }) => differences.length === 0)
        const { after, differences } = value
        const otherTag = [...before.otherTags, ...after.otherTags].find(
          (it) =>
            !it.startsWith(`${ledger.head.run}-`) && !(before.otherTags.includes(it) && after.otherTags.includes(it)),
        )
        if (differences.length > 0) return { outcome: 'inconclusive', sentence: shortened(differences), otherTag }
        return { outcome: 'pass', sentence: `${before.objects.size} objects are unchanged.`, otherTag }
      } catch (error) {
        return unreadable(messageOf(error))
      }
    },
  }
}

const maxDifferences = 3

function shortened(differences: readonly string[]): string {
  const rest = differences.length - maxDifferences
  return [...differences.slice(0, maxDifferences), ...(rest > 0 ? [`${rest} more differences.`] : [])].join(' ')
}

/** What changed or went between two readings. New objects do not count. */
async function differencesIn(
  { objects: before }: Reading,
  { objects: after }: Reading,
  isGone: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const differences: string[] = []
  for (const [name, fields] of before) {
    const now = after.get(name)
    if (!now) {
      const was = Object.keys(fields).length > 0 ? JSON.stringify(fields) : 'in the account'
      if (await isGone(name)) differences.push(`${name} was ${was} before the run and is gone after it.`)
      continue
    }
    for (const [field, value] of Object.entries(fields)) {
      if (deepEqual(value, now[field])) continue
      const [was, is] = [value, now[field]].map((it) => JSON.stringify(it))
      differences.push(`${field} of ${name} was ${was} before the run and is ${is} after it.`)
    }
  }
  return differences
}
