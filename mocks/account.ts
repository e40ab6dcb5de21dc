/** The account: its names, settings and pixel lists. */
import { define, type RecordOf } from '../src/world/definition.js'
import type { World } from '../src/world/world.js'
import { takeValues, type Context } from './context.js'
import { pixelsFrom, pixelsOf, type Pixel, type PixelList } from './pixels.js'
import { places } from './data/places.js'
import { slugOf } from './data/slugs.js'
import { day } from './relative-time.js'
import { wholeSecond } from './times.js'
import { cleared } from './updates.js'

interface Stored extends Readonly<Record<PixelList, readonly Pixel[]>> {
  readonly account_name: string
  readonly slug: string
  readonly email: string | null
  readonly timezone: string
  readonly store_currency: string
  readonly created_at: number
  readonly updated_at: number
}

export type Account = RecordOf<Stored>

const names = ['Larkspur Trading', 'Fieldstone Goods', 'Blue Heron Supply', 'Copper Kettle Company', 'Westbrook Makers']

export const accounts = define<Stored>({
  name: 'Account',
  idPrefix: 'acc_',
  stored: {
    account_name: (rng) => rng.pick(names),
    slug: (_, row) => slugOf(row.account_name),
    email: (_, row) => `owner@${row.slug}.example`,
    timezone: (rng) => rng.pick(places).timezone,
    store_currency: () => 'USD',
    facebook_pixels: (_, __, birth) => pixelsOf('facebook_pixels', birth.randomSeed, birth.countOf('Pixel')),
    snapchat_pixels: (_, __, birth) => pixelsOf('snapchat_pixels', birth.randomSeed, birth.countOf('Pixel')),
    tiktok_pixels: (_, __, birth) => pixelsOf('tiktok_pixels', birth.randomSeed, birth.countOf('Pixel')),
    // The account is older than its first customer, who may be two years old.
    created_at: (rng, _, { start }) => wholeSecond(start - (2 * 365 + rng.between(10, 200)) * day),
    updated_at: (rng, _, { start }) => wholeSecond(start - rng.next() * 60 * day),
  },
  computed: {},
  keys: { _id: { value: (row) => row.index + 1, rank: 'index' } },
  stamp: 'updated_at',
})

/** The only account of a world. It cannot be deleted. */
export const accountOf = (world: World): Account => world.at(accounts, 0) as Account

interface Input extends Readonly<Partial<Record<PixelList, readonly (Pixel | null)[] | null>>> {
  readonly account_name?: string | null
  readonly slug?: string | null
  readonly email?: string | null
  readonly timezone?: string | null
  readonly store_currency?: string | null
}

export const accountResolvers = {
  Query: { account: (_: unknown, __: object, { world }: Context) => accountOf(world) },
  Mutation: {
    updateAccount(_: unknown, { node: input }: { node: Input }, { world }: Context) {
      const values = {
        account_name: cleared(input.account_name, ''),
        slug: cleared(input.slug, ''),
        email: input.email,
        timezone: cleared(input.timezone, ''),
        store_currency: cleared(input.store_currency, ''),
        facebook_pixels: pixelsFrom('facebook_pixels', input.facebook_pixels),
        snapchat_pixels: pixelsFrom('snapchat_pixels', input.snapchat_pixels),
        tiktok_pixels: pixelsFrom('tiktok_pixels', input.tiktok_pixels),
      }
      return world.patch(accounts, accountOf(world).index, values)
    },
  },
  Account: {
    facebook_pixels: (it: Account, _: object, context: Context) => takeValues(context, it.facebook_pixels),
    snapchat_pixels: (it: Account, _: object, context: Context) => takeValues(context, it.snapchat_pixels),
    tiktok_pixels: (it: Account, _: object, context: Context) => takeValues(context, it.tiktok_pixels),
  },
}
