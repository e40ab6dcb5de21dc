/** Saboteurs that give wrong values: each documented field dropped, null where it must not be, or of another kind. */
import { DROP, mapFields, under, type AnswerRule, type AnswerRules } from './response-walk.js'
import { nodeChecks } from './check-ids.js'
import type { Mutant } from './mutant.js'

interface FieldRow {
  readonly coordinate: string
  /** The checks that look at it. */
  readonly fails: readonly string[]
  /** What stands in its place where it is of another kind; none where the kind is assumed. */
  readonly other?: AnswerRule
  /** Whether the specification says that it is never null. */
  readonly required?: true
}

const asNumber: AnswerRule = () => 7
const asText: AnswerRule = (value) => (value === null ? null : JSON.stringify(value))
const asList: AnswerRule = (value) => (value === null ? null : [value])
const asObject: AnswerRule = (value) => ({ value })
/** A list as an object by number, as some languages write it. */
const byNumber: AnswerRule = (value) => (Array.isArray(value) ? { ...(value as readonly unknown[]) } : value)

const fieldRows: readonly FieldRow[] = [
  {
    coordinate: 'Query.account',
    fails: [
      'account-shape',
      'aliases',
      'anonymous',
      'fragments',
      'integrations-shape',
      'pixels-shape',
      'stores-shape',
      'type-names',
    ],
    other: asList,
  },
  {
    coordinate: 'Account.id',
    fails: ['account-shape', 'aliases', 'anonymous', 'fragments', 'integrations-shape', 'pixels-shape', 'stores-shape'],
    other: asNumber,
    required: true,
  },
  { coordinate: 'Account.stores', fails: ['stores-shape', 'type-names'], other: byNumber },
  { coordinate: 'Account.facebook_pixels', fails: ['pixels-shape', 'type-names'], other: byNumber, required: true },
  { coordinate: 'Account.snapchat_pixels', fails: ['pixels-shape'], other: byNumber, required: true },
  { coordinate: 'Account.tiktok_pixels', fails: ['pixels-shape'], other: byNumber, required: true },
  { coordinate: 'Account.integrations', fails: ['integrations-shape', 'type-names'], other: byNumber, required: true },
  { coordinate: 'Pixel.label', fails: ['pixels-shape'], other: asNumber, required: true },
  { coordinate: 'Pixel.value', fails: ['pixels-shape'], other: asNumber, required: true },
  { coordinate: 'Integration.id', fails: ['integrations-shape'], other: asNumber, required: true },
  { coordinate: 'Integration.platform', fails: ['integrations-shape'], other: asNumber, required: true },
  { coordinate: 'Integration.label', fails: ['integrations-shape'], other: asObject, required: true },
  { coordinate: 'Integration.details', fails: ['integrations-shape'], other: asText },
  { coordinate: 'Store.id', fails: ['stores-shape'], other: asNumber, required: true },
  { coordinate: 'Store.name', fails: ['stores-shape'], other: asNumber },
  { coordinate: 'Store.products', fails: ['store-products-shape'], other: (value) => ({ edges: value }) },
  { coordinate: 'Product.title', fails: ['store-products-shape'] },
  { coordinate: 'Product.price', fails: ['store-products-shape'] },
  { coordinate: 'Product.link', fails: ['store-products-shape'] },
  { coordinate: 'Product.cursor', fails: ['store-products-shape'] },
  { coordinate: 'Query.segments', fails: ['segments-shape', 'type-names'], other: asList },
  { coordinate: 'SegmentConnection.edges', fails: ['segments-shape', 'type-names'], other: byNumber },
  { coordinate: 'SegmentConnection.pageInfo', fails: ['segments-shape'], other: asList },
  { coordinate: 'SegmentEdge.node', fails: ['segments-shape', 'type-names'], other: asList },
  { coordinate: 'SegmentEdge.cursor', fails: ['segments-shape'], other: asNumber },
  { coordinate: 'Segment.id', fails: ['segments-shape'], other: asNumber, required: true },
  { coordinate: 'Segment.name', fails: ['segments-shape'], other: asNumber },
  { coordinate: 'Segment.description', fails: ['segments-shape'], other: asList },
  { coordinate: 'Query.customers', fails: ['aliases', 'customers-shape', 'fragments', 'type-names'], other: asList },
  {
    coordinate: 'CustomerConnection.edges',
    fails: ['aliases', 'customers-shape', 'fragments', 'type-names'],
    other: byNumber,
  },
  { coordinate: 'CustomerConnection.pageInfo', fails: ['customers-shape'], other: asList },
  { coordinate: 'CustomerEdge.node', fails: ['aliases', 'customers-shape', 'fragments', 'type-names'], other: asList },
  { coordinate: 'CustomerEdge.cursor', fails: ['customers-shape', 'fragments'], other: asNumber },
  { coordinate: 'Customer.id', fails: ['aliases', 'customers-shape', 'fragments'], other: asNumber, required: true },
  { coordinate: 'Customer._id', fails: ['customers-shape', 'fragments'], other: asText },
  { coordinate: 'Customer.avatar', fails: ['customers-shape'], other: asObject },
  { coordinate: 'Customer.full_name', fails: ['customers-shape', 'fragments'], other: asList },
  { coordinate: 'Customer.expenses', fails: ['customers-shape'], other: asText },
  { coordinate: 'Customer.orders_count', fails: ['customers-shape', 'fragments'], other: asText },
  { coordinate: 'Customer.updated_at', fails: ['customers-shape'], other: asNumber },
  { coordinate: 'Customer.created_at', fails: ['customers-shape'], other: asNumber },
  { coordinate: 'PageInfo.endCursor', fails: ['customers-shape', 'segments-shape'], other: asNumber },
  { coordinate: 'PageInfo.hasNextPage', fails: ['customers-shape', 'segments-shape'], other: (value) => String(value) },
  {
    coordinate: 'Query.node',
    fails: nodeChecks,
    other: asList,
  },
]

