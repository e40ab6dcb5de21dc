/** What a world file may hold: the one list that its checking, the JSON Schema for editors and README rest on. */
import { rowsOf, type WorldRows } from '../../mocks/born.js'
import { countRules, type Counts } from '../../mocks/counts.js'
import { pixelLists } from '../../mocks/pixels.js'
import { slugOf } from '../../mocks/data/slugs.js'
import { addressFields } from '../../mocks/data/addresses.js'
import {
  anyObject,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  pathText,
  text,
  truth,
  type Form,
  type Member,
  type Path,
  type Problem,
} from './forms.js'
import { readInstant } from '../shared/instant.js'
import { quote } from '../shared/quote.js'

/** A row as it is written: its times are texts. */
type Written<Row> = Omit<Row, 'created_at' | 'updated_at'> & {
  readonly created_at?: string
  readonly updated_at?: string
}

/** A world as people write it. */
export interface WorldFile extends Omit<WorldRows, 'customers' | 'segments'> {
  readonly $schema?: string | undefined
  /** What it is for. */
  readonly about?: string | undefined
  readonly seed?: number | undefined
  /** How many are generated. Of what has rows and no count, none; of all else, as many as usual. */
  readonly counts?: Partial<Counts> | undefined
  readonly customers?: readonly Written<NonNullable<WorldRows['customers']>[number]>[] | undefined
  readonly segments?: readonly Written<NonNullable<WorldRows['segments']>[number]>[] | undefined
}

const member = (form: Form, about: string): Member => ({ form, about })
const required = (form: Form, about: string): Member => ({ form, about, required: true })

// The local part may be quoted and then hold blanks and an @; the API tells no more of an address either.
const email = text({
  wanted: 'an e-mail address such as ada@example.com',
  pattern: /^\S(?:.*\S)?@[^\s@]+$/,
  most: 254,
})
const slug = text({
  wanted: 'a short name of lower-case letters, digits and single hyphens, such as little-oak',
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  most: 100,
})
const instant = text({
  wanted: 'an instant such as 2026-01-31T12:00:00Z',
  pattern: /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/,
  fits: (it) => readInstant(it) !== undefined,
})
const name = text({ wanted: 'a text of at least one character', least: 1 })
const tag = text({ wanted: 'a tag of at least one character', least: 1 })

const address = nullable(
  object(
    Object.fromEntries(addressFields.map((part) => [part, member(nullable(text()), `Part of the address: ${part}.`)])),
  ),
)

const times = {
  created_at: member(
    instant,
    'When it was made: ISO 8601, in UTC where it names no offset. Drawn where it is left out.',
  ),
  updated_at: member(instant, 'When it was changed last. Where it is left out, when it was made, or drawn with that.'),
}

function timesInOrder(row: Readonly<Record<string, unknown>>, path: Path): Problem | undefined {
  const [made, changed] = [row['created_at'], row['updated_at']].map((it) => readInstant(String(it)))
  if (changed === undefined || (made !== undefined && changed >= made)) return undefined
  const at = [...path, 'updated_at']
  const why = made === undefined ? 'needs a created_at beside it' : 'is before created_at'
  return { path: at, at: 'value', text: `${pathText(at)} ${why}. Give both, or neither.` }
}

const customer = object(
  {
    email: required(email, 'E-mail address, one of its kind in the file.'),
    phone: member(text(), 'Telephone number.'),
    first_name: member(text(), 'First name.'),
    last_name: member(text(), 'Last name.'),
    accepts_marketing: member(truth, 'Whether the customer agreed to receive advertising. Left out: no.'),
    tags: member(listOf(tag), 'Tags, from which segments are made.'),
    shipping_address: member(address, 'Where orders are sent.'),
    billing_address: member(address, 'Where invoices are sent.'),
    notes: member(nullable(text()), 'Remarks of the shop about the customer.'),
    custom: member(nullable(anyObject), 'Whatever the shop keeps besides.'),
    expenses: member(number(0, 1e9, 'number'), 'What all orders cost together. Only the mock can set it. Left out: 0.'),
    orders_count: member(number(0, 1e6), 'How many orders there were. Only the mock can set it. Left out: 0.'),
    ...times,
  },
  timesInOrder,
)

const condition = nullable(
  object({
    operator: member(oneOf(['AND', 'OR']), 'Whether a customer needs all of the tags or one of them. Left out: all.'),
    tags: member(listOf(tag), 'The tags, compared exactly.'),
  }),
)

const segment = object(
  {
    name: required(name, 'Name for people.'),
    description: member(nullable(text()), 'What the segment is for.'),
    settings: member(
      object({
        include: member(condition, 'Who belongs to the segment. Without tags: everybody.'),
        exclude: member(condition, 'Who does not, even when included. Without tags: nobody.'),
      }),
      'Which customers belong to the segment. Left out: everybody.',
    ),
    ...times,
  },
  timesInOrder,
)

const currency = text({ wanted: 'a currency of three capital letters such as USD', pattern: /^[A-Z]{3}$/ })
const language = text({
  wanted: 'a language code such as en or pt-BR',
  pattern: /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/,
})

