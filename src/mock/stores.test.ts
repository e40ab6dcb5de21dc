/** The products of a store: attaching, order and paging. */
import { expect, test } from 'vitest'
import { storeProducts } from '../../contracts/products.js'
import { addProductsToStore } from '../../contracts/stores.js'
import { createStore, exampleStore } from '../../contracts/operations.testkit.js'
import type { Mock } from './create-mock.js'
import { answer, ask, codes, everything, listOf, smallMock, type Json } from './state.testkit.js'

interface Product {
  readonly title: string
  readonly cursor: string
}

interface Listed {
  readonly uid: string
  readonly title: string
}

/** A store without products, and a catalog of sixty. */
async function emptyStore() {
  const mock = smallMock({ counts: { products: 60 } })
  const response = await mock.fetch('http://localhost/_mock/products')
  const { products } = (await response.json()) as { products: Listed[] }
  const made = await ask<{ createStore: { store: { id: string } } }>(mock, createStore, { node: exampleStore })
  return { mock, products, id: made.createStore.store.id }
}

const attach = (mock: Mock, id: string, products: readonly Listed[]) =>
  ask(mock, addProductsToStore, { id, node: { products_uids: products.map(({ uid }) => uid) } })

async function pageOf(mock: Mock, id: string, cursor?: string | null): Promise<readonly Product[]> {
  const { node } = await ask<{ node: { products: Product[] } }>(mock, storeProducts, { id, cursor })
  return node.products
}

/** All pages, including the empty one at the end. */
async function walk(mock: Mock, id: string) {
  const pages: (readonly Product[])[] = []
  while (pages.at(-1)?.length !== 0 && pages.length < 10)
    pages.push(await pageOf(mock, id, pages.at(-1)?.at(-1)?.cursor))
  return pages
}

const titles = (products: readonly { readonly title: string }[]) => products.map(({ title }) => title)
const titlesOf = async (mock: Mock, id: string) => titles((await walk(mock, id)).flat())

/** A fixed shuffle. */
const shuffled = <T>(list: readonly T[]): T[] => list.map((_, i) => list[(i * 7 + 3) % list.length] as T)

test('products are listed 25 at a time in the order they were attached, then an empty page', async () => {
  const { mock, products, id } = await emptyStore()
  const order = shuffled(products)
  await attach(mock, id, order)
  const pages = await walk(mock, id)
  expect(pages.map((page) => page.length)).toEqual([25, 25, 10, 0])
  expect(titles(pages.flat())).toEqual(titles(order))
})

test('a full last page is followed by an empty one', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products.slice(0, 25))
  expect((await walk(mock, id)).map((page) => page.length)).toEqual([25, 0])
})

test('a new store has no products', async () => {
  const { mock, id } = await emptyStore()
  expect(await pageOf(mock, id)).toEqual([])
})

test('a cursor that is null or empty means the start', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products)
  const start = await pageOf(mock, id)
  expect(await pageOf(mock, id, null)).toEqual(start)
  expect(await pageOf(mock, id, '')).toEqual(start)
})

test('the cursor of any product selects those after it', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products.slice(0, 5))
  const page = await pageOf(mock, id)
  for (const [i, { cursor }] of page.entries()) {
    expect(titles(await pageOf(mock, id, cursor))).toEqual(titles(products.slice(i + 1, 5)))
  }
})

test('products attached later come last, also if paging has started before', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products.slice(30, 40))
  const [, , third] = await pageOf(mock, id)
  await attach(mock, id, products.slice(0, 10))
  expect(await titlesOf(mock, id)).toEqual(titles([...products.slice(30, 40), ...products.slice(0, 10)]))
  expect(titles(await pageOf(mock, id, third?.cursor))).toEqual(
    titles([...products.slice(33, 40), ...products.slice(0, 10)]),
  )
})

test('attaching a product again changes nothing', async () => {
  const { mock, products, id } = await emptyStore()
  const [a, b, c, d] = products as [Listed, Listed, Listed, Listed]
  await attach(mock, id, [c, a, b])
  await attach(mock, id, [b, d, c])
  expect(await titlesOf(mock, id)).toEqual(titles([c, a, b, d]))
})

test('a product named twice in one request is attached once, at its first position', async () => {
  const { mock, products, id } = await emptyStore()
  const [a, b, c] = products as [Listed, Listed, Listed]
  await attach(mock, id, [b, a, b, c, a])
  expect(await titlesOf(mock, id)).toEqual(titles([b, a, c]))
})

test('an empty list attaches nothing', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products.slice(0, 2))
  const before = await everything(mock)
  await attach(mock, id, [])
  expect(await everything(mock)).toEqual(before)
})

test.each(['prod_nothing', '', '1', 'STORE'])('with the unknown uid %j nothing is attached', async (unknown) => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products.slice(0, 2))
  const before = await everything(mock)
  const uid = unknown === 'STORE' ? id : unknown
  const node = { products_uids: [products[5]?.uid, uid, products[6]?.uid] }
  expect(await codes(mock, addProductsToStore, { id, node })).toEqual(['NOT_FOUND'])
  expect(await everything(mock)).toEqual(before)
})

test('the error about an unknown uid names it', async () => {
  const { mock, id } = await emptyStore()
  const { data, errors } = await answer(mock, addProductsToStore, { id, node: { products_uids: ['prod_nothing'] } })
  expect(data).toEqual({ addProductsToStore: null })
  expect(errors?.[0]?.message).toContain('"prod_nothing"')
})

test('the mutation returns the same products as the node of the store', async () => {
  const { mock, products, id } = await emptyStore()
  const { addProductsToStore: answered } = await attach(mock, id, shuffled(products))
  expect(answered).toEqual({ id, products: await pageOf(mock, id) })
})

test('the stores of the account have the same products as their nodes', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, shuffled(products))
  const stores = await listOf(mock, 'Store', 'id products { title price link cursor }')
  expect(stores).toHaveLength(3)
  for (const store of stores) expect(await pageOf(mock, store['id'] as string)).toEqual(store['products'])
})

test('a product is the same in every store, except for its link and its cursor', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products)
  const fields = 'defaultDomain products { title price thumbnail compare_at_price reviews_value slug link cursor }'
  const [first, , last] = (await listOf(mock, 'Store', fields)) as { defaultDomain: string; products: Json[] }[]
  for (const product of first!.products) {
    const twin = last!.products.find((it) => it['slug'] === product['slug'])
    if (!twin) continue
    const link = `https://${last!.defaultDomain}/products/${String(product['slug'])}`
    expect(twin).toEqual({ ...product, link, cursor: twin['cursor'] })
    expect(twin['cursor']).not.toBe(product['cursor'])
  }
})

test('the cursor of another store is rejected', async () => {
  const { mock, products, id } = await emptyStore()
  await attach(mock, id, products)
  const [other] = await listOf(mock, 'Store', 'id products { cursor }')
  const [{ cursor }] = other!['products'] as [Product]
  expect(await codes(mock, storeProducts, { id, cursor })).toEqual(['BAD_CURSOR'])
  expect(await codes(mock, storeProducts, { id, cursor: 'nonsense' })).toEqual(['BAD_CURSOR'])
})

test('every product of the catalog has a uid of its own', async () => {
  const { products } = await emptyStore()
  expect(new Set(products.map(({ uid }) => uid)).size).toBe(60)
})
