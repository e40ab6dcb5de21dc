/** Conforming servers with other data or another profile: mocks with other options. */
import { both } from '../check-ids.js'
import type { Variant } from '../mutant.js'

/** Inconclusive in the usual world: it has no segments with equal names, and no cap. */
export const usuallyOpen = ['segments-order-ties', 'observe-first-above-cap']

/** Checks that need more elements than a short list has. */
export const needMany = [...both('default-page', 'full-page'), 'observe-first-cap', 'first-cap']
const needTwo = [
  ...both('first-after', 'after', 'end-cursor', 'order-values', 'order-mirror', 'order-ties'),
  'customers-distinct-numbers',
  'observe-default-order',
  'variable-defaults',
]
const needOne = [
  ...both('first', 'has-next-page', 'last-page', 'values', 'order-elements'),
  'segment-shape',
  'customer-shape',
  'customer-avatar',
  'customer-created-at',
  'customer-updated-at',
  'node-fragments',
  'literals',
  'segment-assumed-fields',
  'customer-assumed-fields',
  'observe-bad-cursor',
  'bad-cursor',
]

const rows = (count: number, open: readonly string[] = [], notices: readonly string[] = []): Variant => ({
  id: `rows-${count}`,
  about: `The lists have ${count} elements.`,
  world: { counts: { customers: count, segments: count } },
  open: [...usuallyOpen, ...both('order-ties'), ...open],
  notices,
})

export const noStores = [
  'store-shape',
  'store-products-shape',
  'store-products-values',
  'store-products-cursor',
  'store-assumed-fields',
  'product-assumed-fields',
  'observe-product-page-size',
]
const noIntegrations = ['integration-shape', 'integration-pixels']

const ofCounts: readonly Variant[] = [
  { id: 'the-mock', about: 'The mock with its defaults.', open: usuallyOpen },
  rows(0, [...needMany, ...needTwo, ...needOne]),
  rows(1, [...needMany, ...needTwo]),
  rows(2, needMany),
  rows(10, needMany),
  rows(25, needMany),
  rows(26),
  rows(27),
  rows(50),
  rows(60),
  rows(61),
  rows(200, both('order-mirror', 'order-elements')),
  {
    id: 'without-stores',
    about: 'The account has no stores.',
    world: { counts: { stores: 0 } },
    open: [...usuallyOpen, ...noStores],
  },
  {
    id: 'without-products',
    about: 'No store has products.',
    world: { counts: { products: 0 } },
    open: [
      ...usuallyOpen,
      'store-products-shape',
      'store-products-values',
      'store-products-cursor',
      'observe-product-page-size',
      'product-assumed-fields',
    ],
  },
  {
    id: 'without-integrations',
    about: 'The account has no integrations.',
    world: { counts: { integrations: 0 } },
    open: [...usuallyOpen, ...noIntegrations],
  },
  {
    id: 'without-pixels',
    about: 'The account has no pixels.',
    world: { counts: { pixels: 0 } },
    open: usuallyOpen,
  },
  {
    id: 'empty-account',
    about: 'The account is empty.',
    world: { counts: { customers: 0, segments: 0, stores: 0, products: 0, integrations: 0, pixels: 0 } },
    open: [...usuallyOpen, ...needMany, ...needTwo, ...needOne, ...noStores, ...noIntegrations],
  },
  {
    id: 'one-list-empty',
    about: 'There are customers but no segments.',
    world: { counts: { segments: 0 } },
    open: [...usuallyOpen, ...[...needMany, ...needTwo, ...needOne].filter((it) => it.startsWith('segment'))],
  },
]

