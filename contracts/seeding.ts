/** What can be seeded on this service: how each resource is created, listed, found by a key, and removed. */
import { fail, type Context } from '../src/contract/check.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import type { GraphqlError } from '../src/client/target.js'
import { stringOf, type Key, type ListedObject, type SeedResource } from '../src/seeding/seed-resource.js'
import { pixelLists, pixels, updateAccount } from './account.js'
import { createCustomer, customerListing, updateCustomer } from './customers.js'
import { createConversionApiFacebookIntegration, integrations, removeIntegration } from './integrations.js'
import { tryPage, usualPage, type Listing } from './support/pages.js'
import type { Data } from './support/samples.js'
import { createSegment, deleteSegments, segmentListing } from './segments.js'
import { createStore, deleteStore, stores, updateStore } from './stores.js'

/** Large pages and newest first, if the server takes that. */
const openings = ['order_by:created_at order_dir:desc', ''].flatMap((query) =>
  [1000, 100, usualPage].map((first) => ({ query, first })),
)

/** The first page of a listing, with the arguments that the server took. */
async function openListing(context: Context, listing: Listing, fields: readonly string[]) {
  let message = ''
  for (const opening of openings) {
    const page = await tryPage(context, listing, opening, fields)
    if (typeof page !== 'string') return { ...opening, page }
    message = page
  }
  return fail(`The server does not list ${listing.name}: “${message}”.`)
}

const inListing = (listing: Listing) =>
  async function* (context: Context, key: Key): AsyncGenerator<ListedObject> {
    const fields = [key.name]
    const { query, first, page } = await openListing(context, listing, fields)
    for (let current = page; ;) {
      for (const { id, node } of current.rows) if (node) yield { id, key: stringOf(node[key.name]) }
      if (current.hasNextPage === false || current.rows.length === 0) return
      const after = current.rows.at(-1)?.cursor ?? current.endCursor ?? undefined
      const next = await tryPage(context, listing, { query, first, after }, fields)
      if (typeof next === 'string') fail(`The server answers a page of ${listing.name} with an error: “${next}”.`)
      else if (after === undefined || next.rows.at(-1)?.cursor === after) {
        fail(`The list of ${listing.name} repeats a page, so it cannot be read to its end.`)
      } else current = next
    }
  }

const inAccount = (list: string, query: (key: Key) => Operation) =>
  async function* (context: Context, key: Key): AsyncGenerator<ListedObject> {
    const { account } = await context.ask(query(key))
    for (const object of ((account as Data | null)?.[list] ?? []) as readonly (Data | null)[]) {
      if (object) yield { id: stringOf(object['id']), key: stringOf(object[key.name]) }
    }
  }

const nodeId = operation('query NodeId($id: ID!) {\n  node(id: $id) {\n    id\n  }\n}')

/** A server without `node` answers with an error, and its lists are read instead. */
const byNode = async (context: Context, id: string): Promise<boolean> => {
  const { body } = await context.send(withVariables(nodeId, { id }))
  return (body.data?.['node'] as Data | null | undefined)?.['id'] === id
}

const storeSlugs = operation(/* GraphQL */ `
  query StoreSlugs {
    account {
      id
      stores {
        id
        slug
      }
    }
  }
`)

const field = (name: string, more: Partial<Key> = {}): Key => ({
  name,
  unique: false,
  of: (row) => stringOf(row[name]),
  ...more,
})

const itself = (object: Data): Data => object

/** How many ids one mutation gets. */
const maxItems = 50

const inBatches =
  (removal: Operation): NonNullable<SeedResource['remove']> =>
  async (objects) =>
    Array.from({ length: Math.ceil(objects.length / maxItems) }, (_, at) => {
      const batch = objects.slice(at * maxItems, (at + 1) * maxItems)
      return withVariables(removal, { items: batch.map(({ id }) => id) })
    })

/** The same label can be in each of the three lists. */
const pixelKey = (list: unknown, label: unknown) => `${stringOf(list)}: ${stringOf(label)}`

const readPixels = async (context: Context): Promise<Data> =>
  ((await context.ask(pixels))['account'] ?? fail('The server shows no account, and so no pixels.')) as Data

const listIn = (account: Data, list: string) => (account[list] ?? []) as readonly Data[]

