/** Popular clients use the API over a socket of the binary. */
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { cacheExchange, Client, fetchExchange, type ClientOptions } from '@urql/core'
import { ClientError, GraphQLClient } from 'graphql-request'
import { parse } from 'graphql'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplePixels, pixels, updateAccount } from '../../contracts/account.js'
import { customer, customers, updateCustomer } from '../../contracts/customers.js'
import { integration, integrations, removeIntegration } from '../../contracts/integrations.js'
import { createSegment, deleteSegments, exampleSegment, segment, segments } from '../../contracts/segments.js'
import { storeProducts, stores } from '../../contracts/products.js'
import { addProductsToStore, deleteStore, store } from '../../contracts/stores.js'
import {
  createConversionApiFacebookIntegration,
  createCustomer,
  createStore,
  exampleCustomer,
  exampleCustomerUpdate,
  exampleSegmentUpdate,
  exampleStore,
  exampleStoreUpdate,
  updateSegment,
  updateStore,
  exampleIntegration,
} from '../../contracts/operations.testkit.js'
import type { Operation } from '../contract/operation.js'
import { startBinary, type Binary } from '../commands/binary.testkit.js'

interface Item {
  readonly id: string
  readonly _id: number
  readonly full_name: string
}

interface CustomerList {
  readonly customers: {
    readonly edges: readonly { readonly node: Item; readonly cursor: string }[]
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
  }
}

/** A binary that runs during the tests of the enclosing `describe`. */
function binaryOfThese(...options: string[]): () => Binary {
  let binary: Binary
  beforeAll(async () => {
    binary = await startBinary(['--freeze', ...options])
  })
  afterAll(() => binary.stop())
  return () => binary
}

