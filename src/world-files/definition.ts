/** The format of world files: one zod definition that validates them and makes their JSON Schema. */
import type { z as Zod } from 'zod'
import { isObject } from '../shared/is-object.js'
import { readInstant } from '../shared/instant.js'

type Shape = Readonly<Record<string, Zod.ZodType>>

/** What the service decides about its worlds. */
export interface WorldRules {
  readonly counts: Readonly<Record<string, { readonly default: number; readonly max: number }>>
  readonly addressFields: readonly string[]
  readonly pixelLists: readonly string[]
  /** The slug that a store without one gets from its name. */
  readonly slugOf: (name: string) => string
}

/** A world file as it is written. Takes zod as an argument, so that only those who read a file load it. */
export function defineWorldFile(z: typeof Zod, rules: WorldRules) {
  const types = createTypes(z)
  const { text, wholeNumber, list, object } = types
  const counts = Object.entries(rules.counts).map(([name, { default: usual, max }]) => {
    const rows = name === 'products' ? '' : `, or 0 if the file lists ${name}`
    return [name, wholeNumber(0, max).describe(`Number of generated ${name}. Default: ${usual}${rows}.`)]
  })
  return object({
    $schema: text.describe('Path of the JSON Schema of this file, for editors.'),
    about: text.describe('What this world is for.'),
    seed: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).describe(
      'Decides every generated value, unless --seed is given.',
    ),
    counts: object(Object.fromEntries(counts)).describe(
      'Numbers of generated records, besides those listed below. Pixels: in each list.',
    ),
    customers: list(defineCustomer(types, rules)).describe('Customers.'),
    segments: list(defineSegment(types)).describe('Segments.'),
    stores: list(defineStore(types, rules)).describe('Stores.'),
    integrations: list(defineIntegration(types)).describe('Integrations. A world file holds no Facebook token.'),
    pixels: definePixels(types, rules).describe('Tracking pixels of the account.'),
  }).superRefine(
    (world: unknown, { addIssue }) => {
      const slugOf = (store: Row) => store['slug'] ?? rules.slugOf(String(store['name']))
      for (const [path, message] of [
        ...duplicates(world, 'customers', 'email', (it) => it['email']),
        ...duplicates(world, 'stores', 'slug', slugOf),
      ])
        addIssue({ code: 'custom', path, message })
    },
    { when: always },
  )
}

/** Lets a rule about several fields run even if some are wrong, so that all mistakes are reported at once. */
const always = () => true

/** The types of fields. Messages begin with a predicate; `mistakes.ts` words those of plain types. */
function createTypes(z: typeof Zod) {
  const text = z.string()
  const matching = (expected: string, pattern: RegExp) => text.regex(pattern, `must be ${expected}`)
  const number = (min: number, max: number, type: (error: string) => Zod.ZodNumber = z.number, what = 'number') => {
    const error = `must be a ${what} from ${min} to ${max}`
    return type(error).min(min, error).max(max, error)
  }
  /** An object of these keys only. All are optional, except the required ones. */
  const object = (shape: Shape, required: readonly string[] = []) =>
    z.strictObject(
      Object.fromEntries(
        Object.entries(shape).map(([key, type]) => [key, required.includes(key) ? type : type.optional()]),
      ),
    )
  const expected = 'an instant such as 2026-01-31T12:00:00Z'
  const iso = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/
  const instant = matching(expected, iso).refine((it) => readInstant(it) !== undefined, `must be ${expected}`)
  const times = {
    created_at: instant.describe('When it was created: ISO 8601, UTC unless it has an offset. Default: generated.'),
    updated_at: instant.describe('When it was last changed. Default: created_at, or generated with it.'),
  }
  return {
    text,
    filled: text.min(1, 'must be a non-empty string'),
    matching,
    number,
    wholeNumber: (min: number, max: number) => number(min, max, z.int, 'whole number'),
    flag: z.boolean(),
    operator: z.enum(['AND', 'OR'], 'must be "AND" or "OR"'),
    // A quoted local part may hold blanks and @.
    email: matching('an e-mail address such as ada@example.com', /^\S(?:.*\S)?@[^\s@]+$/).max(254),
    json: z.record(text, z.unknown()).refine(isJson, `must hold only JSON values, at most ${maxJsonDepth} levels deep`),
    list: (type: Zod.ZodType) => z.array(type),
    object,
    /** An object with the times of a record. */
    record: (shape: Shape, required: readonly string[]) =>
      object({ ...shape, ...times }, required).refine(areInOrder, {
        path: ['updated_at'],
        when: always,
        error: 'needs a created_at that is not later. Give both, or neither',
      }),
  }
}

type Types = ReturnType<typeof createTypes>
type Row = Readonly<Record<string, unknown>>

function areInOrder(row: unknown): boolean {
  const [created, updated] = ['created_at', 'updated_at'].map((it) => readInstant(String(isObject(row) && row[it])))
  return updated === undefined || (created !== undefined && created <= updated)
}

const maxJsonDepth = 32

