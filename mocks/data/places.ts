/** Cities with their state, postal code, area code and time zone. */

export interface Place {
  readonly city: string
  readonly state: string
  /** The first three digits of its postal codes. */
  readonly zip: string
  readonly areaCode: string
  readonly timezone: string
}

const east = 'America/New_York'
const central = 'America/Chicago'
const mountain = 'America/Denver'
const west = 'America/Los_Angeles'

export const country = 'United States'

export const places: readonly Place[] = [
  { city: 'Albuquerque', state: 'NM', zip: '871', areaCode: '505', timezone: mountain },
  { city: 'Atlanta', state: 'GA', zip: '303', areaCode: '404', timezone: east },
  { city: 'Austin', state: 'TX', zip: '787', areaCode: '512', timezone: central },
  { city: 'Baltimore', state: 'MD', zip: '212', areaCode: '410', timezone: east },
  { city: 'Boise', state: 'ID', zip: '837', areaCode: '208', timezone: mountain },
  { city: 'Boston', state: 'MA', zip: '021', areaCode: '617', timezone: east },
  { city: 'Buffalo', state: 'NY', zip: '142', areaCode: '716', timezone: east },
  { city: 'Charlotte', state: 'NC', zip: '282', areaCode: '704', timezone: east },
  { city: 'Chicago', state: 'IL', zip: '606', areaCode: '312', timezone: central },
  { city: 'Cleveland', state: 'OH', zip: '441', areaCode: '216', timezone: east },
  { city: 'Denver', state: 'CO', zip: '802', areaCode: '303', timezone: mountain },
  { city: 'Kansas City', state: 'MO', zip: '641', areaCode: '816', timezone: central },
  { city: 'Los Angeles', state: 'CA', zip: '900', areaCode: '213', timezone: west },
  { city: 'Madison', state: 'WI', zip: '537', areaCode: '608', timezone: central },
  { city: 'Memphis', state: 'TN', zip: '381', areaCode: '901', timezone: central },
  { city: 'Minneapolis', state: 'MN', zip: '554', areaCode: '612', timezone: central },
  { city: 'New Orleans', state: 'LA', zip: '701', areaCode: '504', timezone: central },
  { city: 'Philadelphia', state: 'PA', zip: '191', areaCode: '215', timezone: east },
  { city: 'Pittsburgh', state: 'PA', zip: '152', areaCode: '412', timezone: east },
  { city: 'Portland', state: 'OR', zip: '972', areaCode: '503', timezone: west },
  { city: 'Richmond', state: 'VA', zip: '232', areaCode: '804', timezone: east },
  { city: 'Sacramento', state: 'CA', zip: '958', areaCode: '916', timezone: west },
  { city: 'Salt Lake City', state: 'UT', zip: '841', areaCode: '801', timezone: mountain },
  { city: 'Seattle', state: 'WA', zip: '981', areaCode: '206', timezone: west },
]

const byCity = new Map(places.map((place) => [place.city, place]))

/** The place with this city, or the first one. */
export const placeOfCity = (city: string | null | undefined): Place => byCity.get(city ?? '') ?? (places[0] as Place)
