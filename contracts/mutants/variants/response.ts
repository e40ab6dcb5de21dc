/** Conforming servers with unusual ids, values, nulls or errors. */
import { Kind, visit } from 'graphql'
import type { GraphqlRequest } from '../../../src/client/target.js'
import { usualPage } from '../../support/pages.js'
import { DROP, mapFields, parsed, type AnswerRule, type AnswerRules } from '../response-walk.js'
import { answering, asking, has, rejection, rejecting, rewritten } from '../request-rules.js'
import { layered, type Variant, type Wrap } from '../mutant.js'
import { noStores, usuallyOpen } from './world.js'

const nodes = ['Account', 'Store', 'Segment', 'Customer', 'Integration']

/** Replaces ids in answers, and back in requests. */
function identifiers(out: (id: string, type: string) => string, back: (id: string) => string): Wrap {
  const asked = asking((request) => {
    const { id } = request.variables ?? {}
    const literal = rewritten(request, {
      Argument: (node) =>
        node.name.value === 'id' && node.value.kind === Kind.STRING
          ? { ...node, value: { ...node.value, value: back(node.value.value) } }
          : undefined,
    })
    return typeof id === 'string' ? { ...literal, variables: { ...request.variables, id: back(id) } } : literal
  })
  const answered = mapFields(
    Object.fromEntries(nodes.map((type) => [`${type}.id`, (id: unknown) => out(String(id), type)])),
  )
  return layered(asked, answered)
}

