/** How many records a world can begin with. Imports nothing, because the help of the command needs it. */

/** How many records of each type are generated. */
export interface Counts {
  readonly customers: number
  readonly segments: number
  readonly stores: number
  readonly products: number
  readonly integrations: number
  /** In each of the three pixel lists. */
  readonly pixels: number
}

export interface CountRule {
  readonly typeName: string
  readonly default: number
  readonly max: number
}

export const countRules: Readonly<Record<keyof Counts, CountRule>> = {
  customers: { typeName: 'Customer', default: 100, max: 5_000_000 },
  segments: { typeName: 'Segment', default: 30, max: 20_000 },
  stores: { typeName: 'Store', default: 3, max: 500 },
  products: { typeName: 'Product', default: 60, max: 2000 },
  integrations: { typeName: 'Integration', default: 1, max: 1000 },
  pixels: { typeName: 'Pixel', default: 2, max: 100 },
}
