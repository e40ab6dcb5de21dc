/** The format of world files: the zod definition that validates them. */
import * as z from 'zod'
import { countRules } from '../../../mocks/counts.js'
import { addressFields } from '../../../mocks/data/addresses.js'
import { slugOf } from '../../../mocks/data/slugs.js'
import { pixelLists } from '../../../mocks/pixels.js'
import { readInstant, readTime, timeForms } from '../../shared/time.js'
import { isObject } from '../../shared/json.js'

type Shape = Readonly<Record<string, z.ZodType>>

const text = z.string()
const filled = text.min(1, 'must not be empty')
const words = z.array(filled)
const flag = z.boolean()
const matching = (expected: string, pattern: RegExp) => text.regex(pattern, `must be ${expected}`)
// A quoted local part may hold blanks and @.
const email = matching('an e-mail address such as ada@example.com', /^\S(?:.*\S)?@[^\s@]+$/).max(254)

export const instant = text.refine(
  (it) => readInstant(it) !== undefined,
  'must be an instant such as 2026-01-31T12:00:00Z',
)

/** An identifier of a record that a file chooses. */
export const ownId = matching('1 to 64 letters, digits, hyphens or underscores', /^[\w-]{1,64}$/)

/** Optional fields of one type. */
const each = <Type extends z.ZodType>(names: readonly string[], type: Type) =>
  Object.fromEntries(names.map((it) => [it, type]))

/** An object of these keys only. */
const object = <Required extends Shape, Optional extends Shape>(required: Required, optional: Optional) =>
  z.strictObject({ ...required, ...z.object(optional).partial().shape })

/** Where a world starts that is not made yet. */
const anyNow = Date.UTC(3000, 0)

const time = text.refine((it) => readTime(it, anyNow) !== undefined, `must be ${timeForms}`)

/** An object with the times of a record. */
const record = <Required extends Shape, Optional extends Shape>(required: Required, optional: Optional) =>
  object(required, { id: ownId, ...optional, created_at: time.nullable(), updated_at: time.nullable() }).refine(
    areInOrder,
    { path: ['updated_at'], error: 'needs a created_at that is not later. Give both, or neither' },
  )

function areInOrder(row: object): boolean {
  const { created_at: created, updated_at: updated } = row as Readonly<Record<string, string | null | undefined>>
  if (typeof updated !== 'string' || created === null) return true
  if (created === undefined) return false
  // An instant and a relative time are compared by nobody: the world may start at any time.
  const isMixed = (readInstant(created) === undefined) !== (readInstant(updated) === undefined)
  return isMixed || Number(readTime(created, anyNow)) <= Number(readTime(updated, anyNow))
}

const address = object({}, each(addressFields, text.nullable())).nullable()

const customer = record(
  { email: email.nullable() },
  {
    phone: text.nullable(),
    first_name: text.nullable(),
    last_name: text.nullable(),
    accepts_marketing: flag.nullable(),
    tags: words.nullable(),
    shipping_address: address,
    billing_address: address,
    notes: text.nullable(),
    custom: z.record(text, z.json()).nullable(),
    expenses: z.number().min(0).max(1e9).nullable(),
    orders_count: z.int().min(0).max(1e6).nullable(),
    avatar: text.nullable(),
  },
)

const condition = object({}, { operator: z.enum(['AND', 'OR']), tags: words }).nullable()

const segment = record(
  { name: filled },
  { description: text.nullable(), settings: object({}, { include: condition, exclude: condition }).nullable() },
)

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const store = object(
  { name: filled },
  {
    id: ownId,
    slug: matching('lower-case letters, digits and single hyphens, such as little-oak', slugForm).max(100),
    lang: matching('a language code such as en or pt-BR', /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/),
    currency: matching('a currency code such as USD', /^[A-Z]{3}$/),
    single_checkout_page: flag.nullable(),
    email: email.nullable(),
    legal_name: text.nullable(),
    address: text.nullable(),
    refund_policy: text.nullable(),
    privacy_policy: text.nullable(),
    terms_of_services: text.nullable(),
    published: flag.nullable(),
    products_uids: words.nullable(),
  },
).refine(({ name, slug }) => slug !== undefined || slugOf(name) !== '', {
  path: ['slug'],
  error: 'is missing, and the name has no Latin letter or digit to make one from. Add it',
})

const platform = matching('a platform in lower case such as snapchat', /^[a-z][a-z0-9_-]*$/).max(40)

const integration = object({ label: filled }, { id: ownId, platform, pixels: words.nullable() })

const counts = Object.entries(countRules).map(([name, { max }]) => [name, z.int().min(0).max(max)] as const)

/** A world file as it is written. */
export const worldDefinition = object(
  {},
  {
    $schema: text,
    about: text,
    locale: matching('locales of faker such as de or de, fr', /^[A-Za-z_-]+(?:[ ,]+[A-Za-z_-]+)*$/),
    now: instant,
    seed: z.int(),
    counts: object({}, Object.fromEntries(counts)),
    customers: z.array(customer),
    segments: z.array(segment),
    stores: z.array(store),
    integrations: z.array(integration),
    pixels: object({}, each(pixelLists, z.array(object({ label: filled, value: filled }, {})))),
  },
).superRefine(
  (data: unknown, { addIssue }) => {
    const refuseSame = (list: string, field: string, valueOf: (row: Row) => unknown) => {
      const rows = isObject(data) && Array.isArray(data[list]) ? (data[list] as unknown[]) : []
      const values = rows.map((row) => (isObject(row) ? valueOf(row) : undefined))
      for (const [at, value] of values.entries()) {
        const before = values.indexOf(value)
        const message = `is the same as ${list}[${before}].${field}. Change one`
        if (typeof value === 'string' && value !== '' && before < at)
          addIssue({ code: 'custom', path: [list, at, field], message })
      }
    }
    refuseSame('customers', 'email', ({ email }) => email)
    for (const list of ['customers', 'segments', 'stores', 'integrations']) refuseSame(list, 'id', ({ id }) => id)
    refuseSame('stores', 'slug', ({ name, slug }) => slug ?? slugOf(String(name)))
  },
  // Also if fields are wrong, so that all mistakes are reported at once.
  { when: () => true },
)

type Row = Readonly<Record<string, unknown>>
