/** Stores: their operations, their resource, and the checks that read and write them and attach products. */
import { type Check, type Context, documented, fail, skip, type Data } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import type { LifecycleResource } from '../src/writing/resource.js'
import { productChecks, productsIn, productsOf, stores } from './products.js'
import { judgeAccount } from './account.js'
import { deletionCheck } from './rules/deletion.js'
import { judgeId, lifecycleChecks } from './rules/lifecycle.js'
import { textCheck } from './rules/texts.js'
import { judgeAll, judgeWrites } from './support/judge-each.js'
import { inAccount } from './support/lists.js'
import { askAccount, judgeNodes } from './support/samples.js'
import { workingSubject } from './support/subjects.js'
import { beforeWrites, judgeUntouched, subjectBetween } from './support/unchanged.js'
import { accepted, writerOf } from './support/writer.js'

export const store = operation('query Store($id: ID!) { node(id: $id) { id ... on Store { name } } }')

export const deleteStore = operation(`mutation DeleteStore($items: [ID!]!) {
  deleteStore(items: $items) { id stores { id } }
}`)

export const addProductsToStore =
  operation(`mutation AddProductsToStore($id: ID!, $node: AddProductsToStoreInput!, $cursor: String) {
  addProductsToStore(id: $id, node: $node) { id products(cursor: $cursor) { title price link cursor } }
}`)

export const storeChecks: readonly Check[] = [
  {
    id: 'stores-shape',
    at: 'Account.stores',
    title: '`account { stores }` MUST be a list of stores.',
    basis: documented('Stores: account { stores { ... } }, query: list of Store under `data.account.stores`.'),
    async run(context) {
      const { stores: listed } = await askAccount(context, stores)
      if (!Array.isArray(listed)) return fail('`stores` of the account is null.')
      const empty = listed.indexOf(null)
      if (empty !== -1) fail(`data.account.stores[${empty}] is null.`, { at: 'Store' })
    },
  },
  {
    id: 'store-shape',
    at: 'Query.node',
    title: '`node` MUST return a store by its id.',
    basis: documented('Stores: node (fragment on Store): the Store under `data.node`.'),
    run: (context) => judgeNodes(context, stores, store),
  },
  ...productChecks,
]

/** A currency that differs from that of the account, which a store gets by default. */
async function otherCurrency(context: Context, { currency }: Data): Promise<Data> {
  if (currency === undefined) return {}
  const asked = operation('query Currency { account { store_currency } }')
  const known = context.shared('currency of the account', () => ({ currency: undefined as unknown }))
  if (known.currency === undefined && (await context.shows('Account.store_currency'))) {
    const account = (await context.send(asked)).body.data?.['account'] as Data | null | undefined
    known.currency = account?.['store_currency']
  }
  const usual = known.currency ?? currency
  return { currency: usual === 'EUR' ? 'USD' : 'EUR' }
}

const adding = { field: 'addProductsToStore', input: 'AddProductsToStoreInput' }

export const storeResource: LifecycleResource = {
  name: 'stores',
  one: 'store',
  type: 'Store',
  tagField: 'name',
  list: inAccount('stores'),
  create: {
    field: 'createStore',
    input: 'StoreInput',
    basis: documented('Stores: createStore, mutation: CreateStoreMutation (`account`, `store`).'),
    around: (selection) => `account { id stores { id } } store { ${selection} }`,
    objectIn: (answer) => (answer['store'] ?? null) as Data | null,
    unusual: otherCurrency,
  },
  update: {
    field: 'updateStore',
    input: 'StoreUpdateInput',
    basis: documented('Stores: updateStore, mutation: the updated Store.'),
  },
  attach: adding,
  remove: {
    max: 50,
    operation: (objects) => withVariables(deleteStore, { items: objects.map(({ id }) => id) }),
  },
  announced: 'a few are created, updated and deleted.',
  keys: [{ name: 'slug', coordinate: 'Store.slug', unique: true, numbered: true }, { name: 'name' }],
  values: ({ attached: products, shipping_group_id: shipping_group_uid, ...row }) => ({
    lang: 'en',
    ...row,
    products,
    shipping_group_uid,
  }),
  tagged: (row, tag) => ({
    lang: 'en',
    ...row,
    name: `${tag} ${row['name']}`,
    slug: tag,
    email: `${tag}@example.com`,
  }),
  retagged: (input, tag) => ({ ...input, slug: `new-${tag}`, email: `new.${tag}@example.com` }),
  texts: { name: 'line', legal_name: 'line', refund_policy: 'block' },
  single: ['refund_policy', 'legal_name', 'address'],
  moving: ['updated_at'],
  inside: { products: { title: null, price: null, link: null } },
}

