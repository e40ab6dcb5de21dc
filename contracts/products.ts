/** The products of a store: how they are listed, page by page, and the checks that read them. */
import {
  assumed,
  type Check,
  type Context,
  documented,
  fail,
  inconclusive,
  type Data,
  type Finding,
} from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import { isBroken } from '../src/contract/rejection.js'
import { deepEqual } from '../src/shared/json.js'
import { askAccount, objectsOf } from './support/samples.js'
import { failAll, judgeAll, judgeEach } from './support/judge-each.js'
import { twice } from './support/twice.js'
import { fieldsThatDiffer } from './support/values.js'

export const stores = operation('query Stores { account { id stores { id name } } }')

export const storeProducts = operation(`query StoreProducts($id: ID!, $cursor: String) {
  node(id: $id) { id ... on Store { products(cursor: $cursor) { title price link cursor } } }
}`)

const productsOfStores = operation(
  'query ProductsOfStores { account { id stores { id products { title price link cursor } } } }',
)

export const productsIn = (store: unknown): readonly Data[] =>
  ((store as Data | null | undefined)?.['products'] ?? []) as readonly Data[]

/** A page of the products of a store: the first, or the one after a cursor. */
export const productsOf = async (context: Context, id: unknown, cursor: unknown = null): Promise<readonly Data[]> =>
  productsIn((await context.ask(withVariables(storeProducts, { id, cursor })))['node'])

/** A store among the first ones that has products, and the first page of them. */
async function someProducts(context: Context) {
  for (const { id } of (await objectsOf(context, stores)).slice(0, 3)) {
    const { node } = await context.ask(withVariables(storeProducts, { id, cursor: null }))
    const products = (node as Data | null)?.['products']
    if (products === null) fail(`\`products\` of ${String(id)} is null.`)
    if (Array.isArray(products) && products.length > 0)
      return { id: String(id), products: products as readonly (Data | null)[] }
  }
  return inconclusive('None of the first stores has products.')
}

/** The same, for checks that judge something else than the shape. */
const seenProducts = (context: Context) =>
  someProducts(context).catch((error: unknown) => {
    if (!isBroken(error)) throw error
    return inconclusive(`${error.message} See store-products-shape.`)
  })

/** How many pages a walk through the products of a store reads. */
const maxPages = 5

export const productChecks: readonly Check[] = [
  {
    id: 'store-products-shape',
    at: 'Store.products',
    title: 'Each product of a store MUST have a title, a price, a link and a cursor.',
    basis: documented('Store: products(cursor): each product exposes `title`, `price`, `link`, `cursor`.'),
    async run(context) {
      const { products } = await someProducts(context)
      const empty = products.indexOf(null)
      const found = products.filter((it) => it !== null)
      const isUnset = (field: string) => found.length > 0 && found.every((it) => it[field] === null)
      const unset = ['title', 'price', 'link'].filter(isUnset)
      failAll([
        ...(empty === -1 ? [] : [{ sentence: `data.node.products[${empty}] is null.`, at: 'Product' }]),
        ...found
          .filter(({ cursor }) => cursor === null)
          .map(() => ({ sentence: 'A product has no cursor.', at: 'Product.cursor' })),
        ...unset.map((field) => ({
          sentence: `${field} is null for each of ${found.length} products.`,
          at: `Product.${field}`,
          basis: field === 'link' ? assumed('Whether each product has a link is not said.') : undefined,
        })),
      ])
    },
  },
  {
    id: 'store-products-values',
    at: 'Store.products',
    title: 'A product MUST have the same values in `account { stores }` and by `node`.',
    basis: documented('What the service does: Any object can be retrieved through the generic `node(id)` query.'),
    async run(context) {
      const { id } = await seenProducts(context)
      await twice(context, async () => {
        const { stores: listed } = await askAccount(context, productsOfStores)
        const inList = context.last()
        const one = (listed as readonly (Data | null)[] | null)?.find((it) => it?.['id'] === id)
        const products = await productsOf(context, id)
        const different = productsIn(one).findIndex(
          (it, at) => products[at] && it && fieldsThatDiffer(it, products[at]).length > 0,
        )
        if (different === -1) return
        const [was, is] = [productsIn(one)[different], products[different]].map((it) => JSON.stringify(it))
        fail(`A product of ${id} is ${was} in the account and ${is} by node.`, [...inList, ...context.last()])
      })
    },
  },
  {
    id: 'store-products-cursor',
    at: 'Store.products',
    title: '`products(cursor)` SHOULD continue right after the product of the cursor.',
    basis: assumed('Store: products(cursor): takes a `cursor` argument; what it does is not said.'),
    async run(context) {
      const { id, products } = await seenProducts(context)
      const listed = productsIn({ products })
      const first = context.last()
      const shown = ({ title, price, link }: Data) => ({ title, price, link })
      const judge = (isRight: boolean, sentence: string, more: Pick<Finding, 'code' | 'at'> = {}) => {
        if (!isRight) fail(sentence, { exchanges: [...first, ...context.last()], ...more })
      }
      const cursors = listed.map(({ cursor }) => cursor)
      const last = listed.length - 1
      const starts = [...new Set([0, Math.floor(last / 2)])].filter((it) => it !== last)
      await judgeAll(
        context,
        () =>
          judge(new Set(cursors).size === cursors.length, 'Two products have the same cursor.', {
            at: 'Product.cursor',
          }),
        () =>
          judgeEach(context, starts, async (from) => {
            const next = await productsOf(context, id, cursors[from])
            const rest = listed.slice(from + 1)
            const isRight =
              next.length > 0 && rest.every((it, at) => !next[at] || deepEqual(shown(it), shown(next[at])))
            judge(isRight, `After the cursor of no. ${from + 1}, the products do not continue with no. ${from + 2}.`)
          }),
        async () => {
          let cursor = cursors[last]
          const seen = new Set(listed.map((it) => JSON.stringify(shown(it))))
          for (let page = 2; page <= maxPages; page += 1) {
            const next = await productsOf(context, id, cursor)
            if (next.length === 0) break
            const again = next.some((it) => seen.has(JSON.stringify(shown(it))))
            judge(!again, `Page ${page} of the products, after the cursor of the last one, has products again.`, {
              code: 'listed-twice',
            })
            for (const it of next) seen.add(JSON.stringify(shown(it)))
            cursor = next.at(-1)?.['cursor']
          }
        },
      )
    },
  },
]
