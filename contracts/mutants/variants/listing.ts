/** Conforming servers with other cursors, other orders, or lists that change while they are read. */
import { mapFields } from '../response-walk.js'
import { both, windowRules } from '../check-ids.js'
import { listingProxy, type Element, type ListingRules } from '../listing-proxy.js'
import { asking } from '../request-rules.js'
import { layered, type Variant, type Wrap } from '../mutant.js'
import { usuallyOpen } from './world.js'

const rules = both(
  ...windowRules,
  'full-page',
  'order-keys',
  'order-values',
  'order-mirror',
  'order-ties',
  'order-elements',
  'orders',
  'values',
  'same-page',
  'first-zero',
)

const paged = (id: string, about: string, rules: () => ListingRules, more: Partial<Variant> = {}): Variant => ({
  id,
  about,
  wrap: (target, shapes) => listingProxy(rules())(target, shapes),
  open: usuallyOpen,
  ...more,
})

/** The list in an arbitrary order. */
const shuffled = (rows: readonly Element[]) =>
  rows
    .map((it) => ({ it, at: (it.index * 7919) % 101 }))
    .sort((a, b) => a.at - b.at)
    .map(({ it }) => it)

/** Changes `query`. */
const ordering = (instead: (query: string) => string): Wrap =>
  asking((request) => ({
    ...request,
    variables: Object.fromEntries(
      Object.entries(request.variables ?? {}).map(([name, value]) => [
        name,
        /^query\d*$/.test(name) ? instead(String(value)) : value,
      ]),
    ),
  }))

const ofCursors: readonly Variant[] = [
  paged('paged-by-another', 'The proxy cuts the pages and changes nothing.', () => ({})),
  paged('cursors-that-change', 'The cursor of an element is different in each answer.', () => ({
    cursor: ({ cursor }, { asked }) => `${asked.call}~${cursor}`,
    readCursor: (text) => text.replace(/^\d+~/, ''),
  })),
  paged(
    'cursors-offsets',
    'Cursors count elements from the start of the list.',
    () => ({
      cursor: (element, { rows }) => String(rows.indexOf(element) + 1),
      start: ({ after }) => (after === undefined ? 0 : Number(after) || 0),
    }),
    { notices: ['bad-cursor'], differs: ['bad_cursor'] },
  ),
  paged(
    'cursors-ids',
    'The cursor of an edge is the id of its element.',
    () => ({
      cursor: ({ id }) => id,
      start: ({ after }, rows) => (after === undefined ? 0 : rows.findIndex((it) => it.id === after) + 1),
    }),
    { notices: ['bad-cursor'], differs: ['bad_cursor'] },
  ),
  paged('end-cursor-of-its-own', '`endCursor` is not the cursor of an edge, but continues like the last one.', () => ({
    readCursor: (text) => text.replace(/^end:/, ''),
    endCursor: (usual) => usual && `end:${usual}`,
  })),
  paged('end-cursor-empty', '`endCursor` of an empty page is an empty string.', () => ({
    endCursor: (usual) => usual ?? '',
  })),
  paged('end-cursor-null-at-the-end', '`endCursor` is null if nothing follows.', () => ({
    endCursor: (usual, { to, rows }) => (to >= rows.length ? null : usual),
  })),
  paged(
    'pages-not-full',
    'A page has at most 7 elements, and fewer after some cursors.',
    () => ({
      size: ({ first = 25, after }) => Math.min(first, 7 - ((after?.length ?? 0) % 3)),
    }),
    { notices: [...both('full-page'), 'first-cap'], differs: ['first_cap'] },
  ),
  {
    id: 'edges-null',
    about: '`edges` of an empty page is null.',
    wrap: mapFields({
      'CustomerConnection.edges': (value) => ((value as readonly unknown[]).length === 0 ? null : value),
      'SegmentConnection.edges': (value) => ((value as readonly unknown[]).length === 0 ? null : value),
    }),
    open: usuallyOpen,
  },
  paged(
    'negative-first-ignored',
    'A negative `first` is ignored.',
    () => ({
      size: ({ first = 25 }) => (first < 0 ? 25 : first),
    }),
    { notices: ['first-negative'], differs: ['first_negative'] },
  ),
  paged(
    'first-zero-rejected',
    '`first: 0` is an error.',
    () => ({
      reject: ({ first }) => (first === 0 ? '`first` must be positive.' : undefined),
    }),
    { notices: both('first-zero') },
  ),
]

