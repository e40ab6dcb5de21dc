/** People of a country: names, addresses with a recipient, and phone numbers. */
import { memoizeWeak } from '../../src/shared/memoize.js'
import type { Origin } from '../../src/world/definition.js'
import { mix, type FakerTables, type Rng } from '../../src/world/rng.js'
import { addressFrom, type Address } from './addresses.js'
import { firstNames, lastNames } from './names.js'
import { country, placeOfCity, places } from './places.js'

interface People {
  firstName(rng: Rng): string
  /** In some languages it depends on the first name. */
  lastName(rng: Rng, firstName: string): string
  address(rng: Rng, recipient: Partial<Address>): Address
  phone(rng: Rng, address: Address | null): string
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

const americans: People = {
  firstName: (rng) => rng.pick(firstNames.names),
  lastName: (rng) => rng.pick(lastNames.names),
  address(rng, recipient) {
    const place = rng.pick(places)
    return addressFrom({
      line1: `${rng.between(1, 2400)} ${rng.faker.location.street()}`,
      line2: rng.chance(0.25) ? rng.faker.location.secondaryAddress() : null,
      city: place.city,
      zip: place.zip + twoDigits(rng.between(1, 99)),
      state: place.state,
      country,
      ...recipient,
    })
  },
  // 555-0100 to 555-0199 are reserved for fiction.
  phone: (rng, address) => `+1 ${placeOfCity(address?.city).areaCode}-555-01${twoDigits(rng.between(0, 99))}`,
}

/** The numbers that a country reserves for fiction. */
const fictional: Readonly<Record<string, string>> = {
  AU: '+61 491 570 ###',
  CA: '+1 604-555-01##',
  DE: '+49 30 23125 ###',
  FR: '+33 6 39 98 ## ##',
  GB: '+44 7700 900###',
}

type Names = { readonly [Sex in 'female' | 'male' | 'generic']?: readonly string[] }

const peopleIn = memoizeWeak((tables: FakerTables): People => {
  const { person, location = {}, metadata } = tables
  const [first, last]: readonly Names[] = [person?.first_name ?? {}, person?.last_name ?? {}]
  const women = new Set(first?.female)
  const all = ({ female = [], male = [], generic = [] }: Names = {}) => [...new Set([...female, ...male, ...generic])]
  const [firsts, lasts] = [all(first), all(last)]
  return {
    firstName: (rng) => rng.pick(firsts.length > 0 ? firsts : firstNames.names),
    lastName(rng, firstName) {
      const ofSex = women.has(firstName) ? last?.female : last?.male
      const names = ofSex?.length ? ofSex : lasts
      return rng.pick(names.length > 0 ? names : lastNames.names)
    },
    address(rng, recipient) {
      const faker = rng.fakerOf(tables)
      const cities = location.city_name
      return addressFrom({
        line1: faker.location.streetAddress(),
        line2: location.secondary_address && rng.chance(0.25) ? faker.location.secondaryAddress() : null,
        city: cities?.length ? rng.pick(cities) : faker.location.city(),
        zip: faker.location.zipCode(),
        state: location.state?.length ? rng.pick(location.state) : null,
        country: metadata?.title ?? null,
        ...recipient,
      })
    },
    phone(rng) {
      const faker = rng.fakerOf(tables)
      const pattern = fictional[metadata?.country ?? '']
      return pattern === undefined
        ? faker.phone.number({ style: 'international' })
        : pattern.replaceAll('#', () => String(rng.between(0, 9)))
    },
  }
})

/** The people that a customer with this index is one of. */
export function peopleOf({ locales = [], randomSeed }: Origin, index: number): People {
  const tables = locales[mix(index ^ mix(randomSeed)) % locales.length]
  return tables ? peopleIn(tables) : americans
}
