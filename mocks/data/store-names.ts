/** Names of stores. */
export const storeNames = [
  'Harbor & Pine',
  'Northlight Home',
  'The Clay Room',
  'Willow Lane',
  'Old Mill Linens',
  'Stone & Thread',
  'Copper Fox',
  'Maple Street Goods',
  'The Paper Lantern',
  'Saltbox Kitchen',
  'Juniper House',
  'Little Oak',
  'Foundry Table',
  'Wren & Daughters',
  'Quiet Corner',
  'Amber Loft',
]
