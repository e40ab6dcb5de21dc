/** What can be seeded on this service: the inputs a row becomes, the marks of each kind, and how it is taken away. */
import { fail, type Context } from '../src/contract/check.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import type { GraphqlError } from '../src/client/target.js'
import { textOf, type Mark, type Row, type SeedKind, type Shown } from '../src/seeding/seed-kind.js'
import { pixels, updateAccount } from './account.js'
import { createCustomer, customerListing, updateCustomer } from './customers.js'
import { createConversionApiFacebookIntegration, integrations, removeIntegration } from './integrations.js'
import { tryPage, usualPage, type Listing } from './support/pages.js'
import type { Data } from './support/samples.js'
import { createSegment, deleteSegments, segmentListing } from './segments.js'
import { createStore, deleteStore, stores, updateStore } from './stores.js'

/** The large ones first, for a list of a million; each is tried where the one before is refused. */
const pageSizes: readonly number[] = [1000, 100, usualPage]
/** What was made last comes first, if the server takes that. */
const orders: readonly string[] = ['order_by:created_at order_dir:desc', '']

/** The first page of a listing in the best way that the server takes. */
async function opened(context: Context, listing: Listing, fields: readonly string[]) {
  let words = ''
  for (const query of orders) {
    for (const first of pageSizes) {
      const page = await tryPage(context, listing, { query, first }, fields)
      if (typeof page !== 'string') return { query, first, page }
      words = page
    }
  }
  return fail(`The server does not list ${listing.name}: “${words}”.`)
}

/** All objects of a listing, to its end. */
const inListing = (listing: Listing) =>
  async function* (context: Context, mark: Mark): AsyncGenerator<Shown> {
    const fields = [mark.name]
    const { query, first, page } = await opened(context, listing, fields)
    for (let current = page; ;) {
      for (const { id, node } of current.rows) if (node) yield { id, mark: textOf(node[mark.name]) }
      if (current.hasNextPage === false || current.rows.length === 0) return
      const after = current.rows.at(-1)?.cursor ?? current.endCursor ?? undefined
      const next = await tryPage(context, listing, { query, first, after }, fields)
      if (typeof next === 'string') fail(`The server ends the list of ${listing.name} with an error: “${next}”.`)
      else if (after === undefined || next.rows.at(-1)?.cursor === after) {
        fail(`The list of ${listing.name} does not move on behind its cursor, so it cannot be read to its end.`)
      } else current = next
    }
  }

const nodeId = operation('query NodeId($id: ID!) {\n  node(id: $id) {\n    id\n  }\n}')

/** A server without "node" answers with an error, and is asked for its lists. */
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

const inAccount = (list: string, source: (mark: Mark) => Operation) =>
  async function* (context: Context, mark: Mark): AsyncGenerator<Shown> {
    const { account } = await context.ask(source(mark))
    for (const object of ((account as Data | null)?.[list] ?? []) as readonly (Data | null)[]) {
      if (object) yield { id: textOf(object['id']), mark: textOf(object[mark.name]) }
    }
  }

const field = (name: string, more: Partial<Mark> = {}): Mark => ({
  name,
  unique: false,
  of: (row) => textOf(row[name]),
  ...more,
})

/** The object under a field of the answer. */
const under = (name: string) => (answer: Data) => (answer[name] as Data | null)?.['id']

/** So many ids are deleted by one mutation. */
const maxItems = 50

const together =
  (operation: Operation) =>
  async (objects: readonly Shown[]): Promise<readonly Operation[]> => {
    const ids = objects.map(({ id }) => id)
    const batches = Array.from({ length: Math.ceil(ids.length / maxItems) }, (_, i) =>
      ids.slice(i * maxItems, (i + 1) * maxItems),
    )
    return batches.map((items) => withVariables(operation, { items }))
  }

const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

/** A label may stand in each of the three lists. */
const pixelMark = (list: unknown, label: unknown) => `${textOf(list)}: ${textOf(label)}`

const pixelsNow = async (context: Context): Promise<Data> =>
  ((await context.ask(pixels))['account'] ?? fail('The server shows no account, and so no pixels.')) as Data

const listOf = (account: Data, list: string) => (account[list] ?? []) as readonly Data[]

