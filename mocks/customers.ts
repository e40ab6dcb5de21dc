/** Customers. */
import { define, type RecordOf } from '../src/world/definition.js'
import { hashText } from '../src/world/rng.js'
import { fold } from '../src/world/text.js'
import { addressFrom, type Address } from './data/addresses.js'
import { pictureUrl, takeValues, type Context } from './context.js'
import { listing } from './listing.js'
import { rankOfFullName } from './data/names.js'
import { peopleOf } from './data/people.js'
import { remarks } from './data/remarks.js'
import { drawTags, groupOf } from './data/tags.js'
import { drawCreatedAt, drawUpdatedAt, timeKeys, timesOf, type WrittenTimes } from './times.js'
import { existing, nullsIn, refuseDuplicate, valuesFrom, type InputOf, type NamedRow } from './updates.js'

interface Stored {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string
  readonly accepts_marketing: boolean
  readonly orders_count: number
  readonly expenses: number
  readonly tags: readonly string[]
  readonly notes: string | null
  readonly shipping_address: Address | null
  readonly billing_address: Address | null
  readonly custom: object | null
  readonly created_at: number
  readonly updated_at: number
}

interface Derived {
  readonly full_name: string
  readonly location: string | null
  /** Undefined if the mock serves the picture. */
  readonly avatar: string | null | undefined
}

export type Customer = RecordOf<Stored, Derived>

/** The last word is the last name, unless it is the only one. */
function namesIn(fullName: string): Pick<Stored, 'first_name' | 'last_name'> {
  const words = fullName.trim().split(/\s+/)
  const last_name = words.length > 1 ? (words.pop() ?? '') : ''
  return { first_name: words.join(' '), last_name }
}

/** Letters from a hash of the name, for e-mail addresses of people whose names have no Latin letter. */
const lettersFor = (name: string): string =>
  Array.from({ length: 5 }, (_, at) => String.fromCharCode(97 + (hashText(name, at) % 26))).join('')

const recipientOf = ({ first_name, last_name }: Pick<Stored, 'first_name' | 'last_name'>) => ({ first_name, last_name })

export const customers = define<Stored, Derived>({
  name: 'Customer',
  idPrefix: 'cus_',
  stored: {
    first_name: (rng, row, origin) => peopleOf(origin, row.index).firstName(rng),
    last_name: (rng, row, origin) => peopleOf(origin, row.index).lastName(rng, row.first_name),
    // The number makes the address unique.
    email: (rng, row) => {
      const names = [row.first_name, row.last_name].map((name) => fold(name).replace(/[^a-z]/g, ''))
      const join = rng.pick(['.', '_', ''])
      return `${names.filter(Boolean).join(join) || `customer.${lettersFor(row.first_name + row.last_name)}`}${row.index + 1}@example.${rng.pick(['com', 'net', 'org'])}`
    },
    phone: (rng, row, origin) => peopleOf(origin, row.index).phone(rng, row.shipping_address),
    accepts_marketing: (rng) => rng.chance(0.55),
    // A fifth never ordered. Most of the others ordered a few times, some very often.
    orders_count: (rng) => (rng.chance(0.2) ? 0 : Math.min(60, 1 + Math.floor(-Math.log(1 - rng.next()) * 4.2))),
    expenses: (rng, row) => {
      const basket = rng.between(18_00, 60_00) + rng.between(0, 100_00) * rng.next()
      return Math.round(row.orders_count * basket) / 100
    },
    tags: drawTags,
    notes: (rng) => (rng.chance(0.3) ? rng.pick(remarks) : null),
    shipping_address: (rng, row, origin) => peopleOf(origin, row.index).address(rng, recipientOf(row)),
    billing_address: (rng, row, origin) =>
      rng.chance(0.8) ? row.shipping_address : peopleOf(origin, row.index).address(rng, recipientOf(row)),
    custom: (rng, row) => {
      const birthday = `${String(rng.between(1, 12)).padStart(2, '0')}-${String(rng.between(1, 28)).padStart(2, '0')}`
      return row.tags.includes('birthday-club') ? { birthday } : null
    },
    created_at: drawCreatedAt,
    updated_at: drawUpdatedAt,
  },
  computed: {
    full_name: {
      from: ['first_name', 'last_name'],
      value: (row) => [row.first_name, row.last_name].filter(Boolean).join(' '),
      parts: (name) => (typeof name === 'string' ? namesIn(name) : {}),
    },
    location: {
      from: ['shipping_address'],
      value: ({ shipping_address: at }) => [at?.city, at?.state, at?.country].filter(Boolean).join(', ') || null,
    },
    avatar: { from: [], value: () => undefined },
  },
  keys: {
    full_name: { value: (row) => row.full_name, rank: rankOfFullName, isRanked: ({ locales }) => !locales },
    expenses: { value: (row) => row.expenses, rank: (row) => Math.round(row.expenses * 100) },
    orders_count: { value: (row) => row.orders_count },
    ...timeKeys,
  },
  group: (row) => groupOf(row.tags),
  stamp: 'updated_at',
})