/** Remembers the replaced ids; other ids stay as they are. */
function memoize(out: (id: string, type: string, number: number) => string): Wrap {
  return (target, shapes) => {
    const given = new Map<string, string>()
    const back = new Map<string, string>()
    const give = (id: string, type: string) => {
      const made = given.get(id) ?? out(id, type, given.size + 1)
      given.set(id, made)
      back.set(made, id)
      return made
    }
    return identifiers(give, (id) => back.get(id) ?? id)(target, shapes)
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const ofIdentifiers: readonly Variant[] = [
  {
    id: 'ids-base64',
    about: 'Ids are base64 of type and number.',
    wrap: memoize((_, type, number) => base64(`${type}:${number}`)),
    open: usuallyOpen,
  },
  {
    id: 'ids-digits',
    about: 'Ids are strings of digits.',
    wrap: memoize((_id, _type, number) => String(number)),
    open: usuallyOpen,
  },
  {
    id: 'ids-with-slashes',
    about: 'Ids are URLs.',
    wrap: memoize((id, type) => `gid://shop/${type}/${id}?v="2"`),
    open: usuallyOpen,
  },
  {
    id: 'ids-of-other-letters',
    about: 'Ids have letters of any script.',
    wrap: memoize((id, type) => `${type} № ${id} – é😀`),
    open: usuallyOpen,
  },
]

/** A number that depends on a text alone. */
const hashOf = (text: unknown) => [...String(text)].reduce((sum, it) => sum + it.charCodeAt(0), 0)

/** One of the values for each object, the same wherever it is shown. */
const inTurn =
  (values: readonly unknown[]): AnswerRule =>
  (_, { parent }) =>
    values[hashOf(parent['id']) % values.length]

const someNull: AnswerRule = (value, { parent }) => (hashOf(parent['cursor']) % 2 === 0 ? null : value)

const elapsed = [
  'yesterday',
  'just now',
  'in a few seconds',
  'about 3 hours ago',
  '1 yr ago',
  '20 seconds from now',
  'a few seconds ago',
  'an hour ago',
  'less than a minute ago',
  'over 2 years ago',
  'almost 3 years ago',
  '5m',
  '3d ago',
  '2 wks ago',
  '1 year, 2 months ago',
  '3 hours and 5 minutes ago',
  'last week',
  'Yesterday at 10:14 AM',
  'never',
  'last mo.',
  'vor 3 Tagen',
  'il y a 2 mois',
  'منذ ٣ أيام',
  '3日前',
  '',
]

const values = (id: string, about: string, rules: AnswerRules, more: Partial<Variant> = {}): Variant => ({
  id,
  about,
  wrap: mapFields(rules),
  open: usuallyOpen,
  ...more,
})

const nullable = [
  'Store.name',
  'Segment.name',
  'Segment.description',
  'Customer._id',
  'Customer.avatar',
  'Customer.full_name',
  'Customer.expenses',
  'Customer.orders_count',
  'Customer.created_at',
  'Customer.updated_at',
]
const distinctNumbers = 'customers-distinct-numbers'
const orderTies = ['customers-order-ties', 'segments-order-ties']
const orderValues = ['customers-order-values', 'segments-order-values']

const ofValues: readonly Variant[] = [
  values('avatars-https', 'Avatars have a protocol.', {
    'Customer.avatar': (value) => `https:${String(value)}`,
  }),
  values('avatars-of-all-kinds', 'Avatars are http, have ports and queries, or are null.', {
    'Customer.avatar': inTurn(['http://a.test/1.png', '//cdn.test:8080/a.png?s=80#x', null, 'https://b.test']),
  }),
  values(
    'names-null',
    'Names are null.',
    {
      'Customer.full_name': () => null,
      'Segment.name': () => null,
    },
    { open: [...usuallyOpen, 'segments-order-values'] },
  ),
  values('all-null', 'Each nullable field is null.', Object.fromEntries(nullable.map((it) => [it, () => null])), {
    open: [
      ...usuallyOpen,
      ...orderTies,
      ...orderValues,
      distinctNumbers,
      'integration-pixels',
      'observe-product-page-size',
    ],
  }),
  values(
    'details-null',
    'The details of a Facebook integration are null.',
    { 'Integration.details': () => null },
    { notices: ['integration-pixels'] },
  ),
  values(
    'products-without-link',
    'No product has a link.',
    { 'Product.link': () => null },
    {
      notices: ['store-products-shape'],
    },
  ),
  values('some-products-without-title-and-price', 'Some products have no title and no price.', {
    'Product.title': someNull,
    'Product.price': someNull,
  }),
  {
    id: 'products-cursor-ignored',
    about: '`cursor` of `products` is ignored.',
    wrap: asking(({ variables = {}, ...request }) => ({ ...request, variables: { ...variables, cursor: undefined } })),
    notices: ['store-products-cursor'],
    open: usuallyOpen,
  },
  values('elapsed-time-in-other-words', 'Elapsed time has all common forms.', {
    'Customer.created_at': inTurn(elapsed.filter(Boolean)),
    'Customer.updated_at': inTurn(elapsed.filter(Boolean).toReversed()),
  }),
  values(
    'numbers-beyond-2-to-the-53',
    '`_id` is larger than 2^53, so several look equal.',
    { 'Customer._id': (value) => 2 ** 60 + Number(value) },
    { open: [...usuallyOpen, distinctNumbers] },
  ),
  values(
    'expenses-of-all-kinds',
    'Expenses are whole, negative or null.',
    {
      'Customer.expenses': inTurn([0, -12.5, 3, null, 1e21]),
    },
    { notices: ['customers-order-values', 'customers-order-ties'] },
  ),
  values(
    'without-facebook',
    'The integrations are of other platforms.',
    {
      'Integration.platform': () => 'snapchat',
      'Integration.details': () => ({ account: 7, nested: { list: [1, null] } }),
    },
    { open: [...usuallyOpen, 'integration-pixels'] },
  ),
  values('facebook-with-more-details', 'A Facebook integration has no pixels yet, and details of other names.', {
    'Integration.platform': () => 'Facebook Conversion API',
    'Integration.details': () => ({ pixels: [], version: 'v2', test: null }),
  }),
  values(
    'products-of-other-kinds',
    'Prices of products are strings, and links are objects.',
    {
      'Product.price': (value) => `${String(value)} USD`,
      'Product.link': (href) => ({ href }),
    },
    {
      notices: ['store-products-shape'],
      open: [...usuallyOpen, 'store-products-values', 'store-products-cursor'],
    },
  ),
  values(
    'assumed-fields-of-other-kinds',
    'Assumed fields have other types.',
    {
      'Account.slug': () => 7,
      'Store.slug': () => ({}),
      'Product.thumbnail': () => [],
      'Segment.uid': () => 7,
      'Customer.tags': () => 'newsletter',
      'PageInfo.hasPreviousPage': () => 'no',
    },
    {
      notices: ['account', 'store', 'product', 'segment', 'customer', 'page-info'].map((it) => `${it}-assumed-fields`),
    },
  ),
  values('own-types-under-node', '`node` returns integrations as an undocumented type.', {
    'Integration.__typename': (type, { root }) => (root === 'node' ? 'FacebookConversionApiIntegration' : type),
    'Integration.label': (value, { root }) => (root === 'node' ? DROP : value),
    'Integration.platform': (value, { root }) => (root === 'node' ? DROP : value),
    'Integration.details': (value, { root }) => (root === 'node' ? DROP : value),
  }),
  values(
    'unknown-node-is-something',
    '`node` returns an object for an unknown id.',
    {
      'Query.node': (value) => value ?? { __typename: 'Nothing', id: 'nothing' },
    },
    { differs: ['unknown_node'] },
  ),
]

function aliasesIn(request: GraphqlRequest): number {
  let aliases = 0
  visit(parsed(request.query), { Field: ({ alias }) => void (aliases += alias ? 1 : 0) })
  return aliases
}

const introspects = (query: string) => /__schema|__type\b/.test(query)
const assumedFields = ['account', 'store', 'product', 'segment', 'customer', 'page-info'].map(
  (it) => `${it}-assumed-fields`,
)

const ofForms: readonly Variant[] = [
  {
    id: 'introspection-disabled',
    about: 'Introspection is off.',
    wrap: rejecting(({ query }) => (introspects(query) ? 'Introspection is disabled.' : undefined)),
    open: [...usuallyOpen, ...assumedFields],
  },
  {
    id: 'introspection-null',
    about: 'Introspection returns null.',
    wrap: (target) => ({
      ...target,
      send: async (request, options) =>
        introspects(request.query)
          ? { ...rejection(''), body: { data: { __type: null, __schema: null } } }
          : target.send(request, options),
    }),
    open: [...usuallyOpen, ...assumedFields],
  },
  ...[0, 7, 15].map((max): Variant => ({
    id: `aliases-above-${max}-rejected`,
    about: `More than ${max} aliases are an error.`,
    wrap: rejecting((request) => (aliasesIn(request) > max ? 'Too many aliases.' : undefined)),
    open: [...usuallyOpen, ...(max === 0 ? ['aliases'] : [])],
  })),
  {
    id: 'with-extensions',
    about: 'Answers have extensions.',
    wrap: answering((answer) => ({
      ...answer,
      body: { ...answer.body, extensions: { cost: { asked: 7 }, trace: [] } },
    })),
    open: usuallyOpen,
  },
  {
    id: 'with-an-empty-list-of-errors',
    about: 'Answers without errors have an empty `errors`.',
    wrap: answering((answer) => ({ ...answer, body: { ...answer.body, errors: answer.body.errors ?? [] } })),
    open: usuallyOpen,
  },
  {
    id: 'errors-with-odd-members',
    about: 'Errors have extra members, and `data` is null.',
    wrap: answering((answer) =>
      answer.body.errors
        ? {
            ...answer,
            body: {
              data: answer.body.data ?? null,
              errors: answer.body.errors.map((it) => ({ ...it, code: 7, trace: ['a'], extensions: { at: null } })),
            },
          }
        : answer,
    ),
    open: usuallyOpen,
  },
  {
    id: 'members-in-another-order',
    about: 'Members of objects are in another order.',
    wrap: mapFields(
      Object.fromEntries(
        [...nodes, 'Pixel', 'Product', 'PageInfo', 'CustomerEdge', 'SegmentEdge', 'CustomerConnection'].map((type) => [
          type,
          (value: unknown) => Object.fromEntries(Object.entries(value as object).toReversed()),
        ]),
      ),
    ),
    open: usuallyOpen,
  },
]

const operationsIn = ({ query }: GraphqlRequest) =>
  parsed(query).definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)

const operationIn = (request: GraphqlRequest) => operationsIn(request)[0]

/** The depth of the fields of a document. */
function depthOf({ query }: GraphqlRequest): number {
  let [depth, max] = [0, 0]
  visit(parsed(query), {
    Field: { enter: () => void (max = Math.max(max, (depth += 1))), leave: () => void (depth -= 1) },
  })
  return max
}

/** A limit that a server may have, which introspection does not count for. */
const limited = (
  id: string,
  about: string,
  messageFor: (request: GraphqlRequest) => string | false,
  open: readonly string[],
  more: Partial<Variant> = {},
): Variant => ({
  ...more,
  id,
  about,
  wrap: rejecting((request) => (introspects(request.query) ? undefined : messageFor(request) || undefined)),
  open: [...usuallyOpen, ...open],
})

/** What asks for all fields of a page. */
const ofExpensivePages = [
  ...['shape', 'values', 'distinct-numbers', 'order-values', 'order-ties'].map((it) => `customers-${it}`),
  ...['shape', 'avatar', 'created-at', 'updated-at', 'assumed-fields'].map((it) => `customer-${it}`),
  'node-fragments',
  'literals',
  'directives',
  'variable-defaults',
]

/** What a page costs: its leaves, for each element. */
function costOf({ query, variables = {} }: GraphqlRequest): number {
  if (!query.includes('edges')) return 0
  let leaves = 0
  visit(parsed(query), { Field: ({ selectionSet }) => void (leaves += selectionSet ? 0 : 1) })
  return leaves * Number(variables['first'] ?? usualPage)
}

const ofLimits: readonly Variant[] = [
  limited(
    'cost-limit',
    'A page of 25 with all fields costs too much.',
    (it) => costOf(it) > 125 && `Query cost ${costOf(it)} exceeds the maximum of 125.`,
    [
      ...ofExpensivePages,
      ...['shape', 'values', 'order-values'].map((it) => `segments-${it}`),
      ...['shape', 'assumed-fields'].map((it) => `segment-${it}`),
    ],
    { notices: ['first-cap'], differs: ['first_cap'] },
  ),
  limited(
    'depth-4',
    'Documents are at most four levels deep.',
    (it) => depthOf(it) > 4 && 'Nested too deeply, at most 4.',
    [],
  ),
  limited(
    'one-root-field',
    'A document has one root field.',
    (it) => (operationIn(it)?.selectionSet.selections.length ?? 0) > 1 && 'Which one?',
    ['aliases'],
  ),
  limited(
    'anonymous-rejected',
    'An operation without a name is an error.',
    (it) => !operationIn(it)?.name && 'Anonymous operations are not allowed.',
    ['anonymous', 'literals'],
  ),
  limited(
    'several-operations-rejected',
    'A document with several operations is an error.',
    (it) => operationsIn(it).length > 1 && 'One operation at a time.',
    ['operation-names'],
  ),
  limited(
    'literals-rejected',
    'A literal argument is an error.',
    (it) => has(it, Kind.ARGUMENT, ({ value }) => value.kind !== Kind.VARIABLE) && 'Use variables.',
    ['literals', 'directives', 'aliases', 'fragments', 'type-names', ...assumedFields],
  ),
]

/** Without data, or with null for a field. */
const denying = (id: string, field: string, message: string, open: readonly string[], code = 'FORBIDDEN'): Variant => ({
  id,
  about: `\`${field}\` is denied.`,
  wrap: (target) => ({
    ...target,
    async send(request, options) {
      const asks = has(request, Kind.FIELD, ({ name }) => name.value === field)
      return asks
        ? { ...rejection(''), body: { data: null, errors: [{ message, extensions: { code } }] } }
        : target.send(request, options)
    },
  }),
  open: [...usuallyOpen, ...open],
})

const storesOpen = ['stores-shape', ...noStores, 'type-names']

const ofPermissions: readonly Variant[] = [
  denying('expenses-denied', 'expenses', 'Not for you.', ofExpensivePages),
  denying('stores-denied', 'stores', 'Access denied for stores field.', storesOpen, 'ACCESS_DENIED'),
]

export const responseVariants: readonly Variant[] = [
  ...ofIdentifiers,
  ...ofValues,
  ...ofForms,
  ...ofLimits,
  ...ofPermissions,
]
