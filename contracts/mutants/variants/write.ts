/** Conforming servers that are slower, stricter or tidier than the mock. No check that writes may fail for them. */
import type { Data } from '../../../src/contract/check.js'
import { mapFields } from '../response-walk.js'
import { lagging, repeating, takingTurns } from '../late-reads.js'
import { pixelLists } from '../../account.js'
import { rejection, rejecting } from '../request-rules.js'
import { walkVariants } from './walk.js'
import { walkWhileWritten } from '../../rules/walk-under-writes.js'
import { layered } from '../mutant.js'
import { mutating, mutationsIn, sending, type MutationRule, type WriteVariant } from '../mutation-rules.js'

const lifecycle = (one: string) =>
  ['', '-node', '-list'].map((it) => `create-${one}${it}`).concat(`update-${one}`, `update-${one}-rest`, `${one}-text`)
const segmentChecks = [
  ...lifecycle('segment'),
  'mutations-in-order',
  'mutations-operation-name',
  'observe-unknown-delete',
  'delete-segments',
  walkWhileWritten.id,
]
const storeChecks = [...lifecycle('store'), 'create-store-account', 'add-products', 'observe-same-slug', 'delete-store']
const customerChecks = [...lifecycle('customer'), 'observe-same-email']
const integrationChecks = ['create-integration', 'remove-integration', 'integration-text']
const pixelChecks = ['update-account', 'update-account-rest', 'pixel-text']
const ofGuessedInputs = [...segmentChecks, ...storeChecks, ...customerChecks]

const nodeIn = (args: Data) => args['node'] as Data
const tidied = (change: (node: Data) => Data): MutationRule =>
  sending((args) => ({ ...args, node: change(nodeIn(args)) }))

/** Changes the strings of an input. */
const texts = (changes: Readonly<Record<string, (text: string) => string>>) => (node: Data) =>
  Object.fromEntries(
    Object.entries(node).map(([key, it]) => [key, typeof it === 'string' ? (changes[key]?.(it) ?? it) : it]),
  )

const tidy = tidied(
  texts({
    email: (it) => it.toLowerCase(),
    phone: (it) => it.replace(/\s/g, ''),
    name: (it) => it.trim(),
    last_name: (it) => it.toUpperCase(),
    legal_name: (it) => it.toUpperCase(),
  }),
)

const cut = (text: string) => text.slice(0, 20).trim()
const cuttingNames = tidied(texts({ name: cut, label: cut, first_name: cut, last_name: cut }))

const escapeHtml = (text: string) => text.replace(/[&"']/g, (it) => `&#${it.charCodeAt(0)};`)

/** Changes each label that is sent. */
const labelled = (change: (label: string) => string): MutationRule => {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, it]) => [key, key === 'label' ? change(String(it)) : changed(it)]),
    )
  }
  return sending((args) => changed(args) as Data)
}

const createIntegration = 'createConversionApiFacebookIntegration'

/** Changes a slug that is sent. */
const slugged = (slugOf: (node: Data) => string): WriteVariant['wrap'] => {
  const rule = tidied((node) => ('slug' in node ? { ...node, slug: slugOf(node) } : node))
  return mutating({ createStore: rule, updateStore: rule })
}

const refuses = (names: readonly string[], message: string) =>
  rejecting(({ query }) => (mutationsIn(query).some(({ name }) => names.includes(name)) ? message : undefined))

