/** Products: the catalog that stores are filled from. */
import { define, type RecordOf } from '../src/world/definition.js'
import { goods, styles, type Good } from './data/goods.js'
import { inSeedOrder } from './data/seed-order.js'
import { slugOf } from './data/slugs.js'

interface Stored {
  readonly title: string
  readonly price: number
  readonly compare_at_price: number
  readonly reviews_value: number
  readonly slug: string
  /** Null if the mock serves the picture. */
  readonly thumbnail: string | null
}

export type Product = RecordOf<Stored>

/** Every plausible title. A larger catalog repeats them; the slug is unique. */
const titles = goods.flatMap(({ name, materials }) =>
  materials.flatMap((material) => styles.map((style) => `${style} ${material} ${name}`)),
)
const titleAt = inSeedOrder('Product', titles)

/** A title that `mock.create` was given can be of another kind. */
const goodOf = (title: string) => goods.find(({ name }) => title.endsWith(name)) ?? (goods[0] as Good)

export const products = define<Stored>({
  name: 'Product',
  idPrefix: 'prod_',
  stored: {
    title: (_, row, origin) => titleAt(row.index, origin),
    price: (rng, row) => {
      const [low, high] = goodOf(row.title).price
      return Math.round(rng.between(low, high) * 100 - rng.pick([0, 1, 5, 10])) / 100
    },
    compare_at_price: (rng, row) => (rng.chance(0.3) ? Math.ceil(row.price * (1.1 + rng.next() * 0.4)) : 0),
    reviews_value: (rng) => (rng.chance(0.1) ? 0 : rng.between(32, 50) / 10),
    slug: (_, row) => `${slugOf(row.title)}-${row.index + 1}`,
    thumbnail: () => null,
  },
})