export const seedKinds: readonly SeedKind[] = [
  {
    name: 'segments',
    one: 'segment',
    type: 'Segment',
    marks: [field('name')],
    create: {
      input: 'SegmentInput',
      operation: (node) => withVariables(createSegment, { node }),
      idIn: under('createSegment'),
    },
    shown: inListing(segmentListing),
    has: byNode,
    undo: together(deleteSegments),
  },
  {
    name: 'stores',
    one: 'store',
    type: 'Store',
    marks: [field('slug', { coordinate: 'Store.slug', unique: true }), field('name')],
    values: ({ attached: products, shipping_group_id: shipping_group_uid, ...row }) => ({
      lang: 'en',
      ...row,
      products,
      shipping_group_uid,
    }),
    create: {
      input: 'StoreInput',
      operation: (node) => withVariables(createStore, { node }),
      idIn: (answer) => under('store')((answer['createStore'] ?? {}) as Data),
    },
    complete: { input: 'StoreUpdateInput', operation: (id, node) => withVariables(updateStore, { id, node }) },
    shown: inAccount('stores', (mark) => (mark.name === 'slug' ? storeSlugs : stores)),
    undo: together(deleteStore),
  },
  {
    name: 'customers',
    one: 'customer',
    type: 'Customer',
    marks: [field('email', { coordinate: 'Customer.email', unique: true }), field('full_name')],
    create: {
      input: 'InputCustomer',
      operation: (node) => withVariables(createCustomer, { node }),
      idIn: under('createCustomer'),
    },
    complete: { input: 'InputUpdateCustomer', operation: (id, node) => withVariables(updateCustomer, { id, node }) },
    shown: inListing(customerListing),
    has: byNode,
  },
  {
    name: 'integrations',
    one: 'integration',
    type: 'Integration',
    marks: [field('label')],
    impossible: ({ platform }) => (platform === 'facebook' ? undefined : `integrations with ${textOf(platform)}`),
    secret: {
      name: 'facebookToken',
      advice: 'Put the token that Facebook gave into an environment variable and name that with --facebook-token-env.',
    },
    values: ({ label, details }, { facebookToken: token }) => ({
      token,
      label,
      pixels: (details as Data | null | undefined)?.['pixels'] ?? [],
    }),
    create: {
      input: 'FacebookConversionApi',
      operation: (node) => withVariables(createConversionApiFacebookIntegration, { node }),
      idIn: under('createConversionApiFacebookIntegration'),
    },
    shown: inAccount('integrations', () => integrations),
    undo: async (objects) => objects.map(({ id }) => withVariables(removeIntegration, { id })),
  },
  {
    name: 'pixels',
    one: 'pixel',
    type: 'Pixel',
    marks: [{ name: 'label', unique: false, of: (row) => pixelMark(row['list'], row['label']) }],
    values: ({ label, value }) => ({ label, value }),
    // A list is written as a whole: what stands there is read before, and two must not do that at once.
    serial: true,
    create: {
      input: 'InputPixel',
      async operation(pixel, { list }, context) {
        const standing = listOf(await pixelsNow(context), textOf(list))
        return withVariables(updateAccount, { node: { [textOf(list)]: [...standing, pixel] } })
      },
      // It has no id of its own: its value is what the platform knows it by.
      idIn: (answer, { list, value }) => ((answer['updateAccount'] as Data | null)?.[textOf(list)] ? value : undefined),
    },
    async *shown(context) {
      const account = await pixelsNow(context)
      for (const list of pixelLists) {
        for (const { label, value } of listOf(account, list)) yield { id: textOf(value), mark: pixelMark(list, label) }
      }
    },
    async undo(objects, context) {
      const account = await pixelsNow(context)
      const ours = new Set(objects.map(({ id, mark }) => JSON.stringify([mark, id])))
      return pixelLists.flatMap((list) => {
        const standing = listOf(account, list)
        const rest = standing.filter(({ label, value }) => !ours.has(JSON.stringify([pixelMark(list, label), value])))
        return rest.length === standing.length ? [] : [withVariables(updateAccount, { node: { [list]: rest } })]
      })
    },
  },
]

/** Whether the service says that there were too many requests; clients have seen it as the key `rate_limit_reached`. */
export const isTooMany = ({ message, extensions, ['key']: key }: GraphqlError): boolean =>
  /rate[ _-]?limit|too[ _-]many[ _-]requests|throttled/i.test(
    `${message} ${textOf(key)} ${textOf(extensions?.['code'])}`,
  )

/** Codes that are only given to what was looked at and not taken; "INTERNAL_SERVER_ERROR" and the like tell nothing. */
const refusals: readonly string[] = [
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

/** Whether an error proves that nothing was done. An error in words alone may have come after the write. */
export const isRefusal = ({ extensions }: GraphqlError): boolean => refusals.includes(textOf(extensions?.['code']))

/** The row of a pixel: the list it stands in, and the pixel. */
export const pixelRow = (list: (typeof pixelLists)[number], pixel: Row): Row => ({ list, ...pixel })
export { pixelLists as seededPixelLists }
