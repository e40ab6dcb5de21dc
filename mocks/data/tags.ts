/** The tags of customers: twelve words, each with what it says of a customer. */
import type { Draw } from '../../src/world/rng.js'

/** What the tags of a customer follow from. */
export interface Shopper {
  readonly orders_count: number
  readonly expenses: number
  readonly accepts_marketing: boolean
}

export interface Tag {
  readonly tag: string
  /** The customers that have it, for the names of segments. */
  readonly people: string
  readonly applies: (shopper: Shopper, draw: Draw) => boolean
}

/** Drawn ones ask the draw first, so that what a customer does never moves the other tags. */
const drawn = (share: number, applies: (shopper: Shopper) => boolean = () => true): Tag['applies'] => {
  return (shopper, draw) => draw.chance(share) && applies(shopper)
}

/** From these expenses on a customer is a VIP, in the currency of the account. */
export const vipFrom = 600

export const tags: readonly Tag[] = [
  { tag: 'vip', people: 'VIP customers', applies: ({ expenses }) => expenses >= vipFrom },
  { tag: 'newsletter', people: 'newsletter readers', applies: ({ accepts_marketing }) => accepts_marketing },
  { tag: 'no-orders', people: 'people without an order', applies: ({ orders_count }) => orders_count === 0 },
  { tag: 'first-order', people: 'first-time buyers', applies: ({ orders_count }) => orders_count === 1 },
  { tag: 'repeat-buyer', people: 'repeat buyers', applies: ({ orders_count }) => orders_count >= 3 },
  { tag: 'wholesale', people: 'wholesale buyers', applies: drawn(0.08, ({ orders_count }) => orders_count > 1) },
  { tag: 'gift-buyer', people: 'gift buyers', applies: drawn(0.15, ({ orders_count }) => orders_count > 0) },
  {
    tag: 'returns-often',
    people: 'people who return a lot',
    applies: drawn(0.1, ({ orders_count }) => orders_count > 1),
  },
  { tag: 'local-pickup', people: 'pickup customers', applies: drawn(0.15) },
  { tag: 'birthday-club', people: 'birthday club members', applies: drawn(0.18) },
  { tag: 'loyalty-card', people: 'loyalty card holders', applies: drawn(0.22) },
  { tag: 'press', people: 'press contacts', applies: drawn(0.03) },
]

export const drawTags = (draw: Draw, shopper: Shopper): string[] =>
  tags.filter(({ applies }) => applies(shopper, draw)).map(({ tag }) => tag)

/** Tags as the key of a group of customers, the same whatever their order. */
export const groupOf = (list: readonly string[]): string => JSON.stringify([...new Set(list)].sort())

export const tagsOfGroup = (group: string): readonly string[] => JSON.parse(group) as string[]