function isJson(value: unknown, depth = 0): boolean {
  if (depth > maxJsonDepth) return false
  if (Array.isArray(value)) return value.every((it) => isJson(it, depth + 1))
  if (isObject(value)) return !(value instanceof Date) && isJson(Object.values(value), depth)
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

function defineCustomer(types: Types, { addressFields }: WorldRules) {
  const { text, filled, flag, email, number, wholeNumber, json, list, object, record } = types
  const parts = addressFields.map((it) => [it, text.nullable().describe(`Part of the address: ${it}.`)])
  const address = object(Object.fromEntries(parts)).nullable()
  return record(
    {
      email: email.describe('E-mail address, unique in the file.'),
      phone: text.describe('Phone number.'),
      first_name: text.describe('First name.'),
      last_name: text.describe('Last name.'),
      accepts_marketing: flag.describe('Whether the customer agreed to receive advertising. Default: false.'),
      tags: list(filled).describe('Tags, which segments refer to.'),
      shipping_address: address.describe('Where orders are sent.'),
      billing_address: address.describe('Where invoices are sent.'),
      notes: text.nullable().describe('Notes of the shop about the customer.'),
      custom: json.nullable().describe('Any other data of the shop.'),
      expenses: number(0, 1e9).describe('Total of all orders. Only the mock can set it. Default: 0.'),
      orders_count: wholeNumber(0, 1e6).describe('Number of orders. Only the mock can set it. Default: 0.'),
    },
    ['email'],
  )
}

function defineSegment({ text, filled, operator, list, object, record }: Types) {
  const condition = object({
    operator: operator.describe('Whether a customer needs all of the tags or one of them. Default: AND.'),
    tags: list(filled).describe('Tags, compared exactly.'),
  }).nullable()
  const settings = object({
    include: condition.describe('Who belongs to the segment. Without tags: everybody.'),
    exclude: condition.describe('Who does not, even if included. Without tags: nobody.'),
  })
  return record(
    {
      name: filled.describe('Name.'),
      description: text.nullable().describe('What the segment is for.'),
      settings: settings.describe('Which customers belong to the segment. Default: all.'),
    },
    ['name'],
  )
}

function defineStore({ text, filled, flag, email, matching, object }: Types, { slugOf }: WorldRules) {
  const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
  const slug = matching('lower-case letters, digits and single hyphens, such as little-oak', slugForm).max(100)
  const language = matching('a language code such as en or pt-BR', /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/)
  const currency = matching('a currency code such as USD', /^[A-Z]{3}$/)
  const store = object(
    {
      name: filled.describe('Name.'),
      slug: slug.describe('Short name in URLs, unique in the file. Default: made from the name.'),
      lang: language.describe('Language. The API does not return it. Default: en.'),
      currency: currency.describe("Currency of the prices. Default: the account's."),
      single_checkout_page: flag.describe('Whether the checkout is one page. Default: false.'),
      email: email.describe("Address for customers' questions. Default: the account's."),
      legal_name: text.describe("Name of the company behind the store. Default: the account's."),
      address: text.describe('Postal address in one line.'),
      refund_policy: text.nullable().describe('Terms of returning goods.'),
      privacy_policy: text.nullable().describe('What happens to customer data.'),
      terms_of_services: text.nullable().describe('Terms of use.'),
      published: flag.describe('Whether customers see it. Only the mock can set it. Default: false.'),
    },
    ['name'],
  )
  return store.refine((it) => it['slug'] !== undefined || slugOf(String(it['name'])) !== '', {
    path: ['slug'],
    error: 'is missing, and the name has no Latin letter or digit to make one from. Add it',
  })
}

function defineIntegration({ filled, matching, list, object }: Types) {
  const platform = matching('a platform in lower case such as snapchat', /^[a-z][a-z0-9_-]*$/).max(40)
  return object(
    {
      platform: platform.describe('Only the mock can set one other than facebook. Default: facebook.'),
      label: filled.describe('Name.'),
      pixels: list(filled).describe('Identifiers of its pixels.'),
    },
    ['label'],
  )
}

function definePixels({ filled, list, object }: Types, { pixelLists }: WorldRules) {
  const pixel = object(
    { label: filled.describe('Name.'), value: filled.describe('Identifier of the pixel on its platform.') },
    ['label', 'value'],
  )
  return object(Object.fromEntries(pixelLists.map((it) => [it, list(pixel).describe(`Pixels: ${it}.`)])))
}

/** Rows of a list with the same value. Other fields may be wrong too, so nothing is known about the data. */
function* duplicates(
  world: unknown,
  list: string,
  field: string,
  valueOf: (row: Row) => unknown,
): Generator<[(string | number)[], string]> {
  const rows: unknown = isObject(world) ? world[list] : undefined
  const seen = new Map<unknown, number>()
  for (const [at, row] of (Array.isArray(rows) ? rows : []).entries()) {
    const value = isObject(row) ? valueOf(row) : undefined
    if (typeof value !== 'string' || value === '') continue
    const before = seen.get(value)
    if (before === undefined) seen.set(value, at)
    else yield [[list, at, field], `is the same as ${list}[${before}].${field}. Change one`]
  }
}
