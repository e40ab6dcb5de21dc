/** Mutants with values of the right type and a wrong form, and with wrong objects under `node`. */
import { DROP, mapFields, under, type AnswerRule, type AnswerRules } from './response-walk.js'
import { nodeChecks } from './check-ids.js'
import { fieldMutants, killersOfField, killersOfType } from './field-mutants.js'
import type { GraphqlRequest } from '../../src/client/target.js'
import type { Mutant, Wrap } from './mutant.js'

/** A mutant that changes values. */
interface ValueRow {
  readonly id: string
  readonly about: string
  readonly killedBy: readonly string[]
  readonly rules: AnswerRules
}

const members = (value: unknown) => value as Readonly<Record<string, unknown>>

/** The checks that select `__typename` of a type outside of `node`. */
const typeNames: Readonly<Record<string, readonly string[]>> = {
  Account: ['type-names'],
  Pixel: ['type-names'],
  Integration: ['type-names'],
  Store: ['type-names'],
  Product: [],
  Segment: ['type-names'],
  Customer: ['customers-shape', 'type-names'],
}

interface NodeRow {
  readonly type: string
  /** The check that compares the object with its list. */
  readonly own: readonly string[]
  /** All checks that read the type by `node`, if there are more. */
  readonly every?: readonly string[]
}

const nodeRows: readonly NodeRow[] = [
  { type: 'Store', own: ['store-shape'] },
  { type: 'Segment', own: ['segment-shape'] },
  { type: 'Integration', own: ['integration-shape'] },
  { type: 'Customer', own: ['customer-shape'], every: ['customer-shape', 'literals', 'node-fragments'] },
]

const instants: readonly (readonly [string, string, unknown])[] = [
  ['iso', 'an ISO 8601 instant', '2026-01-31T12:00:00Z'],
  ['epoch-text', 'a string of seconds', '1769860800'],
  ['epoch-number', 'a number of seconds', 1769860800],
  ['date', 'a date', '2026-01-31'],
]

