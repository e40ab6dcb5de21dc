/** The account: its names and its pixel lists. What belongs to it is in the files of stores and integrations. */
import { define } from '../src/world/definition.js'
import type { Entity, World } from '../src/world/world.js'
import { takeValues, type Context } from './context.js'
import { pixelsFrom, pixelsOf, type Pixel, type PixelList } from './pixels.js'
import { places } from './data/places.js'
import { slugOf } from './data/slugs.js'
import { day } from './relative-time.js'
import { timeFields, wholeSecond } from './times.js'
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

export type Account = Entity<Stored>

const names = ['Larkspur Trading', 'Fieldstone Goods', 'Blue Heron Supply', 'Copper Kettle Company', 'Westbrook Makers']

export const accounts = define<Stored>({
  name: 'Account',
  idPrefix: 'acc_',
  stored: {
    account_name: (draw) => draw.pick(names),
    slug: (_, row) => slugOf(row.account_name),
    email: (_, row) => `owner@${row.slug}.example`,
    timezone: (draw) => draw.pick(places).timezone,
    store_currency: () => 'USD',
    facebook_pixels: (_, __, birth) => pixelsOf('facebook_pixels', birth.randomSeed, birth.countOf('Pixel')),
    snapchat_pixels: (_, __, birth) => pixelsOf('snapchat_pixels', birth.randomSeed, birth.countOf('Pixel')),
    tiktok_pixels: (_, __, birth) => pixelsOf('tiktok_pixels', birth.randomSeed, birth.countOf('Pixel')),
    // Older than everything in it: the first customer may be two years old.
    created_at: (draw, _, { start }) => wholeSecond(start - (2 * 365 + draw.between(10, 200)) * day),
    updated_at: (draw, _, { start }) => wholeSecond(start - draw.next() * 60 * day),
  },
  computed: {},
  keys: { _id: { value: (row) => row.index + 1, rank: 'index' } },
  stamp: 'updated_at',
})

/** The one account of a world. Nothing deletes it. */
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
    ...timeFields,
    facebook_pixels: (it: Account, _: object, context: Context) => takeValues(context, it.facebook_pixels),
    snapchat_pixels: (it: Account, _: object, context: Context) => takeValues(context, it.snapchat_pixels),
    tiktok_pixels: (it: Account, _: object, context: Context) => takeValues(context, it.tiktok_pixels),
  },
}