const kebab = (coordinate: string) =>
  coordinate
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace('._', '-number-')
    .replace(/[._]/g, '-')
    .toLowerCase()
    .replace(/-$/, '')

const ofFields: readonly Mutant[] = fieldRows.flatMap(({ coordinate, fails, other, required }) => {
  const [type, field] = coordinate.split('.')
  const named = `\`${field}\` of ${type}`
  const mutant = (word: string, breaks: string, rule: AnswerRule): Mutant => ({
    id: `${kebab(coordinate)}-${word}`,
    breaks,
    fails,
    wrap: mapFields({ [coordinate]: rule }),
  })
  return [
    mutant('dropped', `${named} is asked for and not answered.`, () => DROP),
    ...(other ? [mutant('of-another-kind', `${named} is of another kind.`, other)] : []),
    ...(required ? [mutant('null', `${named} is null.`, () => null)] : []),
  ]
})

/** Values whose kind is right and whose form is not, or that stand where nothing was asked for. */
interface ValueRow {
  readonly id: string
  readonly breaks: string
  readonly fails: readonly string[]
  readonly rules: AnswerRules
}

const members = (value: unknown) => value as Readonly<Record<string, unknown>>

interface TypeRow {
  readonly type: string
  /** The checks that see objects of it. */
  readonly shown: readonly string[]
  /** Those that see their `__typename`, `node` aside. */
  readonly named?: readonly string[]
}

const ofAccount = ['account-shape', 'anonymous', 'integrations-shape', 'pixels-shape', 'stores-shape']

const typeRows: readonly TypeRow[] = [
  { type: 'Account', shown: [...ofAccount, 'aliases', 'fragments', 'type-names'], named: ['type-names'] },
  { type: 'Pixel', shown: ['pixels-shape', 'type-names'], named: ['type-names'] },
  { type: 'Integration', shown: ['integrations-shape', 'type-names'], named: ['type-names'] },
  { type: 'Store', shown: ['stores-shape', 'type-names'], named: ['type-names'] },
  { type: 'Product', shown: ['store-products-shape'] },
  { type: 'Segment', shown: ['segments-shape', 'type-names'], named: ['type-names'] },
  {
    type: 'Customer',
    shown: ['aliases', 'customers-shape', 'fragments', 'type-names'],
    named: ['customers-shape', 'type-names'],
  },
]

interface NodeRow {
  readonly type: string
  /** The check that compares the object with its list. */
  readonly own: readonly string[]
  /** All that ask for one of the type by `node`, where there are more. */
  readonly every?: readonly string[]
}

const nodeRows: readonly NodeRow[] = [
  { type: 'Store', own: ['store-shape'] },
  { type: 'Segment', own: ['segment-shape'] },
  { type: 'Integration', own: ['integration-shape'] },
  { type: 'Customer', own: ['customer-shape'], every: ['customer-shape', 'literals', 'node-fragments'] },
]

const instants: readonly (readonly [string, string, unknown])[] = [
  ['iso', 'an instant as in ISO 8601', '2026-01-31T12:00:00Z'],
  ['epoch-text', 'a count of seconds as text', '1769860800'],
  ['epoch-number', 'a count of seconds', 1769860800],
  ['date', 'a date', '2026-01-31'],
]