const productUids = async ({ origin }: Binary): Promise<string[]> => {
  const { products } = (await (await fetch(`${origin}/_mock/products`)).json()) as { products: { uid: string }[] }
  return products.map(({ uid }) => uid)
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

describe('Apollo Client', () => {
  const binary = binaryOfThese('--customers', '60')

  // A list that is sent replaces the old one; Apollo would warn that pixels without an id cannot be merged.
  const replaced = { merge: false }
  const typePolicies = {
    Query: { fields: { customers: relayStylePagination(['query']) } },
    Account: { fields: { facebook_pixels: replaced, snapchat_pixels: replaced, tiktok_pixels: replaced } },
  }

  const connect = () =>
    new ApolloClient({ link: new HttpLink({ uri: binary().url }), cache: new InMemoryCache({ typePolicies }) })

  type Apollo = ReturnType<typeof connect>
  const query = <Data>(client: Apollo, { document }: Operation, variables: Operation['variables'] = {}) =>
    client.query<Data>({ query: parse(document), variables })

  test('loads all customers page by page', async () => {
    const client = connect()
    const list = client.watchQuery<CustomerList>({
      query: parse(customers.document),
      variables: { query: 'order_by:created_at', first: 25 },
    })
    const subscription = list.subscribe(() => {})
    const numbers = () => list.getCurrentResult().data?.customers?.edges?.map((edge) => edge?.node?._id)
    await expect.poll(numbers).toEqual(numbersTo(25))
    const pages = [list.getCurrentResult().data?.customers?.pageInfo]
    while (pages.at(-1)?.hasNextPage && pages.length < 10) {
      const { data } = await list.fetchMore({ variables: { after: pages.at(-1)?.endCursor } })
      pages.push(data?.customers.pageInfo)
    }
    expect(pages.map((page) => page?.hasNextPage)).toEqual([true, true, false])
    await expect.poll(numbers).toEqual(numbersTo(60))
    subscription.unsubscribe()
  })

  test('caches a customer once', async () => {
    const client = connect()
    const { data } = await query<CustomerList>(client, customers, { query: '', first: 3 })
    const id = data?.customers.edges[1]?.node.id ?? ''
    await query(client, customer, { id })
    const cached = client.cache.extract() as Record<string, Record<string, unknown>>
    expect(Object.keys(cached).filter((key) => key.startsWith('Customer:'))).toHaveLength(3)
    expect(cached[`Customer:${id}`]).toMatchObject({ __typename: 'Customer', id, _id: 2 })
  })

  test('replaces an optimistic name by the one of the server', async () => {
    const client = connect()
    const list = client.watchQuery<CustomerList>({
      query: parse(customers.document),
      variables: { query: '', first: 2 },
    })
    const node = (await list.refetch()).data?.customers.edges[0]?.node as Item
    const before = node.full_name
    const seen: (string | undefined)[] = []
    const subscription = list.subscribe(({ data }) => seen.push(data?.customers?.edges?.[0]?.node?.full_name))
    const { data } = await client.mutate<{ updateCustomer: Item }>({
      mutation: parse(updateCustomer.document),
      variables: { id: node.id, node: { first_name: 'Ottilie', last_name: 'Server' } },
      optimisticResponse: { updateCustomer: { ...node, full_name: 'Ottilie Optimistic' } },
    })
    expect(data?.updateCustomer.full_name).toBe('Ottilie Server')
    await expect.poll(() => seen.filter(Boolean)).toEqual([before, 'Ottilie Optimistic', 'Ottilie Server'])
    subscription.unsubscribe()
  })

  test('reverts an optimistic name if the server rejects it', async () => {
    const client = connect()
    const { data } = await query<CustomerList>(client, customers, { query: '', first: 1 })
    const node = data?.customers.edges[0]?.node as Item
    const refused = client.mutate<{ updateCustomer: Item }>({
      mutation: parse(updateCustomer.document),
      variables: { id: 'cus_nobody', node: {} },
      optimisticResponse: { updateCustomer: { ...node, full_name: 'Ottilie Optimistic' } },
    })
    const error = await refused.catch((it: unknown) => it)
    expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.['code']).toBe('NOT_FOUND')
    const cached = client.readQuery<CustomerList>({
      query: parse(customers.document),
      variables: { query: '', first: 1 },
    })
    expect(cached?.customers.edges[0]?.node.full_name).toBe(node.full_name)
  })

  test('creates, finds, lists and updates a customer', async () => {
    const client = connect()
    const made = await client.mutate<{ createCustomer: Item }>({
      mutation: parse(createCustomer.document),
      variables: { node: exampleCustomer },
    })
    const { id, _id } = made.data!.createCustomer
    expect(made.data?.createCustomer).toMatchObject({ full_name: 'Ines Marlow', expenses: 0, orders_count: 0 })
    await client.mutate({
      mutation: parse(updateCustomer.document),
      variables: { id, node: exampleCustomerUpdate },
    })
    const found = await query<{ node: Item }>(client, customer, { id })
    expect(found.data?.node).toMatchObject({ id, _id, full_name: 'Ines Marlow-Reyes' })
    const last = await query<CustomerList>(client, customers, { query: 'order_dir:desc', first: 1 })
    expect(last.data?.customers.edges[0]?.node).toEqual(found.data?.node)
  })

  test('updates the pixels of the cached account', async () => {
    const client = connect()
    const before = await query<{ account: { id: string } }>(client, pixels)
    await client.mutate({ mutation: parse(updateAccount.document), variables: { node: examplePixels } })
    const cached = client.readQuery<{ account: object }>({ query: parse(pixels.document) })
    const fresh = await client.query({ query: parse(pixels.document), fetchPolicy: 'network-only' })
    expect(cached).toMatchObject({ account: { id: before.data?.account.id, ...examplePixels } })
    expect(fresh.data).toEqual(cached)
  })
})

