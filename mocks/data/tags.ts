/** The tags of customers, each with the condition under which a customer has it. */
import type { Rng } from '../../src/world/rng.js'

/** The values that the tags of a customer depend on. */
export interface Shopper {
  readonly orders_count: number
  readonly expenses: number
  readonly accepts_marketing: boolean
}

export interface Tag {
  readonly tag: string
  /** The customers who have it, for the names of segments. */
  readonly people: string
  readonly applies: (shopper: Shopper, rng: Rng) => boolean
}

/** A random tag. It always takes one random number, so other values of a customer never change the other tags. */
const random = (share: number, applies: (shopper: Shopper) => boolean = () => true): Tag['applies'] => {
  return (shopper, rng) => rng.chance(share) && applies(shopper)
}

/** The expenses from which a customer is a VIP, in the currency of the account. */
export const vipFrom = 600

export const tags: readonly Tag[] = [
  { tag: 'vip', people: 'VIP customers', applies: ({ expenses }) => expenses >= vipFrom },
  { tag: 'newsletter', people: 'newsletter readers', applies: ({ accepts_marketing }) => accepts_marketing },
  { tag: 'no-orders', people: 'people without an order', applies: ({ orders_count }) => orders_count === 0 },
  { tag: 'first-order', people: 'first-time buyers', applies: ({ orders_count }) => orders_count === 1 },
  { tag: 'repeat-buyer', people: 'repeat buyers', applies: ({ orders_count }) => orders_count >= 3 },
  { tag: 'wholesale', people: 'wholesale buyers', applies: random(0.08, ({ orders_count }) => orders_count > 1) },
  { tag: 'gift-buyer', people: 'gift buyers', applies: random(0.15, ({ orders_count }) => orders_count > 0) },
  {
    tag: 'returns-often',
    people: 'people who return a lot',
    applies: random(0.1, ({ orders_count }) => orders_count > 1),
  },
  { tag: 'local-pickup', people: 'pickup customers', applies: random(0.15) },
  { tag: 'birthday-club', people: 'birthday club members', applies: random(0.18) },
  { tag: 'loyalty-card', people: 'loyalty card holders', applies: random(0.22) },
  { tag: 'press', people: 'press contacts', applies: random(0.03) },
]

export const drawTags = (rng: Rng, shopper: Shopper): string[] =>
  tags.filter(({ applies }) => applies(shopper, rng)).map(({ tag }) => tag)

/** The group of customers with these tags, in any order. */
export const groupOf = (list: readonly string[]): string => JSON.stringify([...new Set(list)].sort())

export const tagsOfGroup = (group: string): readonly string[] => JSON.parse(group) as string[]
