/** The format of world files: one zod definition that validates them and makes their JSON Schema. */
import type { z as Zod } from 'zod'
import { isObject } from '../shared/is-object.js'
import { readInstant } from '../shared/instant.js'

type Z = typeof Zod

/** What the service decides about its worlds. */
export interface WorldRules {
  readonly counts: Readonly<Record<CountName, { readonly default: number; readonly max: number }>>
  /** The slug that a store without one gets from its name. */
  readonly slugOf: (name: string) => string
}

type CountName = 'customers' | 'segments' | 'stores' | 'products' | 'integrations' | 'pixels'

/** A world file as it is written. Takes zod as an argument, because only a few programs need to load it. */
export const defineWorldFile = (z: Z, { counts, slugOf }: WorldRules) => {
  const { text, wholeNumber, object } = types(z)
  return object({
    $schema: text.describe('Path of the JSON Schema of this file, for editors.').optional(),
    about: text.describe('What this world is for.').optional(),
    seed: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      .describe('Decides every generated value, unless --seed is given.')
      .optional(),
    counts: defineCounts(z, counts).describe('How many records are generated, before the rows below.').optional(),
    customers: z.array(defineCustomer(z), mustBeList).describe('Customers.').optional(),
    segments: z.array(defineSegment(z), mustBeList).describe('Segments.').optional(),
    stores: z.array(defineStore(z), mustBeList).describe('Stores.').optional(),
    integrations: z
      .array(defineIntegration(z), mustBeList)
      .describe('Integrations. A world file holds no Facebook token.')
      .optional(),
    pixels: definePixels(z).describe('Tracking pixels of the account, in three lists.').optional(),
  }).superRefine(
    (world, { addIssue }) => {
      for (const [path, message] of crossProblems(world, { counts, slugOf }))
        addIssue({ code: 'custom', path, message })
    },
    { when: always },
  )
}

/** Lets a rule about several fields run even if some fields are wrong, so that all mistakes are reported at once. */
const always = () => true

const mustBeList = 'must be a list'

function types(z: Z) {
  const text = z.string('must be a string')
  const filled = z.string('must be a non-empty string').min(1, 'must be a non-empty string')
  const matching = (expected: string, pattern: RegExp) =>
    z.string(`must be ${expected}`).regex(pattern, `must be ${expected}`)
  const number = (min: number, max: number) => {
    const error = `must be a number from ${min} to ${max}`
    return z.number(error).min(min, error).max(max, error)
  }
  const wholeNumber = (min: number, max: number) => {
    const error = `must be a whole number from ${min} to ${max}`
    return z.int(error).min(min, error).max(max, error)
  }
  const longerThan = (max: number) => `must have at most ${max} characters`
  const emailAddress = 'an e-mail address such as ada@example.com'
  const instantForm = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/
  const instantLike = 'an instant such as 2026-01-31T12:00:00Z'
  const instant = matching(instantLike, instantForm).refine(
    (it) => readInstant(it) !== undefined,
    `must be ${instantLike}`,
  )
  return {
    text,
    filled,
    number,
    wholeNumber,
    matching,
    longerThan,
    flag: z.boolean('must be true or false'),
    tags: z.array(filled, mustBeList),
    // A quoted local part may hold blanks and @.
    email: matching(emailAddress, /^\S(?:.*\S)?@[^\s@]+$/).max(254, longerThan(254)),
    times: {
      created_at: instant
        .describe('When the record was created: ISO 8601, UTC unless it has an offset. Default: generated.')
        .optional(),
      updated_at: instant
        .describe('When the record was last changed. Default: created_at, or generated with it.')
        .optional(),
    },
    /** An object of these keys only. The message for an unknown key lists the known ones. */
    object: <Shape extends Zod.core.$ZodLooseShape>(shape: Shape) =>
      z.strictObject(shape, {
        error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : 'must be an object'),
      }),
  }
}

const timesInOrder = {
  path: ['updated_at'],
  when: always,
  error: 'needs a created_at that is not later. Give both, or neither',
}

