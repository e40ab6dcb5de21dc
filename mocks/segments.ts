/** Segments: filters on the tags of customers, how they are named, listed, created, changed and deleted. */
import { define } from '../src/world/definition.js'
import { compareText } from '../src/world/text.js'
import type { Entity } from '../src/world/world.js'
import { takeValues, type Context } from './context.js'
import { customers } from './customers.js'
import { listing } from './listing.js'
import { inSeedOrder } from './data/seed-order.js'
import { tags, tagsOfGroup, type Tag } from './data/tags.js'
import { drawCreatedAt, drawUpdatedAt, timeFields, timeKeys, timesOf, type Times } from './times.js'
import { existing, removeAll, sent } from './updates.js'

interface Condition {
  readonly operator: 'AND' | 'OR'
  readonly tags: readonly string[]
}

interface Settings {
  readonly include: Condition
  readonly exclude: Condition
}

interface Stored {
  readonly name: string | null
  readonly description: string | null
  readonly settings: Settings
  readonly created_at: number
  readonly updated_at: number
}

export type Segment = Entity<Stored>

const nobody: Condition = { operator: 'AND', tags: [] }
const everybody: Settings = { include: nobody, exclude: nobody }

interface Idea {
  readonly name: string
  readonly description: string
  readonly settings: Settings
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const idea = (name: string, description: string, include: Condition, exclude = nobody): Idea => ({
  name: capital(name),
  description,
  settings: { include, exclude },
})

/** Groups of tags of which nobody has two. */
const apart: readonly (readonly string[])[] = [
  ['no-orders', 'first-order', 'repeat-buyer'],
  ['no-orders', 'first-order', 'vip'],
  ['no-orders', 'gift-buyer'],
  ['no-orders', 'first-order', 'wholesale'],
  ['no-orders', 'first-order', 'returns-often'],
]
const canMeet = (a: Tag, b: Tag) => !apart.some((group) => group.includes(a.tag) && group.includes(b.tag))
/** Nobody spends as much as a VIP on fewer than three orders. */
const isAlways = (a: Tag, b: Tag) => a.tag === 'vip' && b.tag === 'repeat-buyer'

const everyTag = tags.map((a) => idea(a.people, `Everybody tagged ${a.tag}.`, { operator: 'AND', tags: [a.tag] }))

const everyPair = tags.flatMap((a, i) => [
  ...tags.slice(i + 1).flatMap((b) => {
    const both = [a.tag, b.tag]
    const either = canMeet(a, b) ? `Tagged ${a.tag}, ${b.tag}, or both.` : `Tagged ${a.tag} or ${b.tag}.`
    return [
      ...(canMeet(a, b)
        ? [idea(`${a.people} & ${b.people}`, `Tagged both ${a.tag} and ${b.tag}.`, { operator: 'AND', tags: both })]
        : []),
      idea(`${a.people} or ${b.people}`, either, { operator: 'OR', tags: both }),
    ]
  }),
  ...tags
    .filter((b) => b !== a && canMeet(a, b) && !isAlways(a, b))
    .map((b) =>
      idea(
        `${a.people} except ${b.people}`,
        `Tagged ${a.tag} but not ${b.tag}.`,
        { operator: 'AND', tags: [a.tag] },
        { operator: 'AND', tags: [b.tag] },
      ),
    ),
])

/** Every segment that one or two tags make, each with a name and a description that say what it holds. */
const ideas: readonly Idea[] = [...everyTag, ...everyPair]

/** What the names of an idea that comes again begin with. */
const again = (name: string) => `${name} (`

/** Names that come again have a rank of their own: `A & B` stands between `A` and `A (02)`. */
const nameRanks = new Map(
  ideas
    .flatMap(({ name }) => [name, again(name)])
    .sort(compareText)
    .map((name, rank) => [name, rank]),
)

/** The plain ideas come first. */
const ideaOf = inSeedOrder('Segment', ideas, (it) => (everyTag.includes(it) ? 0 : 1))

/** How often an idea was used before, in two digits so that names sort as their numbers do. */
const roundOf = (index: number) => Math.floor(index / ideas.length)

export const segments = define<Stored>({
  name: 'Segment',
  idPrefix: 'seg_',
  stored: {
    name: (_, row, birth) => {
      const round = roundOf(row.index)
      const { name } = ideaOf(row.index, birth)
      return round > 0 ? `${again(name)}${String(round + 1).padStart(2, '0')})` : name
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
        return (nameRanks.get(round > 0 ? again(name) : name) as number) * 100 + round
      },
    },
    ...timeKeys,
  },
  stamp: 'updated_at',
})

/** Whether a customer with these tags belongs to a segment. Tags are compared exactly; exclude wins over include. */
function membership({ include, exclude }: Settings): (customerTags: readonly string[]) => boolean {
  const [isIncluded, isExcluded] = [meets(include), meets(exclude)]
  return (tags) => (include.tags.length === 0 || isIncluded(tags)) && !(exclude.tags.length > 0 && isExcluded(tags))
}

/** A condition may have thousands of tags: they are looked up, not searched. */
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
  /** How many customers belong to segments that were asked for before, by the settings as they are stored. */
  readonly members: WeakMap<object, number>
}

const readGroups = new WeakMap<ReadonlyMap<string, number>, Groups>()

/** How many customers belong to a segment, from one count of the customers by their tags. */
function membersOf(tally: ReadonlyMap<string, number>, settings: Input['settings']): number {
  let read = readGroups.get(tally)
  if (!read) {
    const groups = [...tally].map(([group, count]) => ({ tags: tagsOfGroup(group), count }))
    readGroups.set(tally, (read = { groups, members: new WeakMap() }))
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

/** Settings in which nothing is missing. */
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

/** The values of a row of a world file. What it leaves out is as if the API had made the segment, the times are drawn. */
export const segmentOf = (row: SegmentRow) => sent(Object.assign(storedFrom(row), timesOf(row)), blank)

/** What is not sent when a segment is made. */
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
    ...timeFields,
    uid: (segment: Segment) => segment.id,
    // `mock.store.set` can leave parts of the settings null, as the schema allows.
    statistics({ $world: world, settings }: Segment, _: unknown, { atOnce }: Context) {
      const tally = atOnce ? world.tally(customers) : world.tallySoon(customers)
      return tally instanceof Promise ? tally.then((it) => membersOf(it, settings)) : membersOf(tally, settings)
    },
  },
  SegmentCondition: {
    tags: (condition: Condition, _: unknown, context: Context) => takeValues(context, condition.tags),
  },
}
