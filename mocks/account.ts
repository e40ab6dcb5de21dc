/** The account: its names, settings and pixel lists. */
import { define, type RecordOf } from '../src/world/definition.js'
import type { World } from '../src/world/world.js'
import { takeValues, type Context } from './context.js'
import { checkPixels, pixelLists, pixelsOf, type Pixel, type PixelList } from './pixels.js'
import { places } from './data/places.js'
import { slugOf } from './data/slugs.js'
import { day } from './relative-time.js'
import { wholeSecond } from './times.js'
import { valuesFrom, type InputOf } from './updates.js'

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
    facebook_pixels: (_, __, origin) => pixelsOf('facebook_pixels', origin),
    snapchat_pixels: (_, __, origin) => pixelsOf('snapchat_pixels', origin),
    tiktok_pixels: (_, __, origin) => pixelsOf('tiktok_pixels', origin),
    // The account is older than its first customer, who may be two years old.
    created_at: (rng, _, { start }) => wholeSecond(start - (2 * 365 + rng.between(10, 200)) * day),
    updated_at: (rng, _, { start }) => wholeSecond(start - rng.next() * 60 * day),
  },
  stamp: 'updated_at',
})

/** The only account of a world. It cannot be deleted. */
export const accountOf = (world: World): Account => world.at(accounts, 0) as Account

/** The inputs of updateAccount, with what null stands for. */
const cleared: Omit<Stored, 'created_at' | 'updated_at'> = {
  account_name: '',
  slug: '',
  email: null,
  timezone: '',
  store_currency: '',
  facebook_pixels: [],
  snapchat_pixels: [],
  tiktok_pixels: [],
}

export const accountResolvers = {
  Query: { account: (_: unknown, __: object, { world }: Context) => accountOf(world) },
  Mutation: {
    updateAccount(_: unknown, { node: input }: { node: InputOf<typeof cleared> }, { world }: Context) {
      for (const list of pixelLists) checkPixels(list, input[list])
      return world.patch(accounts, accountOf(world).index, valuesFrom(input, cleared))
    },
  },
  Account: Object.fromEntries(
    pixelLists.map((list) => [list, (it: Account, _: object, context: Context) => takeValues(context, it[list])]),
  ),
}
