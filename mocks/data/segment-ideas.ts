/** Ideas for segments: one for every plausible combination of one or two tags. */
import { tags, type Tag } from './tags.js'

export interface Condition {
  readonly operator: 'AND' | 'OR'
  readonly tags: readonly string[]
}

export interface Settings {
  readonly include: Condition
  readonly exclude: Condition
}

const nobody: Condition = { operator: 'AND', tags: [] }
export const everybody: Settings = { include: nobody, exclude: nobody }

export interface SegmentIdea {
  readonly name: string
  readonly description: string
  readonly settings: Settings
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const idea = (name: string, description: string, include: Condition, exclude = nobody): SegmentIdea => ({
  name: capital(name),
  description,
  settings: { include, exclude },
})

/** Groups of tags that exclude each other. */
const exclusive: readonly (readonly string[])[] = [
  ['no-orders', 'first-order', 'repeat-buyer'],
  ['no-orders', 'first-order', 'vip'],
  ['no-orders', 'gift-buyer'],
  ['no-orders', 'first-order', 'wholesale'],
  ['no-orders', 'first-order', 'returns-often'],
]
const canMeet = (a: Tag, b: Tag) => !exclusive.some((group) => group.includes(a.tag) && group.includes(b.tag))
/** Fewer than three orders never cost as much as a VIP spends. */
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

/** Every segment of one or two tags, with a name and a description that match its settings. */
export const segmentIdeas: readonly SegmentIdea[] = [...everyTag, ...everyPair]

/** Ideas of one tag come first. */
export const rankOfIdea = (idea: SegmentIdea): number => (everyTag.includes(idea) ? 0 : 1)