const silent = rejecting(({ query }) =>
  /__schema|__type\(/.test(query) ? 'Introspection is not allowed here.' : undefined,
)

const inputs = /* GraphQL */ `
  input SegmentInput {
    name: String
    description: String
  }
  input StoreInput {
    name: String!
    slug: String!
    lang: String!
  }
  input StoreUpdateInput {
    slug: String
    refund_policy: String
  }
  input InputCustomer {
    email: String!
    phone: String!
    first_name: String!
    last_name: String!
    accepts_marketing: Boolean!
    tags: [String!]!
  }
  input InputUpdateCustomer {
    phone: String
    notes: String
  }
`

/** Somebody else renames the first store before every fifth request, and deletes the first segment before every seventh. */
const othersAtWork: WriteVariant['wrap'] = (target) => {
  let requests = 0
  const ask = async (query: string, variables: Data = {}) => (await target.send({ query, variables })).body.data ?? {}
  async function rename() {
    const { stores } = (await ask('{ account { stores { id } } }'))['account'] as { readonly stores: readonly Data[] }
    await ask('mutation R($id: ID!, $slug: String) { updateStore(id: $id, node: { slug: $slug }) { id } }', {
      id: stores[0]?.['id'],
      slug: `shop-${requests}`,
    })
  }
  async function remove() {
    const { segments } = await ask('{ segments(query: "", first: 1) { edges { node { id } } } }')
    const [edge] = (segments as { readonly edges: readonly { readonly node: Data }[] }).edges
    await ask('mutation D($items: [ID!]!) { deleteSegments(items: $items) }', { items: [edge?.node['id']] })
  }
  return {
    ...target,
    async send(request, options) {
      requests += 1
      if (requests % 5 === 0) await rename()
      if (requests % 7 === 0) await remove()
      return target.send(request, options)
    },
  }
}

/** A customer signs up before every third request. */
const othersCome: WriteVariant['wrap'] = (target) => {
  let requests = 0
  const query = 'mutation C($node: InputCustomer!) { createCustomer(node: $node) { id } }'
  const node = { phone: '+1 312-555-0161', first_name: 'Iva', last_name: 'Kern', accepts_marketing: false, tags: [] }
  return {
    ...target,
    async send(request, options) {
      requests += 1
      if (requests % 3 === 0)
        await target.send({ query, variables: { node: { ...node, email: `iva${requests}@example.com` } } })
      return target.send(request, options)
    },
  }
}

/** Somebody orders something for each customer whenever one is updated. */
const ordersCome: WriteVariant['wrap'] = (target, shapes) => {
  let orders = 0
  const counting: typeof target = {
    ...target,
    send(request, options) {
      orders += mutationsIn(request.query).filter(({ name }) => name === 'updateCustomer').length
      return target.send(request, options)
    },
  }
  const rules = {
    'Customer.orders_count': (count: unknown) => Number(count) + orders,
    'Customer.expenses': (sum: unknown) => Number(sum) + orders * 10,
  }
  return mapFields(rules)(counting, shapes)
}

/** From z to a, so that a new pixel is never last. */
const byLabel = (rows: unknown) =>
  (rows as readonly Data[]).toSorted((a, b) => (String(a['label']) < String(b['label']) ? 1 : -1))

/** What an address may lack. */
const optionalLines = ['line2', 'area', 'email', 'phone']

export const writeVariants: readonly WriteVariant[] = [
  { id: 'the-mock', about: 'Nothing is unusual.' },
  {
    id: 'slower-consistency',
    about: 'Reads show the old state for 40 ms, which the run allows.',
    replica: lagging(40),
    run: { consistencyTimeout: 2000 },
  },
  {
    id: 'repeated-reads',
    about: 'Each read is answered as it was before for 15 ms, which the run allows.',
    wrap: repeating(15),
    run: { consistencyTimeout: 2000 },
  },
  {
    id: 'reads-taking-turns',
    about: 'Every other read shows the state of 15 ms ago, which the run allows.',
    replica: takingTurns(15),
    run: { consistencyTimeout: 2000 },
  },
  {
    id: 'later-than-allowed',
    exitCode: 2,
    about: 'Reads show the old state for 90 ms, which is more than the run allows.',
    replica: lagging(90),
    run: { consistencyTimeout: 30 },
    open: [...segmentChecks, ...storeChecks, ...customerChecks, ...integrationChecks, ...pixelChecks, 'foreign-data'],
  },
  {
    id: 'others-at-work',
    about: 'Somebody else renames stores and deletes segments all the time.',
    world: { counts: { segments: 60 } },
    wrap: othersAtWork,
    moving: true,
    open: ['foreign-data', walkWhileWritten.id],
  },
  {
    id: 'others-come',
    about: 'New customers come all the time, and lists show the newest first.',
    world: { profile: { default_order: 'order_by:_id order_dir:desc' } },
    wrap: othersCome,
    moving: true,
  },
  {
    id: 'orders-come',
    about: 'Somebody orders for the customers of the run.',
    wrap: ordersCome,
    notices: ['update-customer-rest'],
  },
  {
    id: 'another-required-input',
    exitCode: 2,
    about: 'A segment requires an unknown field.',
    world: { schema: { 'input SegmentInput {': 'input SegmentInput {\n  audience_mode: String!' } },
    open: segmentChecks,
  },
  {
    id: 'given-values',
    about: 'Inputs require unknown fields, for which a file has values.',
    world: {
      schema: {
        'input SegmentInput {': 'input SegmentInput {\n  audience_mode: String!',
        'input StoreUpdateInput {': 'input StoreUpdateInput {\n  revision: Int!',
        'input InputAddress @assumed(reason: "The fields of InputCustomer are not shown.") {':
          'input InputAddress {\n  country_code: String!',
        'input FacebookConversionApi {': 'input FacebookConversionApi {\n  account_ref: String!',
        'input AddProductsToStoreInput {': 'input AddProductsToStoreInput {\n  position: Int!',
      },
    },
    run: {
      values: {
        SegmentInput: { audience_mode: 'all' },
        updateStore: { revision: 1 },
        InputAddress: { country_code: 'PT' },
        createConversionApiFacebookIntegration: { account_ref: 'a1' },
        addProductsToStore: { position: 1 },
      },
    },
  },
  {
    id: 'required-parts',
    about: 'Updates require a name and settings with all parts, and the language of a store is an enum.',
    world: {
      schema: {
        'input SegmentInput {\n  "Display name."\n  name: String ':
          'input SegmentInput {\n  "Display name."\n  name: String! ',
        'settings: SegmentConfigInput ': 'settings: SegmentConfigInput! ',
        'lang: Lang!': 'lang: Language!',
        'input SegmentConfigInput ': 'enum Language {\n  AR\n  EN\n  FR\n}\n\ninput SegmentConfigInput ',
      },
    },
  },
  {
    id: 'another-required-setting',
    exitCode: 2,
    about: 'Updates of the account, integrations and added products require unknown fields.',
    world: {
      schema: {
        'input InputUpdateAccount {': 'input InputUpdateAccount {\n  revision: Int!',
        'input FacebookConversionApi {': 'input FacebookConversionApi {\n  account_ref: String!',
        'input AddProductsToStoreInput {': 'input AddProductsToStoreInput {\n  position: Int!',
      },
    },
    open: [...pixelChecks, ...integrationChecks, 'add-products'],
  },
  {
    id: 'another-required-pixel-field',
    exitCode: 2,
    about: 'A pixel requires an unknown field.',
    world: { schema: { 'input InputPixel {': 'input InputPixel {\n  region: String!' } },
    open: pixelChecks,
  },
  {
    id: 'account-not-to-be-changed',
    exitCode: 2,
    about: 'The user may not change the account.',
    wrap: refuses(['updateAccount'], 'You are not allowed to do that.'),
    open: pixelChecks,
  },
  {
    id: 'products-unknown',
    exitCode: 2,
    about: 'The products that the user names do not exist.',
    wrap: refuses(['addProductsToStore'], 'There is no such product.'),
    open: ['add-products'],
  },
  {
    id: 'another-optional-input',
    about: 'A segment, a store and a customer take unknown fields.',
    world: {
      schema: {
        'input SegmentInput {': 'input SegmentInput {\n  audience_mode: String',
        'input StoreInput {': 'input StoreInput {\n  theme: String = "plain"',
        'input InputCustomer {': 'input InputCustomer {\n  created_at: TimeStamp\n  locale: String',
      },
    },
  },
  {
    id: 'birthday-instead-of-phone',
    about: 'createCustomer takes no phone, but a birthday.',
    world: {
      schema: {
        '  phone: String! @assumed(reason: "The fields of InputCustomer are not shown.")':
          '  birthday: String @assumed(reason: "The fields of InputCustomer are not shown.")',
      },
    },
  },
  {
    id: 'empty-instead-of-null',
    about: 'A line of an address for which nothing was sent is "".',
    wrap: mapFields(Object.fromEntries(optionalLines.map((it) => [`Address.${it}`, (value) => value ?? '']))),
  },
  {
    id: 'extra-results',
    about: 'Objects have more fields, and answers carry extensions.',
    world: { schema: { 'type Segment implements Node {': 'type Segment implements Node {\n  colour: String' } },
    wrap: (target) => ({
      ...target,
      async send(request, options) {
        const answer = await target.send(request, options)
        return { ...answer, body: { ...answer.body, extensions: { cost: 3 } } }
      },
    }),
  },
  {
    id: 'same-names-refused',
    about: 'No two segments, and no two stores, have the same name.',
    wrap: (target, shapes) => {
      const names = new Set<unknown>()
      const refusesTwice = rejecting(({ query, variables }) => {
        if (!mutationsIn(query).some(({ name }) => name.startsWith('create'))) return undefined
        const name = (variables?.['node'] as Data | undefined)?.['name']
        if (name !== undefined && names.has(name)) return 'There is one of this name already.'
        names.add(name)
        return undefined
      })
      return refusesTwice(target, shapes)
    },
  },
  {
    id: 'currency-of-the-account-only',
    about: 'A store must have the currency of the account.',
    wrap: rejecting(({ query, variables = {} }) => {
      const { currency = 'USD' } = (variables['node'] ?? {}) as Data
      return query.includes('createStore') && currency !== 'USD' ? 'This currency is not set up.' : undefined
    }),
  },
  {
    id: 'plan-limit',
    exitCode: 2,
    about: 'The plan of the account has room for no other store.',
    wrap: refuses(['createStore'], 'Your plan allows 2 stores.'),
    open: storeChecks,
  },
  {
    id: 'plan-limit-of-pixels',
    exitCode: 2,
    about: 'The plan of the account has room for no other pixel.',
    wrap: refuses(['updateAccount'], 'Your plan allows 2 pixels a list.'),
    open: pixelChecks,
  },
  {
    id: 'plan-limit-of-one',
    about: 'The plan of the account has room for one other store.',
    wrap: (target, shapes) => {
      let made = 0
      const full = rejecting(({ query }) => {
        if (!mutationsIn(query).some(({ name }) => name === 'createStore')) return undefined
        made += 1
        return made > 1 ? 'Your plan allows 3 stores.' : undefined
      })
      return full(target, shapes)
    },
    open: ['update-store-rest', 'create-store-account', 'observe-same-slug', 'delete-store'],
  },
  {
    id: 'updates-refused',
    exitCode: 2,
    about: 'The server rejects the values of an update.',
    wrap: refuses(['updateCustomer'], 'The phone number is not valid.'),
    open: ['update-customer', 'update-customer-rest', 'customer-text'],
    differs: ['same_email'],
  },
  {
    id: 'token-looked-at',
    exitCode: 2,
    about: 'An integration requires a working token.',
    wrap: refuses(['createConversionApiFacebookIntegration'], 'The token is not valid.'),
    open: integrationChecks,
  },
  {
    id: 'silent',
    exitCode: 2,
    about: 'The server has no introspection.',
    wrap: silent,
    open: ofGuessedInputs,
  },
  {
    id: 'silent-with-inputs',
    about: 'The server has no introspection, and a file has the input types.',
    wrap: silent,
    run: { inputs },
    open: ['observe-same-email'],
  },
  {
    id: 'full-name-only',
    about: 'createCustomer takes a full name instead of two parts.',
    run: { inputs: inputs.replace('    first_name: String!\n    last_name: String!\n', '    full_name: String!\n') },
    wrap: layered(
      mutating({
        createCustomer: tidied(({ full_name: name, ...node }) => {
          const [first_name = '', ...rest] = String(name).split(' ')
          return { ...node, first_name, last_name: rest.join(' ') }
        }),
      }),
      silent,
    ),
    open: ['observe-same-email'],
  },
  {
    id: 'silent-and-assumed',
    about: 'The server has no introspection, and assumed fields may be sent.',
    wrap: silent,
    run: { includeAssumed: true },
  },
  {
    id: 'tidy',
    about: 'E-mail addresses are lower-cased, phone numbers lose their blanks, names are trimmed or upper-cased.',
    notices: ['store-text', 'customer-text'],
    wrap: mutating({
      createStore: tidy,
      updateStore: tidy,
      createCustomer: tidy,
      updateCustomer: tidy,
      createSegment: tidy,
      updateSegment: tidy,
    }),
  },
  {
    id: 'ascii-only',
    about: 'A segment keeps the ASCII characters of its description.',
    wrap: mutating({ createSegment: tidied(texts({ description: (it) => it.replace(/[^ -~\n]/g, '?') })) }),
    notices: ['segment-text'],
  },
  {
    id: 'labels-escaped',
    about: 'The labels of pixels and integrations are HTML-escaped.',
    wrap: mutating({ updateAccount: labelled(escapeHtml), [createIntegration]: labelled(escapeHtml) }),
    notices: ['integration-text', 'pixel-text'],
  },
  {
    id: 'labels-without-emoji',
    about: 'A label with an emoji is rejected.',
    wrap: rejecting((it) =>
      /label":"[^"]*🎁/u.test(JSON.stringify(it.variables ?? {})) ? 'No such characters.' : undefined,
    ),
    open: ['integration-text', 'pixel-text'],
  },
  {
    id: 'names-cut',
    about: 'Names keep their first 20 characters.',
    wrap: mutating({
      createStore: cuttingNames,
      createCustomer: cuttingNames,
      updateCustomer: cuttingNames,
      createSegment: cuttingNames,
      updateSegment: cuttingNames,
      createConversionApiFacebookIntegration: cuttingNames,
    }),
  },
  {
    id: 'slugs-suffixed',
    about: 'A slug is lower-cased and gets a suffix.',
    wrap: slugged(({ slug }) => `${String(slug).toLowerCase()}-x7f2`),
  },
  {
    id: 'slugs-of-its-own',
    about: 'The server makes the slug of a new store itself.',
    wrap: (target, shapes) => {
      let made = 0
      const rule = tidied((node) => ({ ...node, slug: `shop-${(made += 1)}` }))
      return mutating({ createStore: rule })(target, shapes)
    },
    notices: ['create-store', 'create-store-node'],
    differs: ['same_slug'],
  },
  {
    id: 'slugs-of-names',
    about: 'The slug of a new store is derived from its name.',
    wrap: slugged(({ slug, name }) =>
      String(name ?? slug)
        .toLowerCase()
        .replace(/\W+/g, '-'),
    ),
    differs: ['same_slug'],
  },
  {
    id: 'unknown-delete-error',
    about: 'Deleting an unknown object is an error.',
    world: { profile: { unknown_delete: 'error' } },
    differs: ['unknown_delete'],
  },
  {
    id: 'unknown-node-error',
    about: 'node of an unknown object is an error.',
    world: { profile: { unknown_node: 'error' } },
  },
  {
    id: 'same-email-error',
    about: 'No two customers have the same e-mail address.',
    world: { profile: { same_email: 'error' } },
    differs: ['same_email'],
  },
  {
    id: 'same-slug-allowed',
    about: 'Two stores may have the same slug.',
    world: { profile: { same_slug: 'allow' } },
    differs: ['same_slug'],
  },
  {
    id: 'ids-digits',
    about: 'Identifiers are strings of digits.',
    wrap: (target) => {
      const given = new Map<string, string>()
      const back = new Map<string, string>()
      const out = (id: string) => {
        const digits = given.get(id) ?? String(1000 + given.size)
        given.set(id, digits)
        back.set(digits, id)
        return digits
      }
      const changed = <Value>(value: Value, pattern: RegExp, change: (id: string) => string): Value =>
        JSON.parse(JSON.stringify(value).replace(pattern, (_, id: string) => `"${change(id)}"`)) as Value
      return {
        ...target,
        async send({ variables = {}, ...request }, options) {
          const asked = changed(variables, /"(\d{4})"/g, (it) => back.get(it) ?? it)
          const answer = await target.send({ ...request, variables: asked }, options)
          return { ...answer, body: changed(answer.body, /"((?:store|seg|cus|int|acc)_[\w-]{21})"/g, out) }
        },
      }
    },
  },
  {
    id: 'customer-of-an-earlier-run',
    about: 'There is a customer of an earlier run, and no other can be created.',
    wrap: (target) => {
      const variables = {
        node: {
          email: 'cm-zzzzzz-3@example.com',
          phone: '+1 312-555-0142',
          first_name: 'Ines',
          last_name: 'Marlow cm-zzzzzz-3',
          accepts_marketing: true,
          tags: [],
        },
      }
      const query = 'mutation M($node: InputCustomer!) { createCustomer(node: $node) { id } }'
      let made: Promise<unknown> | undefined
      return {
        ...target,
        async send(request, options) {
          await (made ??= target.send({ query, variables }))
          const makes = mutationsIn(request.query).some(({ name }) => name === 'createCustomer')
          return makes ? rejection('One is enough.') : target.send(request, options)
        },
      }
    },
    open: ['create-customer', 'create-customer-node', 'create-customer-list', 'observe-same-email'],
  },
  {
    id: 'long-lists',
    about: 'The lists are too long to search, and take no order.',
    world: { counts: { customers: 200, segments: 200 } },
    wrap: rejecting(({ variables = {} }) =>
      Object.values(variables).some((it) => String(it).includes('order_by')) ? 'There is no such filter.' : undefined,
    ),
    run: { recoverPages: 1 },
    open: ['create-segment-list', 'create-customer-list', walkWhileWritten.id],
  },
  {
    id: 'empty-account',
    about: 'The account holds nothing yet.',
    world: { counts: { customers: 0, segments: 0, stores: 0, integrations: 0, pixels: 0, products: 5 } },
  },
  {
    id: 'pixels-sorted',
    about: 'Pixel lists are sorted by label.',
    wrap: mapFields(Object.fromEntries(pixelLists.map((it) => [`Account.${it}`, byLabel]))),
  },
  {
    id: 'pixels-wiped',
    about: 'updateAccount empties the lists that it is not sent.',
    wrap: mutating({
      updateAccount: sending((args) => ({
        ...args,
        node: { facebook_pixels: [], snapchat_pixels: [], tiktok_pixels: [], ...nodeIn(args) },
      })),
    }),
    notices: ['update-account-rest'],
  },
  ...walkVariants,
]