/** What createCustomer needs; with lenient inputs, a value is generated if it is omitted. */
const blankPerson = { email: '', phone: '', first_name: '', last_name: '' }

/** The other inputs of the mutations, with their defaults. */
const blankDetails: Pick<
  Stored,
  'accepts_marketing' | 'tags' | 'notes' | 'shipping_address' | 'billing_address' | 'custom'
> = {
  accepts_marketing: false,
  tags: [],
  notes: null,
  shipping_address: null,
  billing_address: null,
  custom: null,
}

const blank = { ...blankPerson, ...blankDetails }

interface Input extends Omit<InputOf<typeof blank>, 'shipping_address' | 'billing_address'> {
  readonly shipping_address?: Partial<Address> | null
  readonly billing_address?: Partial<Address> | null
}

/** A customer of a world file: the inputs of the mutations, and values that no mutation sets. */
export interface CustomerRow
  extends Input, WrittenTimes, NamedRow, InputOf<Pick<Stored & Derived, 'expenses' | 'orders_count' | 'avatar'>> {}

function storedFrom({ shipping_address: shipping, billing_address: billing, ...input }: Input): Partial<Stored> {
  const addresses = {
    shipping_address: shipping && addressFrom(shipping),
    billing_address: billing && addressFrom(billing),
  }
  return valuesFrom(Object.assign(addresses, input), blank)
}

/** The values of a row of a world file: blank if missing, with generated times if it has none. */
export const customerOf = (row: CustomerRow, start: number) => ({
  ...blank,
  expenses: 0,
  orders_count: 0,
  ...storedFrom(row),
  ...valuesFrom(row, { expenses: 0, orders_count: 0, avatar: '' }),
  ...nullsIn(row),
  ...timesOf(row, start),
})

export const customerResolvers = {
  Query: { customers: listing('customers', customers) },
  Mutation: {
    createCustomer(_: unknown, { node: input }: { node: Input }, context: Context) {
      const values = storedFrom(input)
      refuseDuplicate(context, customers, 'email', values.email)
      const now = context.world.clock.now()
      const rest = { created_at: now, updated_at: now, expenses: 0, orders_count: 0 }
      return context.world.create(customers, Object.assign(rest, blankDetails, values))
    },
    updateCustomer(_: unknown, { id, node: input }: { id: string; node: Input }, context: Context) {
      const customer = existing(context, customers, id)
      const values = storedFrom(input)
      refuseDuplicate(context, customers, 'email', values.email, customer)
      return context.world.patch(customers, customer.index, values)
    },
  },
  Customer: {
    avatar: (customer: Customer, _: unknown, context: Context) =>
      customer.avatar === undefined ? pictureUrl(context, 'avatars', customer.id) : customer.avatar,
    tags: (customer: Customer, _: unknown, context: Context) => takeValues(context, customer.tags),
  },
}
