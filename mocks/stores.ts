/** Stores, and the products that are attached to them. */
import { define, type RecordOf } from '../src/world/definition.js'
import { createIds } from '../src/world/ids.js'
import type { Order } from '../src/world/page.js'
import { encodeCursor } from '../src/world/cursor.js'
import { accountOf, type Account } from './account.js'
import { pictureUrl, rowsToRead, takeRows, type Context } from './context.js'
import { positionAfter } from './listing.js'
import { places } from './data/places.js'
import { products, type Product } from './products.js'
import { inSeedOrder } from './data/seed-order.js'
import { slugOf } from './data/slugs.js'
import { storeNames } from './data/store-names.js'
import { existing, refuseDuplicate, removeAll, valuesFrom, type InputOf, type NamedRow } from './updates.js'

interface Stored {
  readonly name: string
  readonly slug: string
  readonly currency: string
  readonly refund_policy: string | null
  readonly privacy_policy: string | null
  readonly terms_of_services: string | null
  readonly single_checkout_page: boolean
  readonly shipping_group_id: string | null
  readonly defaultDomain: string
  readonly address: string
  readonly legal_name: string
  readonly email: string
  readonly header_scripts: string | null
  readonly published: boolean
  /** The indexes of the attached products, in the order they were attached. */
  readonly attached: readonly number[]
}

export type Store = RecordOf<Stored>

const nameOf = inSeedOrder('Store', storeNames)

export const stores = define<Stored>({
  name: 'Store',
  idPrefix: 'store_',
  stored: {
    name: (_, row, origin) => {
      const round = Math.floor(row.index / storeNames.length) + 1
      return nameOf(row.index, origin) + (round > 1 ? ` ${round}` : '')
    },
    slug: (_, row) => slugOf(row.name),
    currency: () => 'USD',
    refund_policy: (rng) => `Unused goods can be returned within ${rng.pick([14, 30, 60])} days.`,
    privacy_policy: () => 'We keep what an order needs and pass it on to nobody.',
    terms_of_services: (rng) => `Orders leave our house within ${rng.between(1, 5)} working days.`,
    single_checkout_page: (rng) => rng.chance(0.5),
    shipping_group_id: (_, row, origin) => createIds(origin.randomSeed, 'ship_').encode(row.index),
    defaultDomain: (_, row) => `${row.slug}.example`,
    address: (rng) => {
      const { city, state, zip } = rng.pick(places)
      return `${rng.between(1, 900)} ${rng.faker.location.street()}, ${city}, ${state} ${zip}${rng.between(10, 99)}`
    },
    legal_name: (rng, row) => `${row.name} ${rng.pick(['LLC', 'Inc.', 'Co.'])}`,
    email: (_, row) => `hello@${row.defaultDomain}`,
    header_scripts: () => null,
    published: (rng) => rng.chance(0.85),
    // One random number per product, so a larger catalog does not change the attachments of a smaller one.
    attached: (rng, _, { countOf }) =>
      Array.from({ length: countOf('Product') }, (_, i) => i).filter(() => rng.chance(0.55)),
  },
})

const attachedOrder: Order = { key: 'attached', dir: 'asc' }

const listName = ({ id }: Store) => `products of ${id}`

/** The page of products after a cursor. */
function productsOf(store: Store, cursor: string | null | undefined, context: Context): object[] {
  const after = positionAfter(listName(store), attachedOrder, cursor ?? '', context.profile)
  if (after === 'nowhere') return []
  // Products are only added at the end, so a position never moves.
  const start = after ? Number(after.value) + 1 : 0
  const page = store.attached.slice(start, start + rowsToRead(context, context.profile.product_page_size))
  return takeRows(context, page).map((index, i) => {
    const product = context.world.at(products, index) as Product
    return {
      $record: product,
      id: product.id,
      index,
      title: product.title,
      price: product.price,
      compare_at_price: product.compare_at_price,
      reviews_value: product.reviews_value,
      slug: product.slug,
      thumbnail: product.thumbnail,
      store,
      position: start + i,
    }
  })
}

/** The place of a product in the list of a store. */
interface Place {
  readonly store: Store
  readonly position: number
}

type Shown = Product | (Product & Place)

/** A record that `mock.get` reads is in no list. It is shown as in the first store that has it. */
function placeOf(product: Shown, { world }: Context): Place | undefined {
  if ('store' in product) return product
  for (const store of world.all(stores)) {
    const position = store.attached.indexOf(product.index)
    if (position >= 0) return { store, position }
  }
  return undefined
}

