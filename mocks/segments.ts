/** Segments: filters on the tags of customers. */
import { define, type RecordOf } from '../src/world/definition.js'
import { compareText } from '../src/world/text.js'
import { takeValues, type Context } from './context.js'
import { customers } from './customers.js'
import { listing } from './listing.js'
import { inSeedOrder } from './data/seed-order.js'
import { everybody, rankOfIdea, segmentIdeas, type Condition, type Settings } from './data/segment-ideas.js'
import { tagsOfGroup } from './data/tags.js'
import { drawCreatedAt, drawUpdatedAt, timeKeys, timesOf, type Times } from './times.js'
import { existing, removeAll, sent } from './updates.js'

interface Stored {
  readonly name: string | null
  readonly description: string | null
  readonly settings: Settings
  readonly created_at: number
  readonly updated_at: number
}

export type Segment = RecordOf<Stored>

/** The beginning of the name if an idea is used again. */
const repeated = (name: string) => `${name} (`

/** Repeated names have ranks of their own: `A & B` sorts between `A` and `A (02)`. */
const nameRanks = new Map(
  segmentIdeas
    .flatMap(({ name }) => [name, repeated(name)])
    .sort(compareText)
    .map((name, rank) => [name, rank]),
)

const ideaOf = inSeedOrder('Segment', segmentIdeas, rankOfIdea)

/** How often the idea was used before. */
const roundOf = (index: number) => Math.floor(index / segmentIdeas.length)

export const segments = define<Stored>({
  name: 'Segment',
  idPrefix: 'seg_',
  stored: {
    name: (_, row, birth) => {
      const round = roundOf(row.index)
      const { name } = ideaOf(row.index, birth)
      return round > 0 ? `${repeated(name)}${String(round + 1).padStart(2, '0')})` : name
    },
    description: (_, row, birth) => ideaOf(row.index, birth).description,
    settings: (_, row, birth) => ideaOf(row.index, birth).settings,
    created_at: drawCreatedAt,
    updated_at: drawUpdatedAt,
  },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    name: {
      value: (row) => row.name ?? '',
      rank: (row, birth) => {
        const round = roundOf(row.index)
        const { name } = ideaOf(row.index, birth)
        return (nameRanks.get(round > 0 ? repeated(name) : name) as number) * 100 + round
      },
    },
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

interface Groups {
  readonly groups: readonly { readonly tags: readonly string[]; readonly count: number }[]
  /** How many customers belong to a segment, by its stored settings. */
  readonly members: WeakMap<object, number>
}

const groupsOf = new WeakMap<ReadonlyMap<string, number>, Groups>()

/** How many customers belong to a segment, computed from the number of customers with each combination of tags. */
function membersOf(tally: ReadonlyMap<string, number>, settings: Input['settings']): number {
  let read = groupsOf.get(tally)
  if (!read) {
    const groups = [...tally].map(([group, count]) => ({ tags: tagsOfGroup(group), count }))
    groupsOf.set(tally, (read = { groups, members: new WeakMap() }))
  }
  const known = settings ? read.members.get(settings) : undefined
  if (known !== undefined) return known
  const belongsTo = membership(settingsFrom(settings))
  const members = read.groups.reduce((sum, group) => sum + (belongsTo(group.tags) ? group.count : 0), 0)
  if (settings) read.members.set(settings, members)
  return members
}

interface ConditionInput {
  readonly operator?: 'AND' | 'OR' | null
  readonly tags?: readonly string[] | null
}

interface Input {
  readonly name?: string | null
  readonly description?: string | null
  readonly settings?: { readonly include?: ConditionInput | null; readonly exclude?: ConditionInput | null } | null
}

const conditionFrom = (input: ConditionInput | null | undefined): Condition => ({
  operator: input?.operator ?? 'AND',
  tags: input?.tags ?? [],
})

/** The settings with defaults for missing parts. */
const settingsFrom = (input: Input['settings']): Settings => ({
  include: conditionFrom(input?.include),
  exclude: conditionFrom(input?.exclude),
})

const storedFrom = ({ name, description, settings }: Input) => ({
  name,
  description,
  settings: settings === undefined ? undefined : settingsFrom(settings),
})

/** A segment of a world file. */
export interface SegmentRow extends Input, Partial<Times> {}

/** The values of a row of a world file: as createSegment would store it, with generated times if it has none. */
export const segmentOf = (row: SegmentRow) => sent(Object.assign(storedFrom(row), timesOf(row)), blank)

/** The defaults of createSegment. */
const blank = { name: null, description: null, settings: everybody }

export const segmentResolvers = {
  Query: { segments: listing('segments', segments) },
  Mutation: {
    createSegment(_: unknown, { node: input }: { node: Input }, { world }: Context) {
      const now = world.clock.now()
      return world.create(segments, sent(storedFrom(input), { created_at: now, updated_at: now, ...blank }))
    },
    updateSegment(_: unknown, { id, node: input }: { id: string; node: Input }, context: Context) {
      return context.world.patch(segments, existing(context, segments, id).index, storedFrom(input))
    },
    deleteSegments: (_: unknown, { items }: { items: readonly string[] }, context: Context) =>
      removeAll(context, segments, items),
  },
  Segment: {
    uid: (segment: Segment) => segment.id,
    // The schema allows null in settings, and `mock.set` can store it.
    statistics({ settings }: Segment, _: unknown, { world, atOnce }: Context) {
      const tally = atOnce ? world.tally(customers) : world.tallyAsync(customers)
      return tally instanceof Promise ? tally.then((it) => membersOf(it, settings)) : membersOf(tally, settings)
    },
  },
  SegmentCondition: {
    tags: (condition: Condition, _: unknown, context: Context) => takeValues(context, condition.tags),
  },
}
