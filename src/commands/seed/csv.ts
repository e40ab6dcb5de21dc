/** Customers from a CSV file, as rows of a world. */
import { parse, CsvError } from 'csv-parse/sync'
import { addressFields } from '../../../mocks/data/addresses.js'
import { UsageError } from '../options.js'

type Row = Readonly<Record<string, unknown>>

export interface CsvRows {
  readonly rows: readonly Row[]
  /** The line of a row in the file, counted from 1. */
  readonly lineOf: (row: number) => number
  /** Headers that name nothing of a customer. */
  readonly unknown: readonly string[]
}

type Read = (text: string) => unknown

const asText: Read = (text) => text
const asWords: Read = (text) =>
  text
    .split(/[,;|]/)
    .map((it) => it.trim())
    .filter((it) => it !== '')
const asNumber: Read = (text) => (Number.isFinite(Number(text)) ? Number(text) : text)
const asFlag: Read = (text) => {
  if (/^(yes|true|1|y|x|subscribed)$/i.test(text)) return true
  return /^(no|false|0|n|unsubscribed|not_subscribed)$/i.test(text) ? false : text
}

const fields: Readonly<Record<string, Read>> = {
  email: asText,
  phone: asText,
  first_name: asText,
  last_name: asText,
  accepts_marketing: asFlag,
  tags: asWords,
  notes: asText,
  expenses: asNumber,
  orders_count: asNumber,
  created_at: asText,
  updated_at: asText,
}

/** What shops call a field in their exports. */
const otherNames: Readonly<Record<string, string>> = {
  e_mail: 'email',
  email_address: 'email',
  phone_number: 'phone',
  accepts_email_marketing: 'accepts_marketing',
  note: 'notes',
  total_spent: 'expenses',
  total_orders: 'orders_count',
}

const addresses = ['shipping_address', 'billing_address'] as const

/** The path of a header in a row: `First Name` and `shipping address city`, in any case. */
function pathOf(header: string): readonly string[] | undefined {
  const name = header
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
  const field = otherNames[name] ?? name
  if (Object.hasOwn(fields, field)) return [field]
  const address = addresses.find((it) => name.startsWith(`${it}_`))
  const part = address && name.slice(address.length + 1)
  return address && part && addressFields.includes(part as never) ? [address, part] : undefined
}

/** Empty cells are left out. Throws a UsageError if the text is not CSV. */
export function readCustomers(text: string, name: string): CsvRows {
  const records = parsed(text, name)
  const [headers = [], ...cells] = records.map(({ record }) => record)
  const paths = headers.map(pathOf)
  if (!paths.some((it) => it?.[0] === 'email')) {
    throw new UsageError(`${name}: line 1 has no column "email". Its columns are: ${headers.join(', ')}.`)
  }
  return {
    rows: cells.map((record) => rowOf(record, paths)),
    lineOf: (row) => records[row + 1]?.info.lines ?? 1,
    unknown: headers.filter((_, at) => !paths[at]),
  }
}

function rowOf(record: readonly string[], paths: readonly (readonly string[] | undefined)[]): Row {
  const row: Record<string, unknown> = {}
  for (const [at, text] of record.entries()) {
    const [field, part] = paths[at] ?? []
    if (field === undefined || text === '') continue
    row[field] = part === undefined ? fields[field]?.(text) : { ...(row[field] as Row | undefined), [part]: text }
  }
  return row
}

interface Parsed {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function parsed(text: string, name: string): readonly Parsed[] {
  // Spreadsheets of many countries separate by semicolons.
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  try {
    return parse(text, { bom: true, delimiter, info: true, skip_empty_lines: true, trim: true }) as unknown as Parsed[]
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${name}: ${error.message}.`)
    throw error
  }
}
