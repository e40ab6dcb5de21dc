/** Every mutant for the checks that write, including those of answers, order, products and time. */
import type { Data } from '../../src/contract/check.js'
import { isObject } from '../../src/shared/json.js'
import type { Mutant } from './mutant.js'
import { lagging } from './late-reads.js'
import { mutantsOfInputs } from './input-mutants.js'
import { mutantsOfLifecycles } from './lifecycle-mutants.js'
import type { Place } from './response-walk.js'
import { mutantsOfSettings } from './account-mutants.js'
import {
  answeringWith,
  mutating,
  mutationsIn,
  sending,
  stateful,
  type MutationRule,
  type WriteMutant,
} from './mutation-rules.js'

const asItIs: Mutant['wrap'] = (target) => target

/** An answer of another form than the documented one. */
const formOf = (
  id: string,
  mutation: string,
  says: string,
  killedBy: readonly string[],
  answer: Parameters<typeof answeringWith>[0],
): Mutant => ({
  id,
  about: `${mutation} returns ${says}.`,
  killedBy,
  wrap: mutating({ [mutation]: answeringWith(answer) }),
})

const itemsIn = (args: Data) => args['items'] as readonly string[]
const storesIn = (account: Data) => account['stores'] as readonly Data[]

const forms: readonly Mutant[] = [
  formOf('delete-segments-null', 'deleteSegments', 'null', ['delete-segments'], () => null),
  formOf('delete-segments-account', 'deleteSegments', 'the account', ['delete-segments'], () => ({ id: 'a' })),
  formOf('delete-segments-objects', 'deleteSegments', 'a list of objects', ['delete-segments'], (_, args) =>
    itemsIn(args).map((id) => ({ id })),
  ),
  formOf(
    'delete-segments-count',
    'deleteSegments',
    'how many it deleted',
    ['delete-segments'],
    (_, args) => itemsIn(args).length,
  ),
  formOf('delete-segments-true', 'deleteSegments', 'true', ['delete-segments'], () => true),
  formOf('delete-segments-empty', 'deleteSegments', 'an empty list', ['delete-segments'], () => []),
  formOf('delete-store-null', 'deleteStore', 'null', ['delete-store'], () => null),
  formOf('delete-store-ids', 'deleteStore', 'the ids that it deleted', ['delete-store'], (_, args) => itemsIn(args)),
  formOf('delete-store-other-account', 'deleteStore', 'another account', ['delete-store'], (account) => ({
    ...account,
    id: 'acc_other',
  })),
  formOf(
    'delete-store-still-listed',
    'deleteStore',
    'an account that still lists the store',
    ['delete-store'],
    (account, args) => ({
      ...account,
      stores: [...storesIn(account), ...itemsIn(args).map((id) => ({ id }))],
    }),
  ),
  formOf('create-store-without-account', 'createStore', 'no account', ['create-store'], ({ store }) => ({
    account: null,
    store,
  })),
  formOf('create-store-other-account', 'createStore', 'another account', ['create-store-account'], (value) => ({
    ...value,
    account: { ...(value['account'] as Data), id: 'acc_other' },
  })),
  formOf(
    'create-store-alone-in-account',
    'createStore',
    'an account that lists the new store alone',
    ['create-store-account'],
    ({ account, store }) => ({ store, account: { ...(account as Data), stores: [{ id: (store as Data)['id'] }] } }),
  ),
  formOf('delete-store-lists-nothing', 'deleteStore', 'an account without stores', ['delete-store'], (account) => ({
    ...account,
    stores: [],
  })),
  formOf(
    'create-store-not-in-account',
    'createStore',
    'an account without the store',
    ['create-store-account'],
    (value) => {
      const { account, store } = value as { readonly account: Data; readonly store: Data }
      return { store, account: { ...account, stores: storesIn(account).filter(({ id }) => id !== store['id']) } }
    },
  ),
]

/** Repeats the update before after the last one, as if it had been delayed. */
function backwards(): MutationRule {
  let before: Data | undefined
  const nameIn = (it: Data | undefined) => String((it?.['node'] as Data | undefined)?.['name'] ?? '')
  return async (args, proceed) => {
    const last = before
    before = args
    const value = await proceed()
    if (nameIn(last).includes(' first ') && nameIn(args).includes(' then ')) await proceed(last)
    return value
  }
}

const orderBroken: Mutant = {
  id: 'mutations-backwards',
  about: 'The mutations of one document run from the last to the first.',
  killedBy: ['mutations-in-order'],
  wrap: (target, shapes) => mutating({ updateSegment: backwards() })(target, shapes),
}

/** Takes another operation of the document than the one that was named. */
const otherOperation: Mutant = {
  id: 'mutations-operation-name-ignored',
  about: 'Of two mutations in one document, the first one runs, whichever is named.',
  killedBy: ['mutations-operation-name'],
  wrap: (target) => ({
    ...target,
    send(request, options) {
      const [first, second] = mutationsIn(request.query)
      const isChoice = second !== undefined && first?.operation !== second.operation
      return target.send(isChoice ? { ...request, operationName: first?.operation } : request, options)
    },
  }),
}

