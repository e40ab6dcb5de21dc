/** What is promised of stores that are made, changed and deleted, and of the products that are attached to them. */
import { cannotTell, documented, skip, unmet, type Check, type Session } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import { Refused } from '../src/contract/rejection.js'
import { judgeDeleting, lifecycleChecks } from './rules/lifecycle.js'
import { writerOf, type Resource } from './support/resource.js'
import type { Data } from './support/samples.js'
import { addProductsToStore, deleteStore, storeProducts, stores } from './stores.js'
import { workingSubject } from './support/subjects.js'

async function storeList(session: Session, select = 'name'): Promise<readonly Data[]> {
  const { account } = await session.ask(operation(`query Stores { account { id stores { id ${select} } } }`))
  return ((account as Data | null)?.['stores'] ?? []) as readonly Data[]
}

/** A store gets the currency of the account where none is sent. */
async function otherCurrency(session: Session, { currency }: Data): Promise<Data> {
  if (currency === undefined) return {}
  const asked = operation('query Currency { account { store_currency } }')
  const answer = (await session.shows('Account.store_currency')) ? await session.send(asked) : undefined
  const account = answer?.body.data?.['account'] as Data | null | undefined
  const usual = account?.['store_currency'] ?? currency
  return { currency: usual === 'EUR' ? 'USD' : 'EUR' }
}

export const storeResource: Resource = {
  name: 'stores',
  one: 'store',
  type: 'Store',
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
  marked: (row, mark) => ({
    lang: 'en',
    ...row,
    name: `${mark} ${row['name']}`,
    slug: mark,
    email: `${mark}@example.com`,
  }),
  changed: (input, mark) => ({ ...input, slug: `new-${mark}`, email: `new.${mark}@example.com` }),
  single: ['refund_policy', 'legal_name', 'address'],
  moving: ['updated_at'],
  listed: async (session, id) => (await storeList(session)).find((it) => it['id'] === id) ?? null,
  newest: { field: 'name', read: storeList },
}

const productsOf = async (session: Session, id: string): Promise<readonly Data[]> => {
  const { node } = await session.ask(withVariables(storeProducts, { id, cursor: null }))
  return ((node as Data | null)?.['products'] ?? []) as readonly Data[]
}

/** The stores that the account in an answer lists. */
const listedIn = (account: Data): readonly unknown[] =>
  ((account['stores'] ?? []) as readonly Data[]).map((it) => it['id'])

async function judgeAccount(session: Session, account: Data, mutation: string): Promise<void> {
  const { account: own } = await session.ask(stores)
  if (account['id'] !== (own as Data | null)?.['id'])
    unmet(`${mutation} answers ${JSON.stringify(account['id'])}, which is not the account.`)
}

/** Whether a refusal says that products are not there. */
const isUnknown = ({ words, code, fault, barred }: Refused, uids: readonly string[]): boolean =>
  !fault &&
  !barred &&
  (/not_?found|unknown|invalid|bad_(?:user_)?input/i.test(code) ||
    /not found|unknown|no(?:t| such)\b.*\bproduct|product.*\b(?:not|no|invalid)\b/i.test(words) ||
    uids.some((uid) => words.includes(uid)))

const ofStores: readonly Check[] = [
  {
    id: 'create-store-account',
    title: 'createStore answers the account, which lists the store.',
    basis: documented('CreateStoreMutation: account, Account!; store, Store!.'),
    writes: 'stores',
    async run(session) {
      const { id: older } = await workingSubject(session, storeResource)
      const { id, answer } = await workingSubject(session, storeResource, 'second')
      const account = answer['account'] as Data
      await judgeAccount(session, account, 'createStore')
      if (!listedIn(account).includes(id)) unmet(`createStore answers an account that does not list ${id}.`)
      // One of ours: somebody may have deleted another one just then.
      if (!listedIn(account).includes(older))
        unmet(`createStore answers an account that does not list ${older}, which was there before.`)
    },
  },
  {
    id: 'add-products',
    title: 'addProductsToStore answers the store, which then lists the products.',
    basis: documented('Stores: addProductsToStore, mutation: the Store (with `id` and `products(cursor)`).'),
    writes: 'stores',
    async run(session) {
      const writer = writerOf(session)
      const uids = writer.productUids
      if (uids.length === 0) skip('No query tells the uids of products. Give some with --product-uids.')
      await writer.fits('AddProductsToStoreInput', { products_uids: uids })
      const { id } = await workingSubject(session, storeResource)
      const before = await productsOf(session, id)
      const asked = withVariables(addProductsToStore, { id, node: { products_uids: uids }, cursor: null })
      const data = await writer.change(asked, [id]).catch((error: unknown) => {
        if (!(error instanceof Refused && isUnknown(error, uids))) throw error
        return cannotTell(`The server does not know what --product-uids names: “${error.words}”.`)
      })
      const store = data['addProductsToStore'] as Data | null
      if (store?.['id'] !== id) unmet(`addProductsToStore was sent ${id} and answers ${JSON.stringify(store?.['id'])}.`)
      const answered = (store?.['products'] ?? []) as readonly Data[]
      const wanted = Math.min(before.length + uids.length, answered.length < 25 ? Infinity : answered.length)
      if (answered.length < wanted) {
        unmet(
          `The store had ${before.length} products, ${uids.length} were added, and the answer lists ${answered.length}.`,
        )
      }
      const later = await writer.eventually(
        () => productsOf(session, id),
        (it) => it.length >= answered.length,
      )
      if (later.length < answered.length)
        unmet(`node lists ${later.length} products of the store after ${answered.length} were answered.`)
    },
  },
]

export const storeWrites: readonly Check[] = [...lifecycleChecks(storeResource), ...ofStores]

export const storeDeletions: readonly Check[] = [
  {
    id: 'delete-store',
    title: 'deleteStore answers the account without the store, and it is gone.',
    basis: documented('Stores: deleteStore, mutation: Account.'),
    writes: 'stores',
    async run(session) {
      const { id: kept } = await workingSubject(session, storeResource)
      await judgeDeleting(session, storeResource, async (items) => {
        const data = await writerOf(session).change(withVariables(deleteStore, { items }), items)
        const account = data['deleteStore'] as Data | null
        if (!account) return unmet('deleteStore answers null, and not the account.')
        await judgeAccount(session, account, 'deleteStore')
        const left = listedIn(account)
        const still = items.find((it) => left.includes(it))
        if (still !== undefined) unmet(`deleteStore answers an account that still lists ${still}.`)
        if (!left.includes(kept))
          unmet(`deleteStore was sent ${items.join(' and ')}, and ${kept} is missing from its answer.`)
      })
    },
  },
]
