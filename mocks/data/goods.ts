/** Goods, their materials and styles, from which the titles of products are made. */

export interface Good {
  readonly name: string
  readonly materials: readonly string[]
  /** Lowest and highest price, in whole units of the currency. */
  readonly price: readonly [number, number]
}

const wood = ['Oak', 'Walnut', 'Ash', 'Birch']
const cloth = ['Cotton', 'Linen', 'Wool']
const clay = ['Stoneware', 'Porcelain', 'Terracotta']

export const goods: readonly Good[] = [
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

export const styles = [
  'Classic',
  'Small',
  'Large',
  'Handmade',
  'Rustic',
  'Modern',
  'Plain',
  'Vintage',
  'Everyday',
  'Fine',
]