function areInOrder(row: unknown): boolean {
  const [created, updated] = ['created_at', 'updated_at'].map((it) => readInstant(String(isObject(row) && row[it])))
  return updated === undefined || (created !== undefined && created <= updated)
}

function defineCounts(z: Z, rules: WorldRules['counts']) {
  const { wholeNumber, object } = types(z)
  const count = (name: CountName, what: string = name) => {
    const { default: usual, max } = rules[name]
    const rows = name === 'products' ? '' : `, or 0 if the file lists ${name}`
    return wholeNumber(0, max).describe(`Number of generated ${what}. Default: ${usual}${rows}.`).optional()
  }
  return object({
    customers: count('customers'),
    segments: count('segments'),
    stores: count('stores'),
    products: count('products'),
    integrations: count('integrations'),
    pixels: count('pixels', 'pixels in each list'),
  })
}

function defineCustomer(z: Z) {
  const { text, flag, tags, email, number, wholeNumber, times, object } = types(z)
  const addressPart = text.nullable().optional()
  const address = object({
    line1: addressPart.describe('First line, such as street and number.'),
    line2: addressPart.describe('Second line.'),
    city: addressPart.describe('City.'),
    area: addressPart.describe('Area or district.'),
    first_name: addressPart.describe('First name of the recipient.'),
    last_name: addressPart.describe('Last name of the recipient.'),
    zip: addressPart.describe('Postal code.'),
    state: addressPart.describe('State or province.'),
    country: addressPart.describe('Country.'),
    email: addressPart.describe('E-mail address of the recipient.'),
    phone: addressPart.describe('Phone number of the recipient.'),
  }).nullable()
  const json = z
    .record(z.string(), z.unknown(), 'must be an object')
    .refine(isJson, `must hold only JSON values, at most ${maxJsonDepth} levels deep`)
    .nullable()
  return object({
    email: email.describe('E-mail address, unique in the file.'),
    phone: text.describe('Phone number.').optional(),
    first_name: text.describe('First name.').optional(),
    last_name: text.describe('Last name.').optional(),
    accepts_marketing: flag.describe('Whether the customer agreed to receive advertising. Default: false.').optional(),
    tags: tags.describe('Tags, which segments refer to.').optional(),
    shipping_address: address.describe('Where orders are sent.').optional(),
    billing_address: address.describe('Where invoices are sent.').optional(),
    notes: text.nullable().describe('Remarks of the shop about the customer.').optional(),
    custom: json.describe('Any other data of the shop.').optional(),
    expenses: number(0, 1e9).describe('Total of all orders. Only the mock can set it. Default: 0.').optional(),
    orders_count: wholeNumber(0, 1e6).describe('Number of orders. Only the mock can set it. Default: 0.').optional(),
    ...times,
  }).refine(areInOrder, timesInOrder)
}

const maxJsonDepth = 32

