/** Every mutant for the checks that write, including those of answers, order, products and time. */
import type { Data } from '../../src/contract/check.js'
import type { Mutant } from './mutant.js'
import { lagging } from './late-reads.js'
import { mutantsOfInputs } from './input-mutants.js'
import { mutantsOfLifecycles } from './lifecycle-mutants.js'
import { mutantsOfSettings } from './account-mutants.js'
import { answeringWith, mutating, sending, stateful, type MutationRule, type WriteMutant } from './mutation-rules.js'

const asItIs: Mutant['wrap'] = (target) => target

/** An answer of another form than the documented one. */
const formOf = (
  id: string,
  mutation: string,
  says: string,
  fails: readonly string[],
  answer: Parameters<typeof answeringWith>[0],
): Mutant => ({
  id,
  breaks: `${mutation} answers ${says}.`,
  fails,
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
  breaks: 'The mutations of one document run from the last to the first.',
  fails: ['mutations-in-order'],
  wrap: (target, shapes) => mutating({ updateSegment: backwards() })(target, shapes),
}

const uidsIn = (args: Data) => (args['node'] as { readonly products_uids: readonly string[] }).products_uids

const ofProducts: readonly Mutant[] = [
  {
    id: 'products-not-added',
    breaks: 'addProductsToStore answers the store and adds nothing.',
    fails: ['add-products'],
    wrap: mutating({ addProductsToStore: sending((args) => ({ ...args, node: { products_uids: [] } })) }),
  },
  {
    id: 'products-one-dropped',
    breaks: 'addProductsToStore passes over the last product.',
    fails: ['add-products'],
    wrap: mutating({
      addProductsToStore: sending((args) => ({ ...args, node: { products_uids: uidsIn(args).slice(0, -1) } })),
    }),
  },
  {
    id: 'products-not-kept',
    breaks: 'addProductsToStore answers the products, and node lists none.',
    fails: ['add-products'],
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
    breaks: 'addProductsToStore answers another store.',
    fails: ['add-products'],
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
  breaks: 'updateSegment answers null for a description that it is not sent, and keeps it.',
  fails: ['update-segment-rest'],
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
  breaks: 'The first updateStore gives the store another currency, which nobody sent.',
  fails: ['update-store-rest'],
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

const madeTwice = [
  ['segment', 'createSegment', 'create-segment-list'],
  ['store', 'createStore', 'create-store-list'],
  ['customer', 'createCustomer', 'create-customer-list'],
  ['integration', 'createConversionApiFacebookIntegration', 'create-integration'],
].map(([one, mutation, check]): Mutant => ({
  id: `${one}-made-twice`,
  breaks: `${mutation} makes two and answers one.`,
  fails: [check as string],
  world: { profile: { same_slug: 'allow' } },
  wrap: mutating({ [mutation as string]: twice }),
}))

const stale: WriteMutant = {
  id: 'stale-reads',
  breaks: 'Writes become visible long after the consistency timeout.',
  fails: [
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
  ...mutantsOfSettings,
  ...ofProducts,
  ...madeTwice,
  answersForgetful,
  changesCurrency,
  stale,
]
