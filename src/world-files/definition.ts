/** The format of world files: the zod definition that validates them. */
import * as z from 'zod'
import { readInstant, readTime } from '../shared/time.js'
import { isObject } from '../shared/json.js'

/** What the service decides about its worlds. */
export interface WorldRules {
  readonly counts: Readonly<Record<string, { readonly max: number }>>
  readonly addressFields: readonly string[]
  readonly pixelLists: readonly string[]
  /** The slug that a store without one gets from its name. */
  readonly slugOf: (name: string) => string
}

type Types = ReturnType<typeof createTypes>

/** A world file as it is written. */
export function defineWorldFile(rules: WorldRules) {
  const types = createTypes()
  const { text, object, wholeNumber, each } = types
  const counts = Object.entries(rules.counts).map(([name, { max }]) => [name, wholeNumber(0, max)] as const)
  const world = object(
    {},
    {
      $schema: text,
      about: text,
      locale: types.matching('locales of faker such as de or de, fr', /^[A-Za-z_-]+(?:[ ,]+[A-Za-z_-]+)*$/),
      now: types.instant,
      seed: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      counts: object({}, Object.fromEntries(counts)),
      customers: z.array(defineCustomer(types, rules)),
      segments: z.array(defineSegment(types)),
      stores: z.array(defineStore(types, rules)),
      integrations: z.array(defineIntegration(types)),
      pixels: object({}, each(rules.pixelLists, z.array(object({ label: types.filled, value: types.filled })))),
    },
  )
  return world.superRefine(
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
      refuseSame('stores', 'slug', ({ name, slug }) => slug ?? rules.slugOf(String(name)))
    },
    // Also if fields are wrong, so that all mistakes are reported at once.
    { when: () => true },
  )
}

type Row = Readonly<Record<string, unknown>>

export const instant = z
  .string()
  .refine((it) => readInstant(it) !== undefined, 'must be an instant such as 2026-01-31T12:00:00Z')

/** An identifier of a record that a file chooses. */
export const ownId = z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')

/** The types of fields. */
function createTypes() {
  type Shape = Readonly<Record<string, z.ZodType>>
  const text = z.string()
  const filled = text.min(1, 'must not be empty')
  const matching = (expected: string, pattern: RegExp) => text.regex(pattern, `must be ${expected}`)
  /** An object of these keys only. */
  const object = <Required extends Shape, Optional extends Shape>(required: Required, optional?: Optional) =>
    z.strictObject({ ...required, ...z.object(optional ?? ({} as Optional)).partial().shape })
  const time = text.refine(
    (it) => readTime(it, anyNow) !== undefined,
    'must be a time such as 2026-01-31T12:00:00Z, "3 days ago" or -3d',
  )
  return {
    text,
    filled,
    matching,
    wholeNumber: (min: number, max: number) => z.int().min(min).max(max),
    number: (min: number, max: number) => z.number().min(min).max(max),
    flag: z.boolean(),
    operator: z.enum(['AND', 'OR']),
    // A quoted local part may hold blanks and @.
    email: matching('an e-mail address such as ada@example.com', /^\S(?:.*\S)?@[^\s@]+$/).max(254),
    custom: z.record(text, z.json()),
    words: z.array(filled),
    instant,
    id: ownId,
    object,
    /** Optional fields of one type. */
    each: <Type extends z.ZodType>(names: readonly string[], type: Type) =>
      Object.fromEntries(names.map((it) => [it, type])),
    /** An object with the times of a record. */
    record: <Required extends Shape, Optional extends Shape>(required: Required, optional: Optional) =>
      object(required, { id: ownId, ...optional, created_at: time.nullable(), updated_at: time.nullable() }).refine(
        areInOrder,
        {
          path: ['updated_at'],
          error: 'needs a created_at that is not later. Give both, or neither',
        },
      ),
  }
}

/** Where a world starts that is not made yet. */
const anyNow = Date.UTC(3000, 0)

function areInOrder(row: object): boolean {
  const { created_at: created, updated_at: updated } = row as Readonly<Record<string, string | null | undefined>>
  if (typeof updated !== 'string' || created === null) return true
  if (created === undefined) return false
  // An instant and a relative time are compared by nobody: the world may start at any time.
  const isMixed = (readInstant(created) === undefined) !== (readInstant(updated) === undefined)
  return isMixed || Number(readTime(created, anyNow)) <= Number(readTime(updated, anyNow))
}

function defineCustomer(
  { text, flag, email, number, wholeNumber, custom, words, object, record, each }: Types,
  { addressFields }: WorldRules,
) {
  const address = object({}, each(addressFields, text.nullable())).nullable()
  return record(
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
      custom: custom.nullable(),
      expenses: number(0, 1e9).nullable(),
      orders_count: wholeNumber(0, 1e6).nullable(),
      avatar: text.nullable(),
    },
  )
}

function defineSegment({ text, filled, operator, words, object, record }: Types) {
  const condition = object({}, { operator, tags: words }).nullable()
  const settings = object({}, { include: condition, exclude: condition })
  return record({ name: filled }, { description: text.nullable(), settings: settings.nullable() })
}

function defineStore({ id, text, filled, words, flag, email, matching, object }: Types, { slugOf }: WorldRules) {
  const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
  const store = object(
    { name: filled },
    {
      id,
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
  )
  return store.refine(({ name, slug }) => slug !== undefined || slugOf(name) !== '', {
    path: ['slug'],
    error: 'is missing, and the name has no Latin letter or digit to make one from. Add it',
  })
}

function defineIntegration({ id, filled, matching, words, object }: Types) {
  const platform = matching('a platform in lower case such as snapchat', /^[a-z][a-z0-9_-]*$/).max(40)
  return object({ label: filled }, { id, platform, pixels: words.nullable() })
}