function isJson(value: unknown, depth = 0): boolean {
  if (depth > maxJsonDepth) return false
  if (Array.isArray(value)) return value.every((it) => isJson(it, depth + 1))
  if (isObject(value))
    return Object.prototype.toString.call(value) === '[object Object]' && isJson(Object.values(value), depth)
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

function defineSegment(z: Z) {
  const { text, filled, tags, times, object } = types(z)
  const condition = object({
    operator: z
      .enum(['AND', 'OR'], 'must be "AND" or "OR"')
      .describe('Whether a customer needs all of the tags or one of them. Default: AND.')
      .optional(),
    tags: tags.describe('Tags, compared exactly.').optional(),
  }).nullable()
  return object({
    name: filled.describe('Name.'),
    description: text.nullable().describe('What the segment is for.').optional(),
    settings: object({
      include: condition.describe('Who belongs to the segment. Without tags: everybody.').optional(),
      exclude: condition.describe('Who does not, even if included. Without tags: nobody.').optional(),
    })
      .describe('Which customers belong to the segment. Default: all.')
      .optional(),
    ...times,
  }).refine(areInOrder, timesInOrder)
}

function defineStore(z: Z) {
  const { text, filled, flag, email, matching, longerThan, object } = types(z)
  const slug = matching(
    'lower-case letters, digits and single hyphens, such as little-oak',
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  ).max(100, longerThan(100))
  const language = matching('a language code such as en or pt-BR', /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/)
  const currency = matching('a currency code such as USD', /^[A-Z]{3}$/)
  return object({
    name: filled.describe('Name.'),
    slug: slug.describe('Short name in URLs, unique in the file. Default: made from the name.').optional(),
    lang: language.describe('Language. The API does not return it. Default: en.').optional(),
    currency: currency.describe("Currency of the prices. Default: the account's.").optional(),
    single_checkout_page: flag.describe('Whether the checkout is one page. Default: false.').optional(),
    email: email.describe("Address for customers' questions. Default: the account's.").optional(),
    legal_name: text.describe("Name of the company behind the store. Default: the account's.").optional(),
    address: text.describe('Postal address in one line.').optional(),
    refund_policy: text.nullable().describe('Terms of returning goods.').optional(),
    privacy_policy: text.nullable().describe('What happens to customer data.').optional(),
    terms_of_services: text.nullable().describe('Terms of use.').optional(),
    published: flag.describe('Whether customers see it. Only the mock can set it. Default: false.').optional(),
  })
}

function defineIntegration(z: Z) {
  const { filled, matching, longerThan, object } = types(z)
  const platform = matching('a platform in lower case such as snapchat', /^[a-z][a-z0-9_-]*$/).max(40, longerThan(40))
  return object({
    platform: platform
      .describe('Platform. Only the mock can set one other than facebook. Default: facebook.')
      .optional(),
    label: filled.describe('Name.'),
    pixels: z.array(filled, mustBeList).describe('Identifiers of its pixels.').optional(),
  })
}

function definePixels(z: Z) {
  const { filled, object } = types(z)
  const pixel = object({
    label: filled.describe('Name.'),
    value: filled.describe('Identifier of the pixel on its platform.'),
  })
  const list = (platform: string) => z.array(pixel, mustBeList).describe(`Pixels on ${platform}.`).optional()
  return object({
    facebook_pixels: list('Facebook'),
    snapchat_pixels: list('Snapchat'),
    tiktok_pixels: list('TikTok'),
  })
}

/** Mistakes that no field shows alone. Other fields may be wrong too, so nothing is known about the data. */
function* crossProblems(world: unknown, { counts, slugOf }: WorldRules): Generator<[(string | number)[], string]> {
  const list = (name: string): unknown[] => {
    const value = isObject(world) ? world[name] : undefined
    return Array.isArray(value) ? value : isObject(value) ? longest(Object.values(value)) : []
  }
  yield* duplicates(list('customers'), 'customers', 'email')
  const stores = list('stores').map((it) =>
    isObject(it) && it['slug'] === undefined && typeof it['name'] === 'string' ? { slug: slugOf(it['name']) } : it,
  )
  for (const [at, store] of stores.entries()) {
    if (isObject(store) && store['slug'] === '') {
      yield [['stores', at, 'slug'], 'is missing, and the name has no Latin letter or digit to make one from. Add it']
    }
  }
  yield* duplicates(stores, 'stores', 'slug')
  for (const [name, { max }] of Object.entries(counts)) {
    const generated = isObject(world) && isObject(world['counts']) ? Number(world['counts'][name] ?? 0) : 0
    const sum = list(name).length + generated
    if (list(name).length > 0 && sum > max)
      yield [[name], `can have at most ${max} with the generated ones, not ${sum}. Remove some`]
  }
}

const longest = (lists: readonly unknown[]): unknown[] =>
  lists.filter(Array.isArray).reduce<unknown[]>((a, b: unknown[]) => (b.length > a.length ? b : a), [])

function* duplicates(rows: readonly unknown[], list: string, field: string): Generator<[(string | number)[], string]> {
  const seen = new Map<string, number>()
  for (const [at, row] of rows.entries()) {
    const value = isObject(row) ? row[field] : undefined
    if (typeof value !== 'string' || value === '') continue
    const before = seen.get(value)
    if (before === undefined) seen.set(value, at)
    else yield [[list, at, field], `is the same as ${list}[${before}].${field}. Change one`]
  }
}