describe('urql', () => {
  const binary = binaryOfThese('--stores', '2', '--products', '60')

  const connect = (options: Partial<ClientOptions> = {}) =>
    new Client({ url: binary().url, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false, ...options })

  async function ask<Data>(client: Client, { document, kind }: Operation, variables: Operation['variables'] = {}) {
    const send = kind === 'query' ? client.query<Data> : client.mutation<Data>
    const { data, error } = await send.call(client, parse(document), variables).toPromise()
    if (error || !data) throw error ?? new Error('There is no data.')
    return data
  }

  interface StoreList {
    readonly account: { readonly stores: readonly { readonly id: string; readonly name: string }[] }
  }

  test('creates, lists, updates and deletes a store', async () => {
    const client = connect()
    const before = await ask<StoreList>(client, stores)
    expect(before.account.stores).toHaveLength(2)
    const made = await ask<{ createStore: StoreList & { store: { id: string; name: string } } }>(client, createStore, {
      node: exampleStore,
    })
    const { id, name } = made.createStore.store
    expect(name).toBe(exampleStore.name)
    expect(made.createStore.account.stores.map((it) => it.id)).toContain(id)
    expect(await ask(client, stores)).toMatchObject({ account: { stores: [{}, {}, { id, name }] } })
    const changed = await ask(client, updateStore, { id, node: exampleStoreUpdate })
    expect(changed).toMatchObject({ updateStore: { id, name } })
    expect(await ask(client, store, { id })).toMatchObject({ node: { id, name } })
    await ask(client, deleteStore, { items: [id] })
    expect(await ask(client, store, { id })).toEqual({ node: null })
    expect(await ask(client, stores)).toEqual(before)
  })

  interface ProductList {
    readonly products: readonly { readonly title: string; readonly cursor: string }[]
  }

  test('adds products to a store and lists all of them', async () => {
    const client = connect()
    const uids = await productUids(binary())
    const made = await ask<{ createStore: { store: { id: string } } }>(client, createStore, {
      node: { ...exampleStore, slug: 'walked' },
    })
    const { id } = made.createStore.store
    const { addProductsToStore: first } = await ask<{ addProductsToStore: ProductList }>(client, addProductsToStore, {
      id,
      node: { products_uids: uids },
    })
    expect(first.products).toHaveLength(25)
    const pages: string[][] = []
    while (pages.at(-1)?.length !== 0 && pages.length < 10) {
      const cursor = pages.at(-1)?.at(-1)
      const { node } = await ask<{ node: ProductList }>(client, storeProducts, { id, cursor })
      pages.push(node.products.map((it) => it.cursor))
    }
    expect(pages.map((page) => page.length)).toEqual([25, 25, 10, 0])
    expect(new Set(pages.flat()).size).toBe(60)
  })

  test('creates, lists and removes an integration', async () => {
    const client = connect()
    const before = await ask(client, integrations)
    const made = await ask<{ createConversionApiFacebookIntegration: { id: string } }>(
      client,
      createConversionApiFacebookIntegration,
      { node: exampleIntegration },
    )
    const { id } = made.createConversionApiFacebookIntegration
    const { label, pixels } = exampleIntegration
    const shown = { id, label, platform: 'facebook', details: { pixels } }
    expect(await ask(client, integration, { id })).toMatchObject({ node: shown })
    const listed = await ask<{ account: { integrations: object[] } }>(client, integrations)
    expect(listed.account.integrations.at(-1)).toMatchObject(shown)
    await ask(client, removeIntegration, { id })
    expect(await ask(client, integrations)).toEqual(before)
  })

  test('gets an error with a hint for queries by GET, its default', async () => {
    const { data, error } = await connect({ preferGetMethod: 'within-url-limit' })
      .query(parse(pixels.document), {})
      .toPromise()
    expect(data).toBeUndefined()
    expect(error?.response).toMatchObject({ status: 405 })
    expect(error?.graphQLErrors[0]?.message).toContain('start it with --allow-get')
  })

  test('works with its defaults if the profile allows queries by GET', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-'))
    const profile = join(folder, 'profile.json')
    writeFileSync(profile, '{ "http_get": "queries" }')
    try {
      await using binary = await startBinary(['--freeze', '--profile', profile])
      const client = new Client({ url: binary.url, exchanges: [cacheExchange, fetchExchange] })
      expect(await ask(client, customers, { query: '', first: 1 })).toMatchObject({ customers: { edges: [{}] } })
      expect(await ask(client, createSegment, { node: exampleSegment })).toMatchObject({
        createSegment: exampleSegment,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('graphql-request', () => {
  const binary = binaryOfThese('--segments', '4')

  const connect = () => {
    const client = new GraphQLClient(binary().url)
    return <Data = unknown>({ document }: Operation, variables: Operation['variables'] = {}) =>
      client.request<Data>(document, { ...variables })
  }

  test('creates, lists, updates and deletes a segment', async () => {
    const ask = connect()
    const before = await ask(segments, { query: '' })
    const made = await ask<{ createSegment: { id: string } }>(createSegment, { node: exampleSegment })
    const { id } = made.createSegment
    expect(made.createSegment).toEqual({ id, ...exampleSegment })
    const changed = { id, ...exampleSegment, ...exampleSegmentUpdate }
    expect(await ask(updateSegment, { id, node: exampleSegmentUpdate })).toEqual({ updateSegment: changed })
    expect(await ask(segment, { id })).toEqual({ node: changed })
    const newest = await ask(segments, { query: 'order_by:created_at order_dir:desc', first: 1 })
    expect(newest).toMatchObject({ segments: { edges: [{ node: changed }], pageInfo: { hasNextPage: true } } })
    expect(await ask(deleteSegments, { items: [id] })).toEqual({ deleteSegments: [id] })
    expect(await ask(segment, { id })).toEqual({ node: null })
    expect(await ask(segments, { query: '' })).toEqual(before)
  })

  test.each([
    ['an unknown segment', updateSegment, { id: 'seg_nothing', node: {} }, 'NOT_FOUND'],
    ['an unknown order', segments, { query: 'order_by:colour' }, 'BAD_FILTER'],
    ['a missing argument', segments, {}, 'BAD_USER_INPUT'],
    ['a text for a number', segments, { query: '', first: 'ten' }, 'BAD_USER_INPUT'],
    ['a field that is not there', { ...pixels, document: '{ account { colour } }' }, {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['a document cut short', { ...pixels, document: '{ account' }, {}, 'GRAPHQL_PARSE_FAILED'],
  ] as const)('rejects with a ClientError and a code for %s', async (_, operation, variables, code) => {
    const send = new GraphQLClient(binary().url).rawRequest(operation.document, { ...variables })
    const error = await send.catch((it: unknown) => it)
    expect(error).toBeInstanceOf(ClientError)
    expect((error as ClientError).response.errors?.map((it) => it.extensions['code'])).toEqual([code])
  })
})

describe('a client that works like Relay', () => {
  const binary = binaryOfThese()

  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' }
    const response = await fetch(binary().url, { method: 'POST', headers, body: JSON.stringify(body) })
    return {
      status: response.status,
      body: (await response.json()) as { data: Record<string, never>; errors?: unknown },
    }
  }

  test('can use aliases, named fragments, __isNode and refetch by node', async () => {
    const list = await post({
      operationName: 'CustomersPage',
      query: /* GraphQL */ `
        # As the Relay compiler prints it.
        query CustomersPage($query: String!, $first: Int, $after: String) {
          newest: customers(query: "order_by:created_at order_dir:desc", first: 1) {
            edges {
              node {
                ...Row_customer
              }
            }
          }
          page: customers(query: $query, first: $first, after: $after) {
            edges {
              cursor
              node {
                ...Row_customer
                __typename
              }
            }
            pageInfo {
              endCursor
              hasNextPage
            }
          }
        }

        fragment Row_customer on Customer {
          number: _id
          full_name
          ... on Node {
            __isNode: __typename
            __typename
            id
          }
        }
      `,
      variables: { query: '', first: 2, after: null },
    })
    expect(list.status).toBe(200)
    expect(list.body.errors).toBeUndefined()
    const { newest, page } = list.body.data as unknown as Record<
      'newest' | 'page',
      { edges: { node: { id: string; number: number } }[] }
    >
    expect(newest.edges.map(({ node }) => node.number)).toEqual([100])
    const [first, second] = page.edges.map(({ node }) => node)
    expect(first).toMatchObject({ __isNode: 'Customer', __typename: 'Customer', number: 1 })
    const refetch = await post({
      query: /* GraphQL */ `
        query Row_customerRefetchQuery($id: ID!) {
          node(id: $id) {
            __typename
            ...Row_customer
            id
          }
        }

        fragment Row_customer on Customer {
          number: _id
          full_name
          ... on Node {
            __isNode: __typename
            __typename
            id
          }
        }
      `,
      variables: { id: second?.id },
    })
    expect(refetch.body.data['node']).toEqual(second)
  })
})
