/** Segments: filters on the tags of customers. */
import { memoizeWeak } from '../src/shared/memoize.js'
import { define, type RecordOf } from '../src/world/definition.js'
import type { Tally } from '../src/world/derived.js'
import type { Tallies } from '../src/world/world.js'
import { takeValues, type Context } from './context.js'
import { customers } from './customers.js'
import { listing } from './listing.js'
import { inSeedOrder } from './data/seed-order.js'
import { everybody, rankOfIdea, segmentIdeas, type Condition, type Settings } from './data/segment-ideas.js'
import { tagsOfGroup } from './data/tags.js'
import { drawCreatedAt, drawUpdatedAt, timeKeys, timesOf, type WrittenTimes } from './times.js'
import { existing, nullsIn, removeAll, valuesFrom, type InputOf, type NamedRow } from './updates.js'

interface Stored {
  readonly name: string | null
  readonly description: string | null
  readonly settings: Settings
  readonly created_at: number
  readonly updated_at: number
}

export type Segment = RecordOf<Stored>

const ideaOf = inSeedOrder('Segment', segmentIdeas, rankOfIdea)

export const segments = define<Stored>({
  name: 'Segment',
  idPrefix: 'seg_',
  stored: {
    name: (_, row, origin) => {
      const { name } = ideaOf(row.index, origin)
      const round = Math.floor(row.index / segmentIdeas.length) + 1
      return round > 1 ? `${name} (${String(round).padStart(2, '0')})` : name
    },
    description: (_, row, origin) => ideaOf(row.index, origin).description,
    settings: (_, row, origin) => ideaOf(row.index, origin).settings,
    created_at: drawCreatedAt,
    updated_at: drawUpdatedAt,
  },
  keys: {
    name: { value: (row) => row.name ?? '' },
    ...timeKeys,
  },
  stamp: 'updated_at',
})

/** Whether a customer with these tags belongs to a segment. Exclude overrides include. */
function membership({ include, exclude }: Settings): (customerTags: readonly string[]) => boolean {
  const [isIncluded, isExcluded] = [meets(include), meets(exclude)]
  return (tags) => (include.tags.length === 0 || isIncluded(tags)) && !(exclude.tags.length > 0 && isExcluded(tags))
}

/** Sets, because a condition may have thousands of tags. */
function meets({ operator, tags }: Condition): (customerTags: readonly string[]) => boolean {
  const wanted = new Set(tags)
  if (operator === 'OR') return (own) => own.some((it) => wanted.has(it))
  return (own) => {
    const has = new Set(own)
    return wanted.size <= has.size && tags.every((it) => has.has(it))
  }
}

/** Counts the customers of a segment by the combinations of tags that they have, which are far fewer than customers. */
const counterOf = memoizeWeak((tally: Tally) => {
  const groups = [...tally].map(([group, count]) => ({ tags: tagsOfGroup(group), count }))
  return memoizeWeak((settings: Settings) => {
    const belongs = membership(settingsFrom(settings))
    return groups.reduce((sum, group) => sum + (belongs(group.tags) ? group.count : 0), 0)
  })
})

const countMembers = (tallies: Tallies, settings: Settings): number =>
  tallies.reduce((sum, tally) => sum + counterOf(tally)(settings), 0)

interface ConditionInput {
  readonly operator?: 'AND' | 'OR' | null
  readonly tags?: readonly string[] | null
}

interface SettingsInput {
  readonly include?: ConditionInput | null
  readonly exclude?: ConditionInput | null
}

const conditionFrom = (input: ConditionInput | null | undefined): Condition => ({
  operator: input?.operator ?? 'AND',
  tags: input?.tags ?? [],
})

/** The settings with defaults for missing parts. */
const settingsFrom = (input: SettingsInput | null): Settings => ({
  include: conditionFrom(input?.include),
  exclude: conditionFrom(input?.exclude),
})

/** The inputs of the mutations, with their defaults. */
const blank: Pick<Stored, 'name' | 'description' | 'settings'> = { name: null, description: null, settings: everybody }

interface Input extends Omit<InputOf<typeof blank>, 'settings'> {
  readonly settings?: SettingsInput | null
}

const storedFrom = ({ settings, ...input }: Input) =>
  valuesFrom({ ...input, settings: settings && settingsFrom(settings) }, blank)

/** A segment of a world file. */
export interface SegmentRow extends Input, WrittenTimes, NamedRow {}

/** The values of a row of a world file: as createSegment would store it, with generated times if it has none. */
export const segmentOf = (row: SegmentRow, start: number) => ({
  ...blank,
  ...storedFrom(row),
  ...nullsIn(row),
  ...timesOf(row, start),
})

export const segmentResolvers = {
  Query: { segments: listing('segments', segments) },
  Mutation: {
    createSegment(_: unknown, { node: input }: { node: Input }, { world }: Context) {
      const now = world.clock.now()
      return world.create(segments, { ...blank, ...storedFrom(input), created_at: now, updated_at: now })
    },
    updateSegment(_: unknown, { id, node: input }: { id: string; node: Input }, context: Context) {
      return context.world.patch(segments, existing(context, segments, id).index, storedFrom(input))
    },
    deleteSegments: (_: unknown, { items }: { items: readonly string[] }, context: Context) =>
      removeAll(context, segments, items),
  },
  Segment: {
    uid: (segment: Segment) => segment.id,
    statistics({ settings }: Segment, _: unknown, { world, atOnce }: Context) {
      const tallies = atOnce ? world.tally(customers) : world.tallyAsync(customers)
      // The schema allows null, and `mock.set` can store it.
      const given = settings ?? everybody
      return tallies instanceof Promise ? tallies.then((it) => countMembers(it, given)) : countMembers(tallies, given)
    },
  },
  SegmentCondition: {
    tags: (condition: Condition, _: unknown, context: Context) => takeValues(context, condition.tags),
  },
}