const ofOrders: readonly Variant[] = [
  paged(
    'order-of-its-own',
    'The default order is arbitrary.',
    () => ({
      rows: (rows, { query }) => (query === '' ? shuffled(rows) : rows),
    }),
    { differs: ['default_order'] },
  ),
  {
    id: 'orders-ignored',
    about: '`query` is ignored.',
    wrap: ordering(() => ''),
    notices: both('order-values', 'order-mirror'),
    differs: ['unknown_filter'],
    open: usuallyOpen,
  },
  {
    id: 'directions-ignored',
    about: '`order_dir` is ignored.',
    wrap: ordering((query) => query.replace(/order_dir:\w+/, '')),
    notices: both('order-values', 'order-mirror'),
    open: usuallyOpen,
  },
  paged(
    'rows-hidden-in-an-order',
    'Some elements are missing in the order of `created_at`.',
    () => ({
      rows: (rows, { query }) => (query.includes('created_at') ? rows.filter(({ index }) => index % 10 !== 4) : rows),
    }),
    { notices: both('order-elements') },
  ),
  paged(
    'pairs-in-one-order',
    '`order_dir` must not come before `order_by`.',
    () => ({
      reject: ({ query }) => (/order_dir.*order_by/.test(query) ? 'Bad filter.' : undefined),
    }),
    { notices: both('order-keys') },
  ),
  {
    id: 'all-ties',
    about: 'All elements have equal values and are in the order of `_id`.',
    wrap: layered(
      ordering((query) => query.replace(/order_by:\w+/, 'order_by:_id')),
      mapFields({
        'Customer.full_name': () => 'Ana Ruiz',
        'Customer.expenses': () => 0,
        'Customer.orders_count': () => 0,
        'Segment.name': () => 'Everybody',
      }),
    ),
    open: usuallyOpen,
  },
  {
    id: 'all-ties-newest-first',
    about: 'All elements have equal values, and the newest are first.',
    wrap: layered(
      ordering((query) => query.replace(/order_by:(?!_id)\w+ order_dir:\w+/, 'order_by:_id order_dir:desc')),
      mapFields({
        'Customer.full_name': () => 'Ana Ruiz',
        'Customer.expenses': () => 0,
        'Customer.orders_count': () => 0,
        'Segment.name': () => 'Everybody',
      }),
    ),
    notices: both('order-ties', 'order-mirror'),
    open: usuallyOpen,
  },
]

/** A number that depends on the element alone. */
const rank = (id: string) => [...id].reduce((sum, it) => sum + it.charCodeAt(0), 0) % 97

/** Checks that may be inconclusive if the lists change. */
const unsteady = [
  ...usuallyOpen,
  ...rules,
  'first-cap',
  'observe-first-cap',
  'observe-default-order',
  'customers-distinct-numbers',
]

/** Elements appear or disappear during the run. */
const ofChange: readonly Variant[] = [
  paged(
    'rows-appear-at-the-end',
    'A new element appears at the end of the list now and then.',
    () => ({
      rows: (rows, { query, call }) => (query === '' ? rows.slice(0, 20 + Math.floor(call / 12)) : rows),
    }),
    { open: unsteady },
  ),
  paged(
    'rows-appear-at-the-start',
    'A new element appears at the start of the list now and then.',
    () => ({
      rows: (rows, { query, call }) => (query === '' ? rows.slice(Math.max(0, 9 - Math.floor(call / 8))) : rows),
    }),
    { open: unsteady },
  ),
  paged(
    'rows-appear-all-the-time',
    'Each request creates an element.',
    // Enough elements for a whole run.
    () => ({
      rows: (rows, { query, call }) => (query === '' ? rows.slice(Math.max(0, rows.length - 20 - call)) : rows),
    }),
    { open: unsteady, world: { counts: { customers: 900, segments: 900 } } },
  ),
  paged(
    'rows-go',
    'Elements are deleted now and then.',
    () => ({
      rows: (rows, { call }) => rows.filter(({ id }) => rank(id) > call / 2),
    }),
    { open: unsteady },
  ),
  paged(
    'pages-of-ten-by-turns',
    'Every second page of ten is reversed.',
    () => {
      const turns: Record<string, number> = {}
      return {
        page(page, { asked: { first, list } }) {
          if (first !== 10) return page
          turns[list] = (turns[list] ?? 0) + 1
          return turns[list] % 2 === 0 ? page.toReversed() : page
        },
      }
    },
    { notices: both('same-page') },
  ),
]

export const listingVariants: readonly Variant[] = [...ofCursors, ...ofOrders, ...ofChange]
