/** Postal addresses with a matching city, postal code and recipient. */
import type { Rng } from '../../src/world/rng.js'
import { country, places } from './places.js'

const parts = [
  'line1',
  'line2',
  'city',
  'area',
  'first_name',
  'last_name',
  'zip',
  'state',
  'country',
  'email',
  'phone',
] as const

export type Address = { readonly [Part in (typeof parts)[number]]: string | null }

export const addressFields: readonly string[] = parts

/** An address from input, with null for every missing part. */
export function addressFrom(input: Partial<Address>): Address {
  const address: Record<string, string | null> = {}
  for (const part of parts) address[part] = input[part] ?? null
  return address as Address
}

export function drawAddress(rng: Rng, recipient: Partial<Address>): Address {
  const place = rng.pick(places)
  return addressFrom({
    line1: `${rng.between(1, 2400)} ${rng.faker.location.street()}`,
    line2: rng.chance(0.25) ? rng.faker.location.secondaryAddress() : null,
    city: place.city,
    zip: place.zip + String(rng.between(1, 99)).padStart(2, '0'),
    state: place.state,
    country,
    ...recipient,
  })
}
