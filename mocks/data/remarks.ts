/** Remarks of a shop about customers. */
export const remarks = [
  'Asked to ring the bell twice; it is hard to hear.',
  'Prefers delivery after six in the evening.',
  'Wants all parcels of an order in one delivery.',
  'Leaves packages with the neighbour on the left.',
  'Asked on the phone how long a delivery takes.',
  'Allergic to wool, asks about materials.',
  'Likes handwritten cards with gifts.',
]
