/** Groups of check ids that mutants and variants share. */

export const lists = ['segments', 'customers'] as const

/** The checks of both lists. */
export const both = (...ids: readonly string[]): readonly string[] =>
  lists.flatMap((list) => ids.map((id) => `${list}-${id}`))

/** The documented listing rules that are judged on a window. */
export const windowRules = [
  'default-page',
  'first',
  'first-after',
  'after',
  'cursors',
  'repeats',
  'end-cursor',
  'has-next-page',
  'last-page',
  'walk',
] as const

/** The checks that send `node`. */
export const nodeChecks: readonly string[] = [
  'customer-shape',
  'integration-shape',
  'literals',
  'node-fragments',
  'segment-shape',
  'store-products-shape',
  'store-shape',
]