interface Input extends InputOf<Pick<Stored, 'name' | 'slug' | 'currency' | 'single_checkout_page'>> {}

/** The inputs of updateStore, with what null stands for. */
const cleared: Omit<Stored, 'name' | 'currency' | 'defaultDomain' | 'header_scripts' | 'published' | 'attached'> = {
  slug: '',
  email: '',
  legal_name: '',
  address: '',
  refund_policy: null,
  privacy_policy: null,
  terms_of_services: null,
  single_checkout_page: false,
  shipping_group_id: null,
}

interface UpdateInput extends InputOf<Omit<typeof cleared, 'shipping_group_id'>> {
  readonly shipping_group_uid?: string | null
}

/** A store of a world file: the inputs of both mutations. */
export interface StoreRow extends Omit<UpdateInput, 'slug' | 'shipping_group_uid'>, NamedRow {
  readonly name: string
  readonly slug?: string
  /** Not part of any output. It is stored, because `seed` sends it. */
  readonly lang?: string
  readonly currency?: string | null
  readonly published?: boolean | null
  /** The products that are attached. A mock ignores those that it does not have, because they may be those of a server. */
  readonly products_uids?: readonly string[] | null
}

/** The values of a row of a world file, or of a new store. What is omitted or null has a default. */
export function storeOf({ name, slug = slugOf(name), ...row }: StoreRow, account: Account): Stored {
  const given = Object.entries(row).filter(([, value]) => value !== null && value !== undefined)
  const store: Stored = {
    name,
    slug,
    currency: account.store_currency,
    single_checkout_page: false,
    refund_policy: null,
    privacy_policy: null,
    terms_of_services: null,
    shipping_group_id: null,
    defaultDomain: `${slugOf(slug) || 'store'}.example`,
    address: '',
    legal_name: account.account_name,
    email: account.email ?? '',
    header_scripts: null,
    published: false,
    attached: [],
  }
  return Object.assign(store, Object.fromEntries(given))
}

export const storeResolvers = {
  Mutation: {
    createStore(_: unknown, { node: input }: { node: Input }, context: Context) {
      const { name, slug, currency = null, single_checkout_page = null } = input
      const account = accountOf(context.world)
      const settings = { currency, single_checkout_page }
      const values = storeOf({ name: name ?? 'New Store', ...(slug != null && { slug }), ...settings }, account)
      refuseDuplicate(context, stores, 'slug', values.slug)
      return { account, store: context.world.create(stores, values) }
    },
    updateStore(_: unknown, { id, node: input }: { id: string; node: UpdateInput }, context: Context) {
      const store = existing(context, stores, id)
      const values = valuesFrom({ ...input, shipping_group_id: input.shipping_group_uid }, cleared)
      refuseDuplicate(context, stores, 'slug', values.slug, store)
      return context.world.patch(stores, store.index, values)
    },
    deleteStore(_: unknown, { items }: { items: readonly string[] }, context: Context) {
      removeAll(context, stores, items)
      return accountOf(context.world)
    },
    addProductsToStore(
      _: unknown,
      { id, node: input }: { id: string; node: { products_uids: readonly string[] } },
      context: Context,
    ) {
      const store = existing(context, stores, id)
      const added = input.products_uids.map((uid) => existing(context, products, uid).index)
      const attached = [...new Set([...store.attached, ...added])]
      return context.world.patch(stores, store.index, { attached })
    },
  },
  Account: {
    stores: (_: unknown, __: object, context: Context): readonly Store[] =>
      takeRows(context, [...context.world.all(stores)]),
  },
  Store: {
    uid: (store: Store) => store.id,
    products: (store: Store, { cursor }: { cursor?: string | null }, context: Context) =>
      productsOf(store, cursor, context),
  },
  Product: {
    thumbnail: ({ id, thumbnail }: Shown, _: unknown, context: Context) =>
      thumbnail ?? pictureUrl(context, 'thumbnails', id),
    link(product: Shown, _: unknown, context: Context) {
      const place = placeOf(product, context)
      return place ? `https://${place.store.defaultDomain}/products/${product.slug}` : null
    },
    cursor(product: Shown, _: unknown, context: Context) {
      const place = placeOf(product, context)
      if (!place) return null
      return encodeCursor(listName(place.store), attachedOrder, { value: place.position, index: product.index })
    },
  },
}