const storesOnly: readonly Check[] = [
  {
    id: 'create-store-account',
    at: 'Mutation.createStore',
    title: '`createStore` MUST return the account, which lists the new store and the others.',
    basis: documented('CreateStoreMutation: account, Account!; store, Store!.'),
    writes: 'stores',
    async run(context) {
      const { id: older } = await workingSubject(context, storeResource)
      const { id, answer, exchanges } = await workingSubject(context, storeResource, 'second')
      // The older one is a store of this run, because somebody else may delete theirs at any time.
      await judgeAccount(context, 'createStore', answer['account'], 'stores', { has: [id, older] }, exchanges)
    },
  },
  {
    id: 'add-products',
    at: 'Mutation.addProductsToStore',
    title: '`addProductsToStore` MUST return the store, which then lists the products.',
    basis: documented('Stores: addProductsToStore, mutation: the Store (with `id` and `products(cursor)`).'),
    writes: 'stores',
    async run(context) {
      const writer = writerOf(context)
      const uids = writer.productUids
      if (uids.length === 0) skip('No query lists the uids of products. Pass some with --product-uids.')
      const { subject, neighbors } = await subjectBetween(context, storeResource)
      const others = await beforeWrites(context, storeResource, neighbors)
      // In two parts, because the second must not replace the first.
      const parts = [uids.slice(0, 2), uids.slice(2)].filter((it) => it.length > 0)
      await judgeAll(
        context,
        () =>
          judgeWrites(
            context,
            parts.map((it) => () => judgeAdding(context, subject.id, it)),
          ),
        () => judgeUntouched(context, storeResource, others, 'addProductsToStore'),
      )
    },
  },
]

/** A store lists the products that were added, besides those that it had. */
async function judgeAdding(context: Context, id: string, uids: readonly string[]): Promise<void> {
  const writer = writerOf(context)
  const before = await productsOf(context, id)
  const node = await writer.documentedInput(adding, { products_uids: uids })
  const asked = withVariables(addProductsToStore, { id, node, cursor: null })
  const data = await accepted(writer.change(asked, [id]), 'the products of --product-uids')
  const store = data['addProductsToStore'] as Data | null
  const { length } = productsIn(store)
  await judgeAll(
    context,
    () => judgeId('Store', id, store ?? {}, 'addProductsToStore'),
    () => {
      // If the page is full, others may follow.
      const wanted = length < 25 ? before.length + uids.length : length
      if (length < wanted)
        fail(`The store had ${before.length} products, ${uids.length} were added, and the answer lists ${length}.`)
    },
    async () => {
      const later = await writer.eventually(
        () => productsOf(context, id),
        (it) => it.length >= length,
      )
      const sentence = `addProductsToStore returned ${length} products of the store, and node lists ${later.length}.`
      if (later.length < length) fail(sentence, { at: 'Query.node' })
    },
  )
}

export const storeWrites: readonly Check[] = [...lifecycleChecks(storeResource), ...storesOnly]

export const storeDeletions: readonly Check[] = [
  deletionCheck(
    storeResource,
    'deleteStore',
    deleteStore,
    {
      id: 'delete-store',
      title: '`deleteStore` MUST return the account without the store, and MUST NOT delete other stores.',
      basis: documented('Stores: deleteStore, mutation: Account.'),
    },
    (context, answer, ids, kept, evidence) =>
      judgeAccount(context, 'deleteStore', answer, 'stores', { has: [kept], lacks: ids }, evidence),
  ),
  // Last, because its object must not be a neighbor of those that are deleted.
  textCheck(storeResource),
]