const valueRows: readonly ValueRow[] = [
  ...(['created_at', 'updated_at'] as const).flatMap((field) =>
    instants.map(([word, what, value]): ValueRow => ({
      id: `customer-${field.replace('_', '-')}-${word}`,
      breaks: `\`${field}\` of Customer is ${what}.`,
      fails: [typeof value === 'string' ? `customer-${field.replace('_', '-')}` : 'customers-shape'],
      rules: { [`Customer.${field}`]: () => value },
    })),
  ),
  {
    id: 'customer-avatar-relative',
    breaks: '`avatar` of Customer is a path.',
    fails: ['customer-avatar'],
    rules: { 'Customer.avatar': () => '/avatars/1.svg' },
  },
  {
    id: 'customer-avatar-as-data',
    breaks: '`avatar` of Customer is the picture itself.',
    fails: ['customer-avatar'],
    rules: { 'Customer.avatar': () => 'data:image/png;base64,iVBORw0KGgo=' },
  },
  {
    id: 'customer-avatar-no-address',
    breaks: '`avatar` of Customer is words.',
    fails: ['customer-avatar'],
    rules: { 'Customer.avatar': () => 'no picture' },
  },
  {
    id: 'customer-number-with-a-fraction',
    breaks: '`_id` of Customer has a fraction.',
    fails: ['customers-shape', 'fragments'],
    rules: { 'Customer._id': (value) => Number(value) + 0.5 },
  },
  {
    id: 'customer-orders-count-with-a-fraction',
    breaks: '`orders_count` of Customer has a fraction.',
    fails: ['customers-shape', 'fragments'],
    rules: { 'Customer.orders_count': (value) => Number(value) + 0.5 },
  },
  {
    id: 'integration-details-without-pixels',
    breaks: 'The details of a Facebook integration have no `pixels`.',
    fails: ['integration-pixels'],
    rules: { 'Integration.details': () => ({}) },
  },
  {
    id: 'integration-pixels-as-numbers',
    breaks: 'The pixels of a Facebook integration are numbers.',
    fails: ['integration-pixels'],
    rules: { 'Integration.details': () => ({ pixels: [204918830417755] }) },
  },
  {
    id: 'integration-pixels-as-text',
    breaks: 'The pixels of a Facebook integration are one text.',
    fails: ['integration-pixels'],
    rules: { 'Integration.details': () => ({ pixels: '204918830417755' }) },
  },
  ...typeRows.map(({ type, shown }): ValueRow => ({
    id: `${type.toLowerCase()}-with-a-member-too-many`,
    breaks: `Each ${type} has a member that nobody asked for.`,
    fails: shown,
    rules: { [type]: (value) => ({ ...members(value), internal: true }) },
  })),
  ...typeRows.flatMap(({ type, named }): ValueRow[] =>
    named === undefined
      ? []
      : [
          {
            id: `${type.toLowerCase()}-type-name-of-another`,
            breaks: `\`__typename\` of a ${type} is another name.`,
            fails: named,
            rules: { [`${type}.__typename`]: (_, { root }) => (root === 'node' ? type : `${type}Type`) },
          },
        ],
  ),
  {
    id: 'type-names-dropped',
    breaks: '`__typename` is not answered.',
    fails: [
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
    breaks: '`__typename` is not answered under `node`.',
    fails: nodeChecks,
    rules: { '*.__typename': under('node', () => DROP) },
  },
  {
    id: 'customer-type-name-lies-under-node',
    breaks: '`__typename` of a Customer under `node` is that of a Segment.',
    fails: ['customer-shape', 'literals', 'node-fragments'],
    rules: { 'Customer.__typename': under('node', () => 'Segment') },
  },
  ...nodeRows.flatMap(({ type, own, every = own }): ValueRow[] => {
    const texts = (rule: AnswerRule): AnswerRules =>
      Object.fromEntries(['name', 'label', 'full_name'].map((field) => [`${type}.${field}`, under('node', rule)]))
    return [
      {
        id: `node-null-for-${type.toLowerCase()}`,
        breaks: `\`node\` is null for each ${type}.`,
        fails: every,
        rules: { 'Query.node': (value, { parent }) => (typeOf(parent['node']) === type ? null : value) },
      },
      {
        id: `node-another-${type.toLowerCase()}`,
        breaks: `\`node\` gives another ${type} than the one asked for.`,
        fails: own,
        rules: { [`${type}.id`]: under('node', (value) => `${String(value)}0`) },
      },
      {
        id: `node-mixes-up-each-${type.toLowerCase()}`,
        breaks: `\`node\` gives the identifier of one ${type} with the text of another.`,
        fails: own,
        rules: texts((value) => `${String(value)} 2`),
      },
      {
        id: `node-drops-texts-of-each-${type.toLowerCase()}`,
        breaks: `\`node\` answers no text of any ${type}.`,
        fails: every,
        rules: texts(() => DROP),
      },
    ]
  }),
]

const typeOf = (value: unknown) => (value as { readonly __typename?: string } | null | undefined)?.__typename

export const mutantsOfValues: readonly Mutant[] = [
  ...ofFields,
  ...valueRows.map(({ id, breaks, fails, rules }): Mutant => ({ id, breaks, fails, wrap: mapFields(rules) })),
]