const ofProfile: readonly Variant[] = [
  {
    id: 'page-of-10',
    about: 'A page never has more than 10 elements.',
    world: { profile: { first_cap: 10 } },
    notices: [...both('full-page'), 'first-cap'],
    differs: ['first_cap'],
    open: usuallyOpen,
  },
  {
    id: 'cap-at-25',
    about: 'A page never has more than 25 elements.',
    world: { counts: { customers: 120 }, profile: { first_cap: 25 } },
    notices: ['first-cap'],
    differs: ['first_cap'],
    open: usuallyOpen,
  },
  {
    id: 'cap-at-50',
    about: 'A page never has more than 50 elements.',
    world: { counts: { customers: 70 }, profile: { first_cap: 50 } },
    notices: ['first-cap'],
    differs: ['first_cap'],
    open: [...usuallyOpen, 'customers-order-mirror'],
  },
  {
    id: 'above-50-rejected',
    about: '`first` above 50 is an error.',
    world: { profile: { first_cap: 50, first_above_cap: 'error' } },
    notices: ['first-cap'],
    differs: ['first_cap', 'first_above_cap'],
    open: usuallyOpen,
  },
  {
    id: 'above-25-rejected',
    about: '`first` above 25 is an error.',
    world: { counts: { customers: 70 }, profile: { first_cap: 25, first_above_cap: 'error' } },
    notices: ['first-cap'],
    differs: ['first_cap', 'first_above_cap'],
    open: [...usuallyOpen, 'customers-order-mirror'],
  },
  {
    id: 'newest-first',
    about: 'The default order is newest first.',
    world: { profile: { default_order: 'order_by:created_at order_dir:desc' } },
    differs: ['default_order'],
    open: usuallyOpen,
  },
  {
    id: 'by-name',
    about: 'The default order is by name.',
    world: { profile: { default_order: 'order_by:full_name order_dir:asc' } },
    differs: ['default_order'],
    open: usuallyOpen,
  },
  {
    id: 'order-keys-rejected',
    about: 'Lists can be ordered by `created_at` only.',
    world: { profile: { order_keys: { customers: ['created_at'], segments: ['created_at'] } } },
    notices: both('order-keys'),
    differs: ['order_keys', 'default_order'],
    open: [...usuallyOpen, ...both('order-values', 'order-ties')],
  },
  {
    id: 'unknown-filters-ignored',
    about: 'Unknown filters in `query` are ignored.',
    world: { profile: { unknown_filter: 'ignore' } },
    differs: ['unknown_filter'],
    open: usuallyOpen,
  },
  {
    id: 'negative-first-empty',
    about: 'A negative `first` returns an empty page.',
    world: { profile: { first_negative: 'empty' } },
    notices: ['first-negative'],
    differs: ['first_negative'],
    open: usuallyOpen,
  },
  {
    id: 'unknown-cursor-starts-over',
    about: 'An unknown cursor returns the start of the list.',
    world: { profile: { bad_cursor: 'start_over' } },
    notices: ['bad-cursor'],
    differs: ['bad_cursor'],
    open: usuallyOpen,
  },
  {
    id: 'unknown-cursor-gives-nothing',
    about: 'An unknown cursor returns an empty page.',
    world: { profile: { bad_cursor: 'empty_page' } },
    notices: ['bad-cursor'],
    differs: ['bad_cursor'],
    open: usuallyOpen,
  },
  {
    id: 'products-by-10',
    about: 'A page of products has 10.',
    world: { profile: { product_page_size: 10 } },
    differs: ['product_page_size'],
    open: usuallyOpen,
  },
  {
    id: 'unknown-node-error',
    about: '`node` with an unknown id is an error.',
    world: { profile: { unknown_node: 'error' } },
    differs: ['unknown_node'],
    open: usuallyOpen,
  },
  {
    id: 'keyed-errors',
    about: 'Errors have `name` and `key`.',
    world: { profile: { error_form: 'keyed' } },
    differs: ['error_form'],
    open: usuallyOpen,
  },
  ...([400, 422] as const).map((status): Variant => ({
    id: `status-${status}`,
    about: `Errors have status ${status}.`,
    world: { profile: { error_status: status } },
    differs: ['error_status'],
    open: usuallyOpen,
  })),
  {
    id: 'get-accepted',
    about: 'GET is accepted for queries.',
    world: { profile: { http_get: 'queries' } },
    differs: ['http_get'],
    open: usuallyOpen,
  },
]

const ofSchema: readonly Variant[] = [
  {
    id: 'more-fields-and-types',
    about: 'The schema has more fields, types and arguments.',
    world: {
      schema: {
        'type Customer implements Node {':
          'type Voucher implements Node {\n  id: ID!\n  code: String!\n}\n\ntype Customer implements Node {\n  vouchers: [Voucher!]\n  loyalty: Int',
        '  account: Account': '  vouchers(first: Int = 3): [Voucher!]\n  account: Account',
        'type Store implements Node {': 'type Store implements Node {\n  opened: Boolean!',
      },
    },
    open: usuallyOpen,
  },
]

export const worldVariants: readonly Variant[] = [...ofCounts, ...ofProfile, ...ofSchema]