const uidsIn = (args: Data) => (args['node'] as { readonly products_uids: readonly string[] }).products_uids

const ofProducts: readonly Mutant[] = [
  {
    id: 'products-replaced',
    about: 'addProductsToStore replaces the products that the store had.',
    killedBy: ['add-products'],
    wrap: stateful(
      () => new Map<unknown, number>(),
      (had) => ({
        writes: {
          addProductsToStore: async (args, proceed, { ask }) => {
            const query = 'query P($id: ID!) { node(id: $id) { ... on Store { products { title } } } }'
            const { node } = await ask(query, { id: args['id'] })
            had.set(args['id'], ((node as Data)['products'] as readonly Data[]).length)
            const value = await proceed()
            return { ...value, products: (value['products'] as readonly Data[]).slice(had.get(args['id'])) }
          },
        },
        reads: {
          'Store.products': (value, { parent }) => (value as readonly Data[]).slice(had.get(parent['id']) ?? 0),
        },
      }),
    ),
  },
  {
    id: 'products-of-the-store-before-too',
    about: 'addProductsToStore adds the products to the store that was created before as well.',
    killedBy: ['add-products'],
    wrap: mutating({
      addProductsToStore: async (args, proceed, { made }) => {
        const own = made.get('createStore') ?? []
        await proceed({ ...args, id: own[own.indexOf(String(args['id'])) - 1] ?? args['id'] })
        return proceed()
      },
    }),
  },
  {
    id: 'products-not-added',
    about: 'addProductsToStore returns the store and adds nothing.',
    killedBy: ['add-products'],
    wrap: mutating({ addProductsToStore: sending((args) => ({ ...args, node: { products_uids: [] } })) }),
  },
  {
    id: 'products-one-dropped',
    about: 'addProductsToStore passes over the last product.',
    killedBy: ['add-products'],
    wrap: mutating({
      addProductsToStore: sending((args) => ({ ...args, node: { products_uids: uidsIn(args).slice(0, -1) } })),
    }),
  },
  {
    id: 'products-not-kept',
    about: 'addProductsToStore returns the products, and node lists none.',
    killedBy: ['add-products'],
    wrap: stateful(
      () => new Set<unknown>(),
      (touched) => ({
        writes: {
          addProductsToStore: answeringWith((value, args) => {
            touched.add(args['id'])
            return value
          }),
        },
        reads: { 'Store.products': (value, { parent }) => (touched.has(parent['id']) ? [] : value) },
      }),
    ),
  },
  {
    id: 'products-of-another-store',
    about: 'addProductsToStore returns another store.',
    killedBy: ['add-products'],
    wrap: mutating({ addProductsToStore: answeringWith((value) => ({ ...value, id: 'sto_other' })) }),
  },
]

/** Does everything twice, like a queue that delivers a message again. */
const twice: MutationRule = async (_, proceed) => {
  const value = await proceed()
  await proceed()
  return value
}

const answersForgetful: Mutant = {
  id: 'update-segment-answer-forgets',
  about: 'updateSegment returns null for a description that it is not sent, and keeps it.',
  killedBy: ['update-segment-rest'],
  wrap: mutating({
    updateSegment: answeringWith((value, args) =>
      Object.hasOwn(args['node'] as Data, 'description') || !('description' in value)
        ? value
        : { ...value, description: null },
    ),
  }),
}

const changesCurrency: Mutant = {
  id: 'store-update-settles-currency',
  about: 'The first updateStore gives the store another currency, which nobody sent.',
  killedBy: [],
  notices: ['update-store-rest'],
  wrap: stateful(
    () => new Set<unknown>(),
    (touched) => ({
      writes: {
        updateStore: sending((args) => {
          touched.add(args['id'])
          return args
        }),
      },
      reads: { 'Store.currency': (value, { parent }) => (touched.has(parent['id']) ? 'XTS' : value) },
    }),
  ),
}

/** Shows other names of customers, in every answer. */
function showingNames(change: (id: unknown, name: unknown) => unknown) {
  const answering = answeringWith((value) => ({ ...value, full_name: change(value['id'], value['full_name']) }))
  return {
    writes: { createCustomer: answering, updateCustomer: answering },
    reads: { 'Customer.full_name': (name: unknown, { parent }: Place) => change(parent['id'], name) },
  }
}