const valueRows: readonly ValueRow[] = [
  ...(['created_at', 'updated_at'] as const).flatMap((field) =>
    instants.map(([word, what, value]): ValueRow => ({
      id: `customer-${field.replace('_', '-')}-${word}`,
      about: `\`${field}\` of Customer is ${what}.`,
      killedBy:
        typeof value === 'string' ? [`customer-${field.replace('_', '-')}`] : killersOfField(`Customer.${field}`),
      rules: { [`Customer.${field}`]: () => value },
    })),
  ),
  {
    id: 'customer-avatar-relative',
    about: '`avatar` of Customer is a path.',
    killedBy: ['customer-avatar'],
    rules: { 'Customer.avatar': () => '/avatars/1.svg' },
  },
  {
    id: 'customer-avatar-as-data',
    about: '`avatar` of Customer is a data URL.',
    killedBy: ['customer-avatar'],
    rules: { 'Customer.avatar': () => 'data:image/png;base64,iVBORw0KGgo=' },
  },
  {
    id: 'customer-avatar-no-address',
    about: '`avatar` of Customer is not a URL.',
    killedBy: ['customer-avatar'],
    rules: { 'Customer.avatar': () => 'no picture' },
  },
  {
    id: 'customer-number-with-a-fraction',
    about: '`_id` of Customer has a fraction.',
    killedBy: ['customers-shape', 'fragments'],
    rules: { 'Customer._id': (value) => Number(value) + 0.5 },
  },
  {
    id: 'customer-number-of-another',
    about: '`_id` of one Customer is that of another.',
    killedBy: ['customers-distinct-numbers'],
    rules: { 'Customer._id': (value) => (value === 5 ? 4 : value) },
  },
  {
    id: 'customer-orders-count-with-a-fraction',
    about: '`orders_count` of Customer has a fraction.',
    killedBy: ['customers-shape', 'fragments'],
    rules: { 'Customer.orders_count': (value) => Number(value) + 0.5 },
  },
  ...(['created_at', 'updated_at'] as const).map((field): ValueRow => ({
    id: `customer-${field.replace('_', '-')}-in-the-future`,
    about: `\`${field}\` of Customer is still to come.`,
    killedBy: [`customer-${field.replace('_', '-')}`],
    rules: { [`Customer.${field}`]: () => 'in 9 hours' },
  })),
  {
    id: 'customer-created-at-other-under-node',
    about: '`node` shows another `created_at` than the list.',
    killedBy: ['customer-shape'],
    rules: { 'Customer.created_at': under('node', () => '4 years ago') },
  },
  {
    id: 'customer-expenses-rounded-under-node',
    about: '`node` rounds `expenses` of a customer.',
    killedBy: ['customer-shape', 'customers-values'],
    rules: { 'Customer.expenses': under('node', (value) => Math.round(Number(value))) },
  },
  {
    id: 'customer-large-expenses-cut-in-lists',
    about: 'Lists cut large `expenses` of a customer.',
    killedBy: ['customers-values'],
    rules: { 'Customer.expenses': under('customers', (value) => (Number(value) > 1200 ? -Number(value) : value)) },
  },
  {
    id: 'customer-expenses-as-text-on-later-pages',
    about: '`expenses` of some customers behind the first page is a string.',
    killedBy: ['customers-values'],
    rules: { 'Customer.expenses': (value, { parent }) => (Number(parent['_id']) > 26 ? String(value) : value) },
  },
  {
    id: 'account-null-alone',
    about: '`account` is null.',
    killedBy: ['account-shape'],
    rules: { 'Query.account': () => null },
  },
  {
    id: 'account-id-empty',
    about: '`id` of Account is an empty string.',
    killedBy: killersOfType('Account').filter((it) => it !== 'type-names'),
    rules: { 'Account.id': () => '' },
  },
  {
    id: 'stores-null',
    about: '`stores` of Account is null.',
    killedBy: ['stores-shape'],
    rules: { 'Account.stores': () => null },
  },
  {
    id: 'stores-with-null',
    about: '`stores` of Account has a null in it.',
    killedBy: ['stores-shape'],
    rules: { 'Account.stores': (value) => [...(value as readonly unknown[]), null] },
  },
  {
    id: 'products-null',
    about: '`products` of Store is null.',
    killedBy: ['store-products-shape'],
    rules: { 'Store.products': () => null },
  },
  {
    id: 'products-with-null',
    about: '`products` of Store has a null in it.',
    killedBy: ['store-products-shape'],
    rules: { 'Store.products': (value) => [...(value as readonly unknown[]), null] },
  },
  ...['title', 'price', 'cursor'].map((field): ValueRow => ({
    id: `product-${field}-always-null`,
    about: `\`${field}\` of each Product is null.`,
    killedBy: ['store-products-shape'],
    rules: { [`Product.${field}`]: () => null },
  })),
  {
    id: 'product-price-other-under-node',
    about: '`node` shows another price of a product than the account.',
    killedBy: ['store-products-values'],
    rules: { 'Product.price': under('node', (value) => Number(value) + 1) },
  },
  {
    id: 'integration-pixels-fewer-under-node',
    about: '`node` shows fewer pixels of an integration than the account.',
    killedBy: ['integration-shape'],
    rules: { 'Integration.details': under('node', () => ({ pixels: [] })) },
  },
  {
    id: 'integration-details-without-pixels',
    about: 'The details of a Facebook integration have no `pixels`.',
    killedBy: ['integration-pixels'],
    rules: { 'Integration.details': () => ({}) },
  },
  {
    id: 'integration-pixels-as-numbers',
    about: 'The pixels of a Facebook integration are numbers.',
    killedBy: ['integration-pixels'],
    rules: { 'Integration.details': () => ({ pixels: [204918830417755] }) },
  },
  {
    id: 'integration-pixels-as-text',
    about: 'The pixels of a Facebook integration are a string.',
    killedBy: ['integration-pixels'],
    rules: { 'Integration.details': () => ({ pixels: '204918830417755' }) },
  },
  ...Object.entries(typeNames)
    .flatMap(([type, named]): ValueRow[] => [
      {
        id: `${type.toLowerCase()}-with-a-member-too-many`,
        about: `Each ${type} has a member that was not selected.`,
        killedBy: [...new Set([...killersOfType(type), ...named])],
        rules: { [type]: (value) => ({ ...members(value), internal: true }) },
      },
      {
        id: `${type.toLowerCase()}-type-name-of-another`,
        about: `\`__typename\` of a ${type} is the name of another type.`,
        killedBy: named,
        rules: { [`${type}.__typename`]: (_, { root }) => (root === 'node' ? type : `${type}Type`) },
      },
    ])
    .filter(({ killedBy }) => killedBy.length > 0),
  {
    id: 'type-names-dropped',
    about: '`__typename` is missing.',
    killedBy: [
      'customers-shape',
      'integration-shape',
      'segment-shape',
      'store-products-shape',
      'store-shape',
      'type-names',
    ],
    rules: { '*.__typename': () => DROP },
  },
  {
    id: 'type-names-dropped-under-node',
    about: '`__typename` is missing under `node`.',
    killedBy: nodeChecks,
    rules: { '*.__typename': under('node', () => DROP) },
  },
  {
    id: 'customer-type-name-lies-under-node',
    about: '`__typename` of a Customer under `node` is Segment.',
    killedBy: ['customer-shape', 'literals', 'node-fragments'],
    rules: { 'Customer.__typename': under('node', () => 'Segment') },
  },
  {
    id: 'node-null-for-customers-with-large-expenses',
    about: '`node` is null for customers with large `expenses`.',
    killedBy: ['customers-values'],
    rules: {
      'Query.node': (value) => (Number((value as { expenses?: unknown } | null)?.expenses) > 1200 ? null : value),
    },
  },
  ...nodeRows.flatMap(({ type, own, every = own }): ValueRow[] => {
    const texts = (rule: AnswerRule): AnswerRules =>
      Object.fromEntries(['name', 'label', 'full_name'].map((field) => [`${type}.${field}`, under('node', rule)]))
    return [
      {
        id: `node-null-for-${type.toLowerCase()}`,
        about: `\`node\` is null for each ${type}.`,
        killedBy: type === 'Customer' ? [...every, 'customers-values'] : every,
        rules: { 'Query.node': (value, { parent }) => (typeOf(parent['node']) === type ? null : value) },
      },
      {
        id: `node-another-${type.toLowerCase()}`,
        about: `\`node\` returns another ${type} than requested.`,
        killedBy: own,
        rules: { [`${type}.id`]: under('node', (value) => `${String(value)}0`) },
      },
      {
        id: `node-mixes-up-each-${type.toLowerCase()}`,
        about: `\`node\` returns the id of one ${type} with the name of another.`,
        killedBy: own,
        rules: texts((value) => `${String(value)} 2`),
      },
      {
        id: `node-drops-texts-of-each-${type.toLowerCase()}`,
        about: `\`node\` returns no name of any ${type}.`,
        killedBy: every,
        rules: texts(() => DROP),
      },
    ]
  }),
]

const typeOf = (value: unknown) => (value as { readonly __typename?: string } | null | undefined)?.__typename

/** Changes the answers to requests for one order. */
const inOrder =
  (order: string, wrap: Wrap): Wrap =>
  (target, shapes) => {
    const changed = wrap(target, shapes)
    const isAsked = ({ variables = {} }: GraphqlRequest) => String(variables['query']).includes(order)
    return { ...target, send: (request, options) => (isAsked(request) ? changed : target).send(request, options) }
  }

export const valueMutants: readonly Mutant[] = [
  ...fieldMutants,
  ...valueRows.map(({ id, about, killedBy, rules }): Mutant => ({ id, about, killedBy, wrap: mapFields(rules) })),
  {
    id: 'names-of-segments-lower-case-in-an-order',
    about: '`name` of Segment is in lower case in the order of `updated_at`.',
    killedBy: ['segments-values'],
    wrap: inOrder('updated_at', mapFields({ 'Segment.name': (value) => String(value).toLowerCase() })),
  },
]
