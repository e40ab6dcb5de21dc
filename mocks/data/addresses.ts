/** Postal addresses: where street, city, postal code and recipient belong together. */
import type { Draw } from '../../src/world/rng.js'
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

/** An address from input, every part that was not sent null. */
export function addressFrom(input: Partial<Address> | null | undefined): Address | null {
  if (!input) return null
  const address: Record<string, string | null> = {}
  for (const part of parts) address[part] = input[part] ?? null
  return address as Address
}

export function drawAddress(draw: Draw, recipient: Partial<Address>): Address {
  const place = draw.pick(places)
  return addressFrom({
    line1: `${draw.between(1, 2400)} ${draw.faker.location.street()}`,
    line2: draw.chance(0.25) ? draw.faker.location.secondaryAddress() : null,
    city: place.city,
    zip: place.zip + String(draw.between(1, 99)).padStart(2, '0'),
    state: place.state,
    country,
    ...recipient,
  }) as Address
}