/** What is shown of the customers of a run. */
const ofCustomers: readonly Mutant[] = [
  ...['in 9 hours', '9 hours ago'].map((text): Mutant => ({
    id: `customer-created-${text.replaceAll(' ', '-')}`,
    about: `created_at of a customer that was just created is "${text}".`,
    killedBy: ['create-customer'],
    wrap: mutating({ createCustomer: answeringWith((value) => ({ ...value, created_at: text })) }),
  })),
  ...['create', 'update'].map((verb): Mutant => ({
    id: `customer-${verb}-answers-instant`,
    about: `${verb}Customer returns an instant as created_at.`,
    killedBy: [`${verb}-customer`],
    wrap: mutating({
      [`${verb}Customer`]: answeringWith((value) => ({ ...value, created_at: '2026-11-28T09:00:00.000Z' })),
    }),
  })),
  {
    id: 'customer-full-name-stays',
    about: 'full_name of a customer does not follow the names that an update changes.',
    killedBy: [],
    notices: ['update-customer'],
    wrap: stateful(
      () => new Map<unknown, unknown>(),
      (first) => {
        const old = (id: unknown, name: unknown) => {
          if (!first.has(id)) first.set(id, name)
          return first.get(id)
        }
        return showingNames(old)
      },
    ),
  },
  {
    id: 'customer-full-name-lower-case',
    about: 'full_name is in lower case, and the names are not.',
    killedBy: [],
    notices: ['create-customer-node', 'update-customer'],
    wrap: stateful(
      () => undefined,
      () => showingNames((_, name) => String(name).toLowerCase()),
    ),
  },
]

const movesTime = ['segment', 'customer'].map((one): Mutant => ({
  id: `${one}-update-moves-created-at`,
  about: `The update of a ${one} moves created_at by a year.`,
  killedBy: [],
  notices: [`update-${one}-rest`],
  wrap: stateful(
    () => new Set<unknown>(),
    (touched) => {
      const type = one === 'segment' ? 'Segment' : 'Customer'
      return {
        writes: {
          [`update${type}`]: sending((args) => {
            touched.add(args['id'])
            return args
          }),
        },
        reads: {
          [`${type}.created_at`]: (value, { parent }) => (touched.has(parent['id']) ? 'a year ago' : value),
        },
      }
    },
  ),
}))

const addsCopies = ['Segment', 'Customer'].map((type): Mutant => ({
  id: `${type.toLowerCase()}-update-adds-one`,
  about: `update${type} adds another object with the values that it is sent.`,
  killedBy: [`update-${type.toLowerCase()}`],
  wrap: mutating({
    [`update${type}`]: async (args, proceed, { ask }) => {
      const value = await proceed()
      const [input, names] = type === 'Segment' ? ['SegmentInput', 'name'] : ['InputCustomer', 'first_name last_name']
      const { node } = await ask(`query C($id: ID!) { node(id: $id) { ... on ${type} { ${names} } } }`, {
        id: args['id'],
      })
      const more =
        type === 'Segment' ? {} : { email: 'copy@example.com', phone: '1', accepts_marketing: true, tags: [] }
      await ask(`mutation C($node: ${input}!) { create${type}(node: $node) { id } }`, {
        node: { ...(node as Data), ...more },
      })
      return value
    },
  }),
}))

/** A value with what it lacks of the lists in the one before. */
function merged(was: unknown, is: unknown): unknown {
  if (Array.isArray(was) && Array.isArray(is)) return [...new Set<unknown>([...was, ...is])]
  if (!isObject(was) || !isObject(is)) return is
  return Object.fromEntries(Object.entries(is).map(([key, it]) => [key, merged(was[key], it)]))
}

const condition = '{ operator tags }'
const mergesLists = [
  ['segment', 'updateSegment', `... on Segment { settings { include ${condition} exclude ${condition} } }`],
  ['customer', 'updateCustomer', '... on Customer { tags }'],
].map(([one, mutation, lists]): Mutant => ({
  id: `${one}-update-merges-lists`,
  about: `${mutation} adds what it is sent to lists and removes nothing from them.`,
  killedBy: [],
  notices: [`update-${one}`],
  wrap: mutating({
    [mutation as string]: sending(async (args, { ask }) => {
      const { node } = await ask(`query L($id: ID!) { node(id: $id) { ${lists} } }`, { id: args['id'] })
      return { ...args, node: merged(node, args['node']) }
    }),
  }),
}))

const madeTwice = [
  ['segment', 'createSegment', 'create-segment-list'],
  ['store', 'createStore', 'create-store-list'],
  ['customer', 'createCustomer', 'create-customer-list'],
  ['integration', 'createConversionApiFacebookIntegration', 'create-integration'],
].map(([one, mutation, check]): Mutant => ({
  id: `${one}-made-twice`,
  about: `${mutation} makes two and returns one.`,
  killedBy: [check as string],
  world: { profile: { same_slug: 'allow' } },
  wrap: mutating({ [mutation as string]: twice }),
}))

const stale: WriteMutant = {
  id: 'stale-reads',
  about: 'Writes become visible long after the consistency timeout.',
  killedBy: [
    ...['segment', 'store', 'customer'].flatMap((one) => [`create-${one}-node`, `create-${one}-list`]),
    'create-integration',
    'update-account',
  ],
  wrap: asItIs,
  run: { consistencyTimeout: 0 },
  replica: lagging(60_000),
}

export const writeMutants: readonly WriteMutant[] = [
  ...mutantsOfLifecycles,
  ...mutantsOfInputs,
  ...forms,
  orderBroken,
  otherOperation,
  ...ofCustomers,
  ...movesTime,
  ...addsCopies,
  ...mutantsOfSettings,
  ...ofProducts,
  ...mergesLists,
  ...madeTwice,
  answersForgetful,
  changesCurrency,
  stale,
]
