/** Mutants that break a listing rule; each breaks one list only. */
import { lists } from './check-ids.js'
import { asking, rewritten } from './request-rules.js'
import { listingProxy, type Element, type ListingRules, type Part } from './listing-proxy.js'
import type { MockSetup, Mutant } from './mutant.js'
import { Kind, parse, type FieldNode, type OperationDefinitionNode } from 'graphql'

interface ListingMutant {
  readonly id: string
  readonly about: string
  /** The checks that fail, without the name of the list. */
  readonly killedBy: readonly string[]
  readonly world?: MockSetup
  /** Whether there is one for segments too, so that each rule is tested on both lists. */
  readonly both?: true
  /** Called for each run. */
  readonly rules: () => ListingRules
}

const at = (rows: readonly Element[], cursor: string | undefined) => rows.findIndex((it) => it.cursor === cursor)
const isLast = ({ to, rows }: Part) => to >= rows.length

const rotated = <Item>(items: readonly Item[], by: number) => {
  const from = items.length === 0 ? 0 : by % items.length
  return [...items.slice(from), ...items.slice(0, from)]
}

const listingRows: readonly ListingMutant[] = [
  {
    id: 'default-page-of-26',
    about: 'A page without `first` has 26 elements.',
    both: true,
    killedBy: ['default-page', 'walk'],
    rules: () => ({ size: ({ first }) => first ?? 26 }),
  },
  {
    id: 'default-page-unlimited',
    about: 'A page without `first` has all elements.',
    killedBy: ['default-page', 'walk'],
    rules: () => ({ size: ({ first }) => first ?? 1000 }),
  },
  {
    id: 'default-page-from-the-second',
    about: 'A page without `first` skips the first element.',
    killedBy: ['default-page', 'walk'],
    rules: () => ({ start: ({ first, after }, _, usual) => (first === undefined && !after ? 1 : usual) }),
  },
  {
    id: 'first-ignored',
    about: '`first` is ignored.',
    killedBy: ['first', 'first-after', 'walk'],
    rules: () => ({ size: () => 25 }),
  },
  {
    id: 'first-one-more',
    about: '`first` returns one element more.',
    killedBy: ['first', 'first-after', 'walk'],
    rules: () => ({ size: ({ first }) => (first === undefined ? 25 : first + 1) }),
  },
  {
    id: 'first-from-the-end',
    about: '`first` returns elements from the end of the list.',
    killedBy: ['default-page', 'end-cursor', 'first', 'has-next-page', 'walk'],
    rules: () => ({
      start: ({ first = 25, after }, rows, usual) => (after ? usual : Math.max(0, rows.length - first)),
    }),
  },
  {
    id: 'first-of-one-empty',
    about: '`first: 1` returns nothing.',
    both: true,
    killedBy: ['first'],
    rules: () => ({ size: ({ first = 25, after }) => (first === 1 && !after ? 0 : first) }),
  },
  {
    id: 'first-above-three-doubled',
    about: '`first` above 3 returns too many elements from the start of the list.',
    killedBy: ['first'],
    rules: () => ({ size: ({ first = 25, after }) => (first > 3 && first < 10 && !after ? first * 2 : first) }),
  },
  {
    id: 'first-ignored-after-a-cursor',
    about: '`first` is ignored after a cursor.',
    killedBy: ['first-after', 'walk'],
    rules: () => ({ size: ({ first = 25, after }) => (after ? 25 : first) }),
  },
  {
    id: 'first-of-seven-doubled-after-a-cursor',
    about: '`first: 7` after a cursor returns more than 7 elements.',
    both: true,
    killedBy: ['first-after'],
    rules: () => ({ size: ({ first = 25, after }) => (after && first === 7 ? 14 : first) }),
  },
  {
    id: 'after-ignored',
    about: '`after` is ignored.',
    killedBy: ['after', 'end-cursor', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: () => 0 }),
  },
  {
    id: 'after-inclusive',
    about: '`after` returns the element of the cursor again.',
    killedBy: ['after', 'end-cursor', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: ({ after }, rows, usual) => (after ? at(rows, after) : usual) }),
  },
  {
    id: 'after-skips-one',
    about: '`after` skips one element.',
    killedBy: ['after', 'end-cursor', 'has-next-page', 'last-page', 'walk'],
    rules: () => ({ start: ({ after }, _, usual) => (after ? usual + 1 : usual) }),
  },
  {
    id: 'after-goes-back',
    about: '`after` returns the elements before the cursor.',
    killedBy: ['after', 'end-cursor', 'last-page', 'repeats', 'walk'],
    rules: () => ({
      start: ({ after, first = 25 }, rows, usual) => (after ? Math.max(0, at(rows, after) - first) : usual),
    }),
  },
  {
    id: 'after-the-last-starts-over',
    about: 'The last cursor starts the list over.',
    killedBy: ['after', 'has-next-page', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: (_, rows, usual) => (usual >= rows.length ? 0 : usual) }),
  },
  {
    id: 'after-the-last-repeats-it',
    about: 'The last cursor returns the last element again.',
    killedBy: ['after', 'has-next-page', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: (_, rows, usual) => (usual >= rows.length ? rows.length - 1 : usual) }),
  },
  {
    id: 'after-an-odd-one-skips-one',
    about: 'The cursors of two elements skip one element.',
    both: true,
    killedBy: ['after', 'end-cursor'],
    rules: () => ({ start: ({ after }, _, usual) => (after && [3, 5].includes(usual) ? usual + 1 : usual) }),
  },
  {
    id: 'inner-cursors-start-over',
    about: 'Only the last cursor of a page continues; the others start the list over.',
    both: true,
    killedBy: ['after', 'last-page'],
    rules() {
      return {
        cursor: (element, { page }) => (element === page.at(-1) ? element.cursor : `inner ${element.cursor}`),
        start: (_, _rows, usual) => usual,
      }
    },
  },
  {
    id: 'cursors-null',
    about: 'Edges have no cursor.',
    both: true,
    killedBy: ['cursors'],
    rules: () => ({ cursor: () => null, endCursor: (_, { page }) => page.at(-1)?.cursor ?? null }),
  },
  {
    id: 'cursors-empty',
    about: 'The cursor of each edge is an empty string.',
    killedBy: ['after', 'cursors', 'last-page', 'repeats', 'walk'],
    rules: () => ({ cursor: () => '', endCursor: (_, { page }) => page.at(-1)?.cursor ?? null }),
  },
  {
    id: 'cursors-all-the-same',
    about: 'All edges of a page have the cursor of the last one.',
    killedBy: ['after', 'cursors', 'has-next-page', 'last-page'],
    rules: () => ({ cursor: (_, { page }) => page.at(-1)?.cursor ?? null }),
  },
  {
    id: 'cursors-of-neighbors-the-same',
    about: 'Two neighbors have the same cursor.',
    killedBy: ['after', 'cursors'],
    rules: () => ({
      cursor: (element, { rows }) => (element.index === 4 ? (rows[3]?.cursor ?? null) : element.cursor),
    }),
  },
  {
    id: 'cursor-missing-once',
    about: 'One edge has no cursor.',
    killedBy: ['cursors'],
    rules: () => ({ cursor: (element) => (element.index === 4 ? null : element.cursor) }),
  },
  {
    id: 'end-cursor-null',
    about: '`endCursor` is null.',
    killedBy: ['end-cursor', 'walk'],
    rules: () => ({ endCursor: () => null }),
  },
  {
    id: 'end-cursor-of-the-first-edge',
    about: '`endCursor` is the cursor of the first edge.',
    killedBy: ['end-cursor', 'walk'],
    rules: () => ({ endCursor: (_, { page }) => page[0]?.cursor ?? null }),
  },
  {
    id: 'end-cursor-one-further',
    about: '`endCursor` is the cursor of the element after the page.',
    killedBy: ['end-cursor', 'walk'],
    rules: () => ({ endCursor: (usual, { rows, to }) => rows[to]?.cursor ?? usual }),
  },
  {
    id: 'end-cursor-never-moves',
    about: '`endCursor` of each page is that of the first page.',
    killedBy: ['walk'],
    rules: () => ({
      endCursor: (usual, { rows, size, from }) => (from === 0 ? usual : (rows[size - 1]?.cursor ?? null)),
    }),
  },
  {
    id: 'end-cursor-wrong-on-small-pages',
    about: '`endCursor` of a page of two is that of its first edge.',
    both: true,
    killedBy: ['end-cursor'],
    rules: () => ({ endCursor: (usual, { page, size }) => (size === 2 ? (page[0]?.cursor ?? null) : usual) }),
  },
  {
    id: 'end-cursor-null-on-later-pages',
    about: '`endCursor` is null on every page but the first.',
    killedBy: ['walk'],
    rules: () => ({ endCursor: (usual, { from }) => (from === 0 ? usual : null) }),
  },
  {
    id: 'has-next-page-always-true',
    about: '`hasNextPage` is always true.',
    killedBy: ['last-page', 'walk'],
    rules: () => ({ hasNextPage: () => true }),
  },
  {
    id: 'has-next-page-always-false',
    about: '`hasNextPage` is always false.',
    killedBy: ['has-next-page', 'last-page', 'walk'],
    rules: () => ({ hasNextPage: () => false }),
  },
  {
    id: 'has-next-page-null',
    about: '`hasNextPage` is always null.',
    killedBy: ['has-next-page', 'last-page', 'walk'],
    rules: () => ({ hasNextPage: () => null }),
  },
  {
    id: 'has-next-page-where-the-page-is-full',
    about: '`hasNextPage` is true on each full page, also at the end of the list.',
    both: true,
    killedBy: ['last-page'],
    rules: () => ({ hasNextPage: (_, { page, size }) => page.length === size }),
  },
  {
    id: 'has-next-page-false-before-the-last',
    about: '`hasNextPage` is false if one more element follows.',
    killedBy: ['has-next-page', 'last-page'],
    rules: () => ({ hasNextPage: (usual, { to, rows }) => usual && to < rows.length - 1 }),
  },
  {
    id: 'has-next-page-true-on-a-last-page-of-one',
    about: '`hasNextPage` is true on a last page of one element.',
    killedBy: ['last-page'],
    rules: () => ({ hasNextPage: (usual, { page }) => usual || page.length === 1 }),
  },
  {
    id: 'has-next-page-true-after-the-end',
    about: '`hasNextPage` is true on the empty page after the end.',
    killedBy: ['last-page'],
    rules: () => ({ hasNextPage: (usual, { page }) => usual || page.length === 0 }),
  },
  {
    id: 'has-next-page-false-on-small-pages',
    about: '`hasNextPage` is false on pages of two.',
    both: true,
    killedBy: ['has-next-page'],
    rules: () => ({ hasNextPage: (usual, { size }) => usual && size !== 2 }),
  },
  {
    id: 'has-next-page-false-on-later-pages-of-25',
    about: '`hasNextPage` is false on large pages after a cursor.',
    killedBy: ['walk'],
    rules: () => ({ hasNextPage: (usual, { size, asked }) => usual && !(asked.after && size > 10) }),
  },
  {
    id: 'repeat-across-pages',
    about: 'The page after a large one starts with its last element.',
    killedBy: ['has-next-page', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: ({ after, first = 25 }, rows, usual) => (after && first > 10 ? at(rows, after) : usual) }),
  },
  {
    id: 'gap-across-pages',
    about: 'The page after a large one skips an element.',
    both: true,
    killedBy: ['walk'],
    rules: () => ({ start: ({ after, first = 25 }, _, usual) => (after && first > 10 ? usual + 1 : usual) }),
  },
  {
    id: 'repeat-in-a-page',
    about: 'The list has one element twice.',
    killedBy: ['after', 'default-page', 'first', 'first-after', 'repeats', 'walk'],
    rules: () => ({ page: (page) => page.flatMap((it) => (it.index === 5 ? [it, it] : [it])) }),
  },
  {
    id: 'listed-twice',
    about: 'The list has one element twice, with two cursors.',
    both: true,
    killedBy: ['repeats'],
    rules: () => ({
      rows: (rows) => rows.map((it, i) => (i === 9 ? { ...(rows[3] as Element), cursor: it.cursor } : it)),
    }),
  },
  {
    id: 'last-unreachable',
    about: 'No page has the last element, but `hasNextPage` is true.',
    killedBy: ['last-page', 'walk'],
    rules: () => ({
      page: (page, { rows }) => page.filter((it) => it !== rows.at(-1)),
      hasNextPage: (usual, part) => usual || isLast(part),
    }),
  },
  {
    id: 'has-next-page-true-at-the-end-of-a-long-list',
    about: '`hasNextPage` is true on the last page of a list of a hundred.',
    killedBy: ['last-page', 'walk'],
    world: { counts: { customers: 100 } },
    rules: () => ({ hasNextPage: (usual, { page, to }) => usual || (page.length > 0 && to === 100) }),
  },
  {
    id: 'gap-behind-60',
    about: 'A page without `first` skips an element beyond the 60th.',
    killedBy: ['walk'],
    world: { counts: { customers: 100 } },
    rules: () => ({
      page: (page, { asked }) => page.filter(({ index }) => asked.first !== undefined || index !== 70),
    }),
  },
  {
    id: 'repeat-behind-60',
    about: 'A page without `first` repeats an element beyond the 60th.',
    killedBy: ['walk'],
    world: { counts: { customers: 100 } },
    rules: () => ({ start: ({ first }, _, usual) => (first === undefined && usual > 60 ? usual - 1 : usual) }),
  },
  {
    id: 'second-default-page-of-30',
    about: 'A page without `first` has 30 elements after a cursor.',
    killedBy: ['walk'],
    world: { counts: { customers: 70 } },
    rules: () => ({ size: ({ first, after }) => first ?? (after ? 30 : 25) }),
  },
  {
    id: 'ends-after-two-default-pages',
    about: '`hasNextPage` of the second page without `first` is false.',
    killedBy: ['walk'],
    world: { counts: { customers: 70 } },
    rules: () => ({ hasNextPage: (usual, { asked, from }) => usual && !(asked.first === undefined && from >= 25) }),
  },
  {
    id: 'first-zero-ignored',
    about: '`first: 0` is ignored.',
    both: true,
    killedBy: ['first'],
    rules: () => ({ size: ({ first }) => first || 25 }),
  },
  {
    id: 'never-the-same-order',
    about: 'Each answer has the list in another order.',
    both: true,
    killedBy: ['walk'],
    rules: () => ({ rows: (rows, { query, call }) => (query === '' ? rotated(rows, call * 17) : rows) }),
  },
  {
    id: 'ids-never-in-the-same-order',
    about: 'Each answer has the list by id in another order.',
    both: true,
    killedBy: ['orders'],
    rules: () => ({
      rows: (rows, { query, call }) => (query.includes('order_by:id') ? rotated(rows, call * 17) : rows),
    }),
  },
  {
    id: 'after-ignored-in-descending-order',
    about: '`after` is ignored in descending order.',
    both: true,
    killedBy: ['orders'],
    rules: () => ({ start: ({ query }, _, usual) => (query.includes('desc') ? 0 : usual) }),
  },
  {
    id: 'cursor-of-the-value-alone',
    about: 'A cursor in the order of `created_at` skips the elements of the same minute.',
    killedBy: ['orders'],
    rules: () => ({
      start: ({ query, after }, _, usual) => (after && query.includes('created_at') ? Math.ceil(usual / 3) * 3 : usual),
    }),
  },
  {
    id: 'order-never-ends',
    about: 'A cursor in the order of `updated_at` returns its element again.',
    killedBy: ['orders'],
    rules: () => ({
      start: ({ query, after }, rows, usual) => (after && query.includes('updated_at') ? at(rows, after) : usual),
    }),
  },
  {
    id: 'default-page-of-26-in-an-order',
    about: 'A page in the order of `created_at` has 26 elements.',
    killedBy: ['orders'],
    rules: () => ({ size: ({ query, first }) => first ?? (query.includes('created_at') ? 26 : 25) }),
  },
  {
    id: 'has-next-page-false-in-an-order',
    about: '`hasNextPage` in the order of `updated_at` is false.',
    both: true,
    killedBy: ['orders'],
    rules: () => ({ hasNextPage: (usual, { asked }) => usual && !asked.query.includes('updated_at') }),
  },
  {
    id: 'pairs-rejected',
    about: '`query` takes one pair only.',
    both: true,
    killedBy: ['pairs'],
    rules: () => ({ reject: ({ query }) => (query.includes(' ') ? 'Bad filter.' : undefined) }),
  },
  {
    id: 'endless',
    about: 'The list starts over at its end and never ends.',
    killedBy: ['after', 'last-page', 'repeats', 'walk'],
    rules: () => ({
      start: (_, rows, usual) => (usual >= rows.length ? 0 : usual),
      hasNextPage: () => true,
    }),
  },
]

