/** Mutants that break a listing rule; each breaks one list only. */
import { lists } from './check-ids.js'
import { asking, rewritten } from './request-rules.js'
import { listingProxy, type Element, type ListingRules, type Part } from './listing-proxy.js'
import type { MockSetup, Mutant } from './mutant.js'
import { Kind, parse, type FieldNode, type OperationDefinitionNode } from 'graphql'

interface ListingMutant {
  readonly id: string
  readonly breaks: string
  /** The checks that fail, without the name of the list. */
  readonly fails: readonly string[]
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
    breaks: 'A page without `first` has 26 elements.',
    both: true,
    fails: ['default-page', 'walk'],
    rules: () => ({ size: ({ first }) => first ?? 26 }),
  },
  {
    id: 'default-page-unlimited',
    breaks: 'A page without `first` has all elements.',
    fails: ['default-page', 'walk'],
    rules: () => ({ size: ({ first }) => first ?? 1000 }),
  },
  {
    id: 'default-page-from-the-second',
    breaks: 'A page without `first` skips the first element.',
    fails: ['default-page', 'walk'],
    rules: () => ({ start: ({ first, after }, _, usual) => (first === undefined && !after ? 1 : usual) }),
  },
  {
    id: 'first-ignored',
    breaks: '`first` is ignored.',
    fails: ['first', 'first-after', 'walk'],
    rules: () => ({ size: () => 25 }),
  },
  {
    id: 'first-one-more',
    breaks: '`first` returns one element more.',
    fails: ['first', 'first-after', 'walk'],
    rules: () => ({ size: ({ first }) => (first === undefined ? 25 : first + 1) }),
  },
  {
    id: 'first-from-the-end',
    breaks: '`first` returns elements from the end of the list.',
    fails: ['default-page', 'end-cursor', 'first', 'has-next-page', 'walk'],
    rules: () => ({
      start: ({ first = 25, after }, rows, usual) => (after ? usual : Math.max(0, rows.length - first)),
    }),
  },
  {
    id: 'first-of-one-empty',
    breaks: '`first: 1` returns nothing.',
    both: true,
    fails: ['first'],
    rules: () => ({ size: ({ first = 25, after }) => (first === 1 && !after ? 0 : first) }),
  },
  {
    id: 'first-above-three-doubled',
    breaks: '`first` above 3 returns too many elements from the start of the list.',
    fails: ['first'],
    rules: () => ({ size: ({ first = 25, after }) => (first > 3 && first < 10 && !after ? first * 2 : first) }),
  },
  {
    id: 'first-ignored-after-a-cursor',
    breaks: '`first` is ignored after a cursor.',
    fails: ['first-after', 'walk'],
    rules: () => ({ size: ({ first = 25, after }) => (after ? 25 : first) }),
  },
  {
    id: 'first-of-seven-doubled-after-a-cursor',
    breaks: '`first: 7` after a cursor returns more than 7 elements.',
    both: true,
    fails: ['first-after'],
    rules: () => ({ size: ({ first = 25, after }) => (after && first === 7 ? 14 : first) }),
  },
  {
    id: 'after-ignored',
    breaks: '`after` is ignored.',
    fails: ['after', 'end-cursor', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: () => 0 }),
  },
  {
    id: 'after-inclusive',
    breaks: '`after` returns the element of the cursor again.',
    fails: ['after', 'end-cursor', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: ({ after }, rows, usual) => (after ? at(rows, after) : usual) }),
  },
  {
    id: 'after-skips-one',
    breaks: '`after` skips one element.',
    fails: ['after', 'end-cursor', 'has-next-page', 'last-page', 'walk'],
    rules: () => ({ start: ({ after }, _, usual) => (after ? usual + 1 : usual) }),
  },
  {
    id: 'after-goes-back',
    breaks: '`after` returns the elements before the cursor.',
    fails: ['after', 'end-cursor', 'last-page', 'repeats', 'walk'],
    rules: () => ({
      start: ({ after, first = 25 }, rows, usual) => (after ? Math.max(0, at(rows, after) - first) : usual),
    }),
  },
  {
    id: 'after-the-last-starts-over',
    breaks: 'The last cursor starts the list over.',
    fails: ['after', 'has-next-page', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: (_, rows, usual) => (usual >= rows.length ? 0 : usual) }),
  },
  {
    id: 'after-the-last-repeats-it',
    breaks: 'The last cursor returns the last element again.',
    fails: ['after', 'has-next-page', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: (_, rows, usual) => (usual >= rows.length ? rows.length - 1 : usual) }),
  },
  {
    id: 'after-an-odd-one-skips-one',
    breaks: 'The cursors of two elements skip one element.',
    both: true,
    fails: ['after', 'end-cursor'],
    rules: () => ({ start: ({ after }, _, usual) => (after && [3, 5].includes(usual) ? usual + 1 : usual) }),
  },
  {
    id: 'inner-cursors-start-over',
    breaks: 'Only the last cursor of a page continues; the others start the list over.',
    both: true,
    fails: ['after', 'last-page'],
    rules() {
      return {
        cursor: (element, { page }) => (element === page.at(-1) ? element.cursor : `inner ${element.cursor}`),
        start: (_, _rows, usual) => usual,
      }
    },
  },
  {
    id: 'cursors-null',
    breaks: 'Edges have no cursor.',
    both: true,
    fails: ['cursors'],
    rules: () => ({ cursor: () => null, endCursor: (_, { page }) => page.at(-1)?.cursor ?? null }),
  },
  {
    id: 'cursors-empty',
    breaks: 'The cursor of each edge is an empty string.',
    fails: ['after', 'cursors', 'last-page', 'repeats', 'walk'],
    rules: () => ({ cursor: () => '', endCursor: (_, { page }) => page.at(-1)?.cursor ?? null }),
  },
  {
    id: 'cursors-all-the-same',
    breaks: 'All edges of a page have the cursor of the last one.',
    fails: ['after', 'cursors', 'has-next-page', 'last-page'],
    rules: () => ({ cursor: (_, { page }) => page.at(-1)?.cursor ?? null }),
  },
  {
    id: 'cursors-of-neighbors-the-same',
    breaks: 'Two neighbors have the same cursor.',
    fails: ['after', 'cursors'],
    rules: () => ({
      cursor: (element, { rows }) => (element.index === 4 ? (rows[3]?.cursor ?? null) : element.cursor),
    }),
  },
  {
    id: 'cursor-missing-once',
    breaks: 'One edge has no cursor.',
    fails: ['cursors'],
    rules: () => ({ cursor: (element) => (element.index === 4 ? null : element.cursor) }),
  },
  {
    id: 'end-cursor-null',
    breaks: '`endCursor` is null.',
    fails: ['end-cursor', 'walk'],
    rules: () => ({ endCursor: () => null }),
  },
  {
    id: 'end-cursor-of-the-first-edge',
    breaks: '`endCursor` is the cursor of the first edge.',
    fails: ['end-cursor', 'walk'],
    rules: () => ({ endCursor: (_, { page }) => page[0]?.cursor ?? null }),
  },
  {
    id: 'end-cursor-one-further',
    breaks: '`endCursor` is the cursor of the element after the page.',
    fails: ['end-cursor', 'walk'],
    rules: () => ({ endCursor: (usual, { rows, to }) => rows[to]?.cursor ?? usual }),
  },
  {
    id: 'end-cursor-never-moves',
    breaks: '`endCursor` of each page is that of the first page.',
    fails: ['walk'],
    rules: () => ({
      endCursor: (usual, { rows, size, from }) => (from === 0 ? usual : (rows[size - 1]?.cursor ?? null)),
    }),
  },
  {
    id: 'end-cursor-wrong-on-small-pages',
    breaks: '`endCursor` of a page of two is that of its first edge.',
    both: true,
    fails: ['end-cursor'],
    rules: () => ({ endCursor: (usual, { page, size }) => (size === 2 ? (page[0]?.cursor ?? null) : usual) }),
  },
  {
    id: 'end-cursor-null-on-later-pages',
    breaks: '`endCursor` is null on every page but the first.',
    fails: ['walk'],
    rules: () => ({ endCursor: (usual, { from }) => (from === 0 ? usual : null) }),
  },
  {
    id: 'has-next-page-always-true',
    breaks: '`hasNextPage` is always true.',
    fails: ['last-page', 'walk'],
    rules: () => ({ hasNextPage: () => true }),
  },
  {
    id: 'has-next-page-always-false',
    breaks: '`hasNextPage` is always false.',
    fails: ['has-next-page', 'last-page', 'walk'],
    rules: () => ({ hasNextPage: () => false }),
  },
  {
    id: 'has-next-page-null',
    breaks: '`hasNextPage` is always null.',
    fails: ['has-next-page', 'last-page', 'walk'],
    rules: () => ({ hasNextPage: () => null }),
  },
  {
    id: 'has-next-page-where-the-page-is-full',
    breaks: '`hasNextPage` is true on each full page, also at the end of the list.',
    both: true,
    fails: ['last-page'],
    rules: () => ({ hasNextPage: (_, { page, size }) => page.length === size }),
  },
  {
    id: 'has-next-page-false-before-the-last',
    breaks: '`hasNextPage` is false if one more element follows.',
    fails: ['has-next-page', 'last-page'],
    rules: () => ({ hasNextPage: (usual, { to, rows }) => usual && to < rows.length - 1 }),
  },
  {
    id: 'has-next-page-true-on-a-last-page-of-one',
    breaks: '`hasNextPage` is true on a last page of one element.',
    fails: ['last-page'],
    rules: () => ({ hasNextPage: (usual, { page }) => usual || page.length === 1 }),
  },
  {
    id: 'has-next-page-true-after-the-end',
    breaks: '`hasNextPage` is true on the empty page after the end.',
    fails: ['last-page'],
    rules: () => ({ hasNextPage: (usual, { page }) => usual || page.length === 0 }),
  },
  {
    id: 'has-next-page-false-on-small-pages',
    breaks: '`hasNextPage` is false on pages of two.',
    both: true,
    fails: ['has-next-page'],
    rules: () => ({ hasNextPage: (usual, { size }) => usual && size !== 2 }),
  },
  {
    id: 'has-next-page-false-on-later-pages-of-25',
    breaks: '`hasNextPage` is false on large pages after a cursor.',
    fails: ['walk'],
    rules: () => ({ hasNextPage: (usual, { size, asked }) => usual && !(asked.after && size > 10) }),
  },
  {
    id: 'repeat-across-pages',
    breaks: 'The page after a large one starts with its last element.',
    fails: ['has-next-page', 'last-page', 'repeats', 'walk'],
    rules: () => ({ start: ({ after, first = 25 }, rows, usual) => (after && first > 10 ? at(rows, after) : usual) }),
  },
  {
    id: 'gap-across-pages',
    breaks: 'The page after a large one skips an element.',
    both: true,
    fails: ['walk'],
    rules: () => ({ start: ({ after, first = 25 }, _, usual) => (after && first > 10 ? usual + 1 : usual) }),
  },
  {
    id: 'repeat-in-a-page',
    breaks: 'The list has one element twice.',
    fails: ['after', 'default-page', 'first', 'first-after', 'repeats', 'walk'],
    rules: () => ({ page: (page) => page.flatMap((it) => (it.index === 5 ? [it, it] : [it])) }),
  },
  {
    id: 'listed-twice',
    breaks: 'The list has one element twice, with two cursors.',
    both: true,
    fails: ['repeats'],
    rules: () => ({
      rows: (rows) => rows.map((it, i) => (i === 9 ? { ...(rows[3] as Element), cursor: it.cursor } : it)),
    }),
  },
  {
    id: 'last-unreachable',
    breaks: 'No page has the last element, but `hasNextPage` is true.',
    fails: ['last-page', 'walk'],
    rules: () => ({
      page: (page, { rows }) => page.filter((it) => it !== rows.at(-1)),
      hasNextPage: (usual, part) => usual || isLast(part),
    }),
  },
  {
    id: 'has-next-page-true-at-the-end-of-a-long-list',
    breaks: '`hasNextPage` is true on the last page of a list of a hundred.',
    fails: ['last-page', 'walk'],
    world: { counts: { customers: 100 } },
    rules: () => ({ hasNextPage: (usual, { page, to }) => usual || (page.length > 0 && to === 100) }),
  },
  {
    id: 'gap-behind-60',
    breaks: 'A page without `first` skips an element beyond the 60th.',
    fails: ['walk'],
    world: { counts: { customers: 100 } },
    rules: () => ({
      page: (page, { asked }) => page.filter(({ index }) => asked.first !== undefined || index !== 70),
    }),
  },
  {
    id: 'repeat-behind-60',
    breaks: 'A page without `first` repeats an element beyond the 60th.',
    fails: ['walk'],
    world: { counts: { customers: 100 } },
    rules: () => ({ start: ({ first }, _, usual) => (first === undefined && usual > 60 ? usual - 1 : usual) }),
  },
  {
    id: 'second-default-page-of-30',
    breaks: 'A page without `first` has 30 elements after a cursor.',
    fails: ['walk'],
    world: { counts: { customers: 70 } },
    rules: () => ({ size: ({ first, after }) => first ?? (after ? 30 : 25) }),
  },
  {
    id: 'ends-after-two-default-pages',
    breaks: '`hasNextPage` of the second page without `first` is false.',
    fails: ['walk'],
    world: { counts: { customers: 70 } },
    rules: () => ({ hasNextPage: (usual, { asked, from }) => usual && !(asked.first === undefined && from >= 25) }),
  },
  {
    id: 'first-zero-ignored',
    breaks: '`first: 0` is ignored.',
    both: true,
    fails: ['first'],
    rules: () => ({ size: ({ first }) => first || 25 }),
  },
  {
    id: 'never-the-same-order',
    breaks: 'Each answer has the list in another order.',
    both: true,
    fails: ['walk'],
    rules: () => ({ rows: (rows, { query, call }) => (query === '' ? rotated(rows, call * 17) : rows) }),
  },
  {
    id: 'ids-never-in-the-same-order',
    breaks: 'Each answer has the list by id in another order.',
    both: true,
    fails: ['orders'],
    rules: () => ({
      rows: (rows, { query, call }) => (query.includes('order_by:id') ? rotated(rows, call * 17) : rows),
    }),
  },
  {
    id: 'after-ignored-in-descending-order',
    breaks: '`after` is ignored in descending order.',
    both: true,
    fails: ['orders'],
    rules: () => ({ start: ({ query }, _, usual) => (query.includes('desc') ? 0 : usual) }),
  },
  {
    id: 'cursor-of-the-value-alone',
    breaks: 'A cursor in the order of `created_at` skips the elements of the same minute.',
    fails: ['orders'],
    rules: () => ({
      start: ({ query, after }, _, usual) => (after && query.includes('created_at') ? Math.ceil(usual / 3) * 3 : usual),
    }),
  },
  {
    id: 'order-never-ends',
    breaks: 'A cursor in the order of `updated_at` returns its element again.',
    fails: ['orders'],
    rules: () => ({
      start: ({ query, after }, rows, usual) => (after && query.includes('updated_at') ? at(rows, after) : usual),
    }),
  },
  {
    id: 'default-page-of-26-in-an-order',
    breaks: 'A page in the order of `created_at` has 26 elements.',
    fails: ['orders'],
    rules: () => ({ size: ({ query, first }) => first ?? (query.includes('created_at') ? 26 : 25) }),
  },
  {
    id: 'has-next-page-false-in-an-order',
    breaks: '`hasNextPage` in the order of `updated_at` is false.',
    both: true,
    fails: ['orders'],
    rules: () => ({ hasNextPage: (usual, { asked }) => usual && !asked.query.includes('updated_at') }),
  },
  {
    id: 'pairs-rejected',
    breaks: '`query` takes one pair only.',
    both: true,
    fails: ['pairs'],
    rules: () => ({ reject: ({ query }) => (query.includes(' ') ? 'Bad filter.' : undefined) }),
  },
  {
    id: 'endless',
    breaks: 'The list starts over at its end and never ends.',
    fails: ['after', 'last-page', 'repeats', 'walk'],
    rules: () => ({
      start: (_, rows, usual) => (usual >= rows.length ? 0 : usual),
      hasNextPage: () => true,
    }),
  },
]

/** Accepts a list without its required argument, as if it were empty. */
const withoutQuery = (list: string): Mutant => ({
  id: `${list}-query-not-required`,
  breaks: `${list} returns data without \`query\`.`,
  fails: [`${list}-needs-query`],
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
    .map(({ id, breaks, fails, world, rules }): Mutant => ({
      id: `${list}-${id}`,
      breaks: `${list}: ${breaks}`,
      fails: fails.map((it) => `${list}-${it}`),
      world,
      wrap: (target, shapes) => listingProxy(rules(), [list])(target, shapes),
    })),
])
