/** Products: the catalogue from which stores are filled. Title, price and reviews belong together. */
import { define } from '../src/world/definition.js'
import { inSeedOrder } from './data/seed-order.js'
import type { Entity } from '../src/world/world.js'
import { slugOf } from './data/slugs.js'

interface Good {
  readonly name: string
  readonly materials: readonly string[]
  /** Lowest and highest price, in whole units of the currency. */
  readonly price: readonly [number, number]
}

const wood = ['Oak', 'Walnut', 'Ash', 'Birch']
const cloth = ['Cotton', 'Linen', 'Wool']
const clay = ['Stoneware', 'Porcelain', 'Terracotta']

const goods: readonly Good[] = [
  { name: 'Side Table', materials: wood, price: [90, 320] },
  { name: 'Dining Chair', materials: wood, price: [80, 260] },
  { name: 'Bookshelf', materials: wood, price: [140, 520] },
  { name: 'Cutting Board', materials: [...wood, 'Bamboo'], price: [18, 65] },
  { name: 'Picture Frame', materials: [...wood, 'Brass'], price: [12, 48] },
  { name: 'Throw Blanket', materials: cloth, price: [35, 140] },
  { name: 'Cushion Cover', materials: [...cloth, 'Velvet'], price: [14, 45] },
  { name: 'Tablecloth', materials: ['Cotton', 'Linen'], price: [24, 90] },
  { name: 'Kitchen Towel Set', materials: ['Cotton', 'Linen'], price: [12, 34] },
  { name: 'Scarf', materials: [...cloth, 'Silk'], price: [22, 95] },
  { name: 'Tote Bag', materials: ['Canvas', 'Linen', 'Leather'], price: [16, 120] },
  { name: 'Coffee Mug', materials: clay, price: [9, 28] },
  { name: 'Dinner Plate', materials: ['Stoneware', 'Porcelain'], price: [11, 36] },
  { name: 'Plant Pot', materials: clay, price: [8, 42] },
  { name: 'Vase', materials: [...clay, 'Glass'], price: [19, 110] },
  { name: 'Water Carafe', materials: ['Glass', 'Copper'], price: [22, 70] },
  { name: 'Candle Holder', materials: ['Brass', 'Iron', 'Glass'], price: [12, 55] },
  { name: 'Desk Lamp', materials: ['Brass', 'Steel', 'Oak'], price: [45, 190] },
  { name: 'Wall Clock', materials: ['Steel', 'Walnut', 'Brass'], price: [35, 150] },
  { name: 'Skillet', materials: ['Iron', 'Steel', 'Copper'], price: [30, 160] },
  { name: 'Tea Kettle', materials: ['Steel', 'Copper', 'Iron'], price: [28, 120] },
  { name: 'Wallet', materials: ['Leather', 'Canvas'], price: [25, 85] },
]

const styles = ['Classic', 'Small', 'Large', 'Handmade', 'Rustic', 'Modern', 'Plain', 'Vintage', 'Everyday', 'Fine']

interface Stored {
  readonly title: string
  readonly price: number
  readonly compare_at_price: number
  readonly reviews_value: number
  readonly slug: string
  /** An address of a picture that somebody set; null where the mock draws one. */
  readonly thumbnail: string | null
}

export type Product = Entity<Stored>

/** Every title that makes sense. A larger catalogue begins again, and the slug keeps namesakes apart. */
const titles = goods.flatMap(({ name, materials }) =>
  materials.flatMap((material) => styles.map((style) => `${style} ${material} ${name}`)),
)
const titleAt = inSeedOrder('Product', titles)

const nameOf = (title: string) => goods.find(({ name }) => title.endsWith(name)) as Good

export const products = define<Stored>({
  name: 'Product',
  idPrefix: 'prod_',
  stored: {
    title: (_, row, birth) => titleAt(row.index, birth),
    price: (draw, row) => {
      const [low, high] = nameOf(row.title).price
      return Math.round(draw.between(low, high) * 100 - draw.pick([0, 1, 5, 10])) / 100
    },
    compare_at_price: (draw, row) => (draw.chance(0.3) ? Math.ceil(row.price * (1.1 + draw.next() * 0.4)) : 0),
    reviews_value: (draw) => (draw.chance(0.1) ? 0 : draw.between(32, 50) / 10),
    slug: (_, row) => `${slugOf(row.title)}-${row.index + 1}`,
    thumbnail: () => null,
  },
  computed: {},
  keys: { _id: { value: (row) => row.index + 1, rank: 'index' } },
})
