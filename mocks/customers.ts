/** Customers: who they are, how they are listed, created and changed. */
import { define } from '../src/world/definition.js'
import type { Entity } from '../src/world/world.js'
import { serviceError } from '../src/shared/service-error.js'
import { quote } from '../src/shared/quote.js'
import { addressFrom, drawAddress, type Address } from './data/addresses.js'
import { pictureUrl, takeValues, type Context } from './context.js'
import { listing } from './listing.js'
import { firstNames, lastNames, rankOfFullName } from './data/names.js'
import { placeOfCity } from './data/places.js'
import { drawTags, groupOf } from './data/tags.js'
import { drawCreatedAt, drawUpdatedAt, timeFields, timeKeys, timesOf, type Times } from './times.js'
import { cleared, existing, holderOf, sent } from './updates.js'

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
  /** An address of a picture that somebody set; null where the mock draws one. */
  readonly avatar: string | null
}

export type Customer = Entity<Stored, Derived>

const remarks = [
  'Asked to ring the bell twice; it is hard to hear.',
  'Prefers delivery after six in the evening.',
  'Wants all parcels of an order in one delivery.',
  'Leaves packages with the neighbour on the left.',
  'Asked on the phone how long a delivery takes.',
  'Allergic to wool, asks about materials.',
  'Likes handwritten cards with gifts.',
]

export const customers = define<Stored, Derived>({
  name: 'Customer',
  idPrefix: 'cus_',
  stored: {
    first_name: (draw) => draw.pick(firstNames.names),
    last_name: (draw) => draw.pick(lastNames.names),
    // The number keeps the address apart from that of a namesake.
    email: (draw, row) => {
      const [first, last] = [row.first_name, row.last_name].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
      const join = draw.pick(['.', '_', ''])
      return `${first}${join}${last}${row.index + 1}@example.${draw.pick(['com', 'net', 'org'])}`
    },
    // 555-0100 to 555-0199 belong to nobody.
    phone: (draw, row) => {
      const { areaCode } = placeOfCity(row.shipping_address?.city)
      return `+1 ${areaCode}-555-01${String(draw.between(0, 99)).padStart(2, '0')}`
    },
    accepts_marketing: (draw) => draw.chance(0.55),
    // A fifth never ordered; of the others most ordered a few times, some very often.
    orders_count: (draw) => (draw.chance(0.2) ? 0 : Math.min(60, 1 + Math.floor(-Math.log(1 - draw.next()) * 4.2))),
    expenses: (draw, row) => {
      const basket = draw.between(18_00, 60_00) + draw.between(0, 100_00) * draw.next()
      return Math.round(row.orders_count * basket) / 100
    },
    tags: (draw, row) => drawTags(draw, row),
    notes: (draw) => (draw.chance(0.3) ? draw.pick(remarks) : null),
    shipping_address: (draw, row) => drawAddress(draw, { first_name: row.first_name, last_name: row.last_name }),
    billing_address: (draw, row) =>
      draw.chance(0.8)
        ? row.shipping_address
        : drawAddress(draw, { first_name: row.first_name, last_name: row.last_name }),
    custom: (draw, row) => {
      const birthday = `${String(draw.between(1, 12)).padStart(2, '0')}-${String(draw.between(1, 28)).padStart(2, '0')}`
      return row.tags.includes('birthday-club') ? { birthday } : null
    },
    created_at: drawCreatedAt,
    updated_at: drawUpdatedAt,
  },
  computed: {
    full_name: {
      from: ['first_name', 'last_name'],
      value: (row) => [row.first_name, row.last_name].filter(Boolean).join(' '),
    },
    location: {
      from: ['shipping_address'],
      value: ({ shipping_address: at }) => [at?.city, at?.state, at?.country].filter(Boolean).join(', ') || null,
    },
    avatar: { from: [], value: () => null },
  },
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    full_name: { value: (row) => row.full_name, rank: rankOfFullName },
    expenses: { value: (row) => row.expenses, rank: (row) => Math.round(row.expenses * 100) },
    orders_count: { value: (row) => row.orders_count },
    ...timeKeys,
  },
  group: (row) => groupOf(row.tags),
  stamp: 'updated_at',
})

interface Input {
  readonly email?: string | null
  readonly phone?: string | null
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly accepts_marketing?: boolean | null
  readonly tags?: readonly string[] | null
  readonly shipping_address?: Partial<Address> | null
  readonly billing_address?: Partial<Address> | null
  readonly notes?: string | null
  readonly custom?: object | null
}

/** What is not sent when a customer is made. The rest is required, or drawn under lenient inputs. */
const blank = {
  accepts_marketing: false,
  tags: [],
  notes: null,
  shipping_address: null,
  billing_address: null,
  custom: null,
  expenses: 0,
  orders_count: 0,
} satisfies Partial<Stored>

/** A customer of a world file: what the API takes, and what only orders and time bring. */
export interface CustomerRow extends Input, Partial<Pick<Stored, 'expenses' | 'orders_count' | keyof Times>> {}

const blankRow = { ...blank, email: '', phone: '', first_name: '', last_name: '' }

/** The values of a row of a world file. What it leaves out is empty, the times are drawn. */
export const customerOf = ({ expenses, orders_count, ...row }: CustomerRow) =>
  sent(Object.assign(storedFrom(row), { expenses, orders_count }, timesOf(row)), blankRow)

const storedFrom = (input: Input) => ({
  email: cleared(input.email, ''),
  phone: cleared(input.phone, ''),
  first_name: cleared(input.first_name, ''),
  last_name: cleared(input.last_name, ''),
  accepts_marketing: cleared(input.accepts_marketing, false),
  tags: cleared(input.tags, []),
  shipping_address: input.shipping_address === undefined ? undefined : addressFrom(input.shipping_address),
  billing_address: input.billing_address === undefined ? undefined : addressFrom(input.billing_address),
  notes: input.notes,
  custom: input.custom,
})

function refuseSameEmail(context: Context, email: string | undefined, own?: Customer): void {
  if (context.profile.same_email === 'allow') return
  const other = holderOf(context, customers, 'email', email, own)
  if (!other) return
  throw serviceError(
    'DUPLICATE',
    `Customer ${other.id} has the e-mail address ${quote(other.email)} already. Use another, or update that customer.`,
    'errors_duplicated_customer_email',
  )
}

export const customerResolvers = {
  Query: { customers: listing('customers', customers) },
  Mutation: {
    createCustomer(_: unknown, { node: input }: { node: Input }, context: Context) {
      const values = storedFrom(input)
      refuseSameEmail(context, values.email)
      const now = context.world.clock.now()
      return context.world.create(customers, sent(values, { created_at: now, updated_at: now, ...blank }))
    },
    updateCustomer(_: unknown, { id, node: input }: { id: string; node: Input }, context: Context) {
      const customer = existing(context, customers, id)
      const values = storedFrom(input)
      refuseSameEmail(context, values.email, customer)
      return context.world.patch(customers, customer.index, values)
    },
  },
  Customer: {
    ...timeFields,
    avatar: (customer: Customer, _: unknown, context: Context) =>
      customer.avatar ?? pictureUrl(context, 'avatars', customer.id),
    tags: (customer: Customer, _: unknown, context: Context) => takeValues(context, customer.tags),
  },
}