const store = object(
  {
    name: required(name, 'Name for people.'),
    slug: member(slug, 'Short name in addresses, one of its kind. Left out: made from the name.'),
    lang: member(language, 'Language of the store. No output shows it. Left out: en.'),
    currency: member(currency, 'Currency of the prices. Left out: that of the account.'),
    single_checkout_page: member(truth, 'Whether the checkout is one page. Left out: no.'),
    email: member(email, 'Address for questions of customers. Left out: that of the account.'),
    legal_name: member(text(), 'Name of the company behind the store. Left out: that of the account.'),
    address: member(text(), 'Postal address in one line.'),
    refund_policy: member(nullable(text()), 'Terms on which goods may be returned.'),
    privacy_policy: member(nullable(text()), 'What happens to the data of customers.'),
    terms_of_services: member(nullable(text()), 'Terms of use.'),
    published: member(truth, 'Whether customers see it. Only the mock can set it. Left out: no.'),
  },
  (row, path) =>
    row['slug'] !== undefined || slugOf(String(row['name'])) !== ''
      ? undefined
      : { path, at: 'value', text: `${pathText(path)} needs a slug: no Latin letter or digit is in its name.` },
)

const platform = text({
  wanted: 'a platform in lower case such as snapchat',
  pattern: /^[a-z][a-z0-9_-]*$/,
  most: 40,
})

const integration = object({
  platform: member(platform, 'What it works with. Only the mock can set another than facebook. Left out: facebook.'),
  label: required(name, 'Name for people.'),
  pixels: member(listOf(name), 'Identifiers of the pixels that report.'),
})

const pixel = object({
  label: required(name, 'Name for people.'),
  value: required(name, 'Identifier of the pixel on its platform.'),
})

const counts = object(
  Object.fromEntries(
    Object.entries(countRules).map(([kind, rule]) => [
      kind,
      member(
        number(0, rule.most),
        kind === 'pixels'
          ? `Pixels that are generated in each list. Left out: ${rule.default}, or none where the file has pixels.`
          : kind === 'products'
            ? `Products that are generated. Left out: ${rule.default}.`
            : `${kind} that are generated. Left out: ${rule.default}, or none where the file has ${kind}.`,
      ),
    ]),
  ),
)

export const worldForm = object(
  {
    $schema: member(text(), 'Where the schema of this file is, for editors.'),
    about: member(text(), 'What this world is for.'),
    seed: member(
      number(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      'Decides every generated value, unless --seed does.',
    ),
    counts: member(counts, 'How many are generated, before the rows.'),
    customers: member(listOf(customer), 'Customers.'),
    segments: member(listOf(segment), 'Segments.'),
    stores: member(listOf(store), 'Stores.'),
    integrations: member(
      listOf(integration),
      'Integrations, with Facebook unless they say otherwise. The token stands in no file.',
    ),
    pixels: member(
      object(Object.fromEntries(pixelLists.map((list) => [list, member(listOf(pixel), `Pixels: ${list}.`)]))),
      'Tracking pixels of the account, by their lists.',
    ),
  },
  (world) => alike(world as WorldFile) ?? tooMany(world as WorldFile),
)

/** Customers are told apart by their e-mail address, stores by their slug. */
function alike({ customers = [], stores = [] }: WorldFile): Problem | undefined {
  return (
    twice(customers, 'customers', 'email', ({ email }) => email ?? '') ??
    twice(stores, 'stores', 'slug', ({ name, slug }) => slug ?? slugOf(name))
  )
}

function twice<Row extends object>(
  rows: readonly Row[],
  list: string,
  field: string,
  value: (row: Row) => string,
): Problem | undefined {
  const first = new Map<string, number>()
  for (const [at, row] of rows.entries()) {
    const own = value(row)
    const before = first.get(own)
    if (before === undefined) first.set(own, at)
    else {
      const path = Object.hasOwn(row, field) ? [list, at, field] : [list, at]
      const text = `${list}[${at}] has the ${field} ${quote(own)}, as ${list}[${before}] has already. Give it another.`
      return { path, at: 'value', text }
    }
  }
  return undefined
}

function tooMany(world: WorldFile): Problem | undefined {
  for (const [kind, { most }] of Object.entries(countRules)) {
    const rows = kind === 'pixels' ? longestPixelList(world) : rowsOf(rowsIn(world), kind as keyof Counts)
    const sum = rows + (world.counts?.[kind as keyof Counts] ?? 0)
    if (sum <= most) continue
    const text = `${kind}: ${sum} with the generated ones, and at most ${most} are possible. Take out some.`
    return { path: [kind], at: 'name', text }
  }
  return undefined
}

const longestPixelList = ({ pixels = {} }: WorldFile) =>
  Math.max(0, ...Object.values(pixels).map((list) => list?.length ?? 0))

/** The rows as the world takes them. */
export function rowsIn(file: WorldFile): WorldRows {
  const read = <Row extends { readonly created_at?: string; readonly updated_at?: string }>(rows?: readonly Row[]) =>
    rows?.map(({ created_at, updated_at, ...row }) => ({ ...row, ...instantsOf({ created_at, updated_at }) }))
  const { stores, integrations, pixels } = file
  return { customers: read(file.customers), segments: read(file.segments), stores, integrations, pixels }
}

const instantsOf = (
  times: Readonly<Record<string, string | undefined>>,
): { created_at?: number; updated_at?: number } =>
  Object.fromEntries(
    Object.entries(times).flatMap(([field, it]) => (it === undefined ? [] : [[field, readInstant(it)]])),
  )

/** How many are generated: as the file says, and unless it does, none of what it has rows of. */
export function countsIn(file: WorldFile): Partial<Counts> {
  const withRows = Object.keys(countRules).filter((kind) => Object.hasOwn(file, kind) && file[kind as 'pixels'])
  return { ...Object.fromEntries(withRows.map((kind) => [kind, 0])), ...file.counts }
}