/** Accepts a list without its required argument, as if it were empty. */
const withoutQuery = (list: string): Mutant => ({
  id: `${list}-query-not-required`,
  about: `${list} returns data without \`query\`.`,
  killedBy: [`${list}-needs-query`],
  wrap: asking((request) =>
    rewritten(request, {
      Field(node): FieldNode | undefined {
        const given = node.arguments?.some((it) => it.name.value === 'query')
        if (node.name.value !== list || given) return undefined
        const [query] = parse('{ it(query: "") }').definitions as readonly OperationDefinitionNode[]
        const [field] = (query as OperationDefinitionNode).selectionSet.selections
        if (field?.kind !== Kind.FIELD) return undefined
        return { ...node, arguments: [...(node.arguments ?? []), ...(field.arguments ?? [])] }
      },
    }),
  ),
})

export const listingMutants: readonly Mutant[] = lists.flatMap((list) => [
  withoutQuery(list),
  ...listingRows
    .filter(({ both }) => both || list === 'customers')
    .map(({ id, about, killedBy, world, rules }): Mutant => ({
      id: `${list}-${id}`,
      about: `${list}: ${about}`,
      killedBy: killedBy.map((it) => `${list}-${it}`),
      world,
      wrap: (target, shapes) => listingProxy(rules(), [list])(target, shapes),
    })),
])