export const seedResources: readonly SeedResource[] = [
  {
    name: 'segments',
    one: 'segment',
    type: 'Segment',
    keys: [field('name')],
    create: {
      field: 'createSegment',
      input: 'SegmentInput',
      operation: (node) => withVariables(createSegment, { node }),
      objectIn: itself,
    },
    list: inListing(segmentListing),
    exists: byNode,
    remove: inBatches(deleteSegments),
  },
  {
    name: 'stores',
    one: 'store',
    type: 'Store',
    keys: [field('slug', { coordinate: 'Store.slug', unique: true }), field('name')],
    values: ({ attached: products, shipping_group_id: shipping_group_uid, ...row }) => ({
      lang: 'en',
      ...row,
      products,
      shipping_group_uid,
    }),
    create: {
      field: 'createStore',
      input: 'StoreInput',
      operation: (node) => withVariables(createStore, { node }),
      objectIn: ({ store }) => store as Data | null,
    },
    update: { input: 'StoreUpdateInput', operation: (id, node) => withVariables(updateStore, { id, node }) },
    list: inAccount('stores', ({ name }) => (name === 'slug' ? storeSlugs : stores)),
    remove: inBatches(deleteStore),
  },
  {
    name: 'customers',
    one: 'customer',
    type: 'Customer',
    keys: [field('email', { coordinate: 'Customer.email', unique: true }), field('full_name')],
    create: {
      field: 'createCustomer',
      input: 'InputCustomer',
      operation: (node) => withVariables(createCustomer, { node }),
      objectIn: itself,
    },
    update: { input: 'InputUpdateCustomer', operation: (id, node) => withVariables(updateCustomer, { id, node }) },
    list: inListing(customerListing),
    exists: byNode,
  },
  {
    name: 'integrations',
    one: 'integration',
    type: 'Integration',
    keys: [field('label')],
    unsupported: ({ platform }) => (platform === 'facebook' ? undefined : `integrations with ${stringOf(platform)}`),
    secret: {
      name: 'facebookToken',
      advice: 'Put the token from Facebook into an environment variable, and give its name with --facebook-token-env.',
    },
    values: ({ label, details }, { facebookToken: token }) => ({
      token,
      label,
      pixels: (details as Data | null | undefined)?.['pixels'] ?? [],
    }),
    create: {
      field: 'createConversionApiFacebookIntegration',
      input: 'FacebookConversionApi',
      operation: (node) => withVariables(createConversionApiFacebookIntegration, { node }),
      objectIn: itself,
    },
    list: inAccount('integrations', () => integrations),
    remove: async (objects) => objects.map(({ id }) => withVariables(removeIntegration, { id })),
  },
  {
    name: 'pixels',
    one: 'pixel',
    type: 'Pixel',
    keys: [{ name: 'label', unique: false, of: (row) => pixelKey(row['list'], row['label']) }],
    values: ({ label, value }) => ({ label, value }),
    // A list is read before it is written as a whole, so two pixels cannot be added at once.
    serial: true,
    create: {
      field: 'updateAccount',
      input: 'InputPixel',
      async operation(pixel, { list }, context) {
        const present = listIn(await readPixels(context), stringOf(list))
        return withVariables(updateAccount, { node: { [stringOf(list)]: [...present, pixel] } })
      },
      // A pixel has no id. Its value is what the platform knows it by.
      objectIn: (account, { list, value }) => (account[stringOf(list)] ? { id: value } : null),
    },
    async *list(context) {
      const account = await readPixels(context)
      for (const list of pixelLists) {
        for (const { label, value } of listIn(account, list)) yield { id: stringOf(value), key: pixelKey(list, label) }
      }
    },
    async remove(objects, context) {
      const account = await readPixels(context)
      const ours = new Set(objects.map(({ id, key }) => JSON.stringify([key, id])))
      return pixelLists.flatMap((list) => {
        const present = listIn(account, list)
        const rest = present.filter(({ label, value }) => !ours.has(JSON.stringify([pixelKey(list, label), value])))
        return rest.length === present.length ? [] : [withVariables(updateAccount, { node: { [list]: rest } })]
      })
    },
  },
]

/** Whether the service says that there were too many requests. Clients have seen the key `rate_limit_reached`. */
export const isTooMany = ({ message, extensions, ['key']: key }: GraphqlError): boolean =>
  /rate[ _-]?limit|too[ _-]many[ _-]requests|throttled/i.test(
    `${message} ${stringOf(key)} ${stringOf(extensions?.['code'])}`,
  )

/** Codes of errors that come before a write. Codes such as INTERNAL_SERVER_ERROR can come after it. */
const rejections: readonly string[] = [
  'ALREADY_EXISTS',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'CONFLICT',
  'DUPLICATE',
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'LIMIT',
  'NOT_FOUND',
  'UNAUTHENTICATED',
]

/** Whether an error proves that nothing was done. A message alone proves nothing. */
export const isRejection = ({ extensions }: GraphqlError): boolean =>
  rejections.includes(stringOf(extensions?.['code']))
