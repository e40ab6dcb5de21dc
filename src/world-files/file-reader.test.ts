import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countRules } from '../../mocks/counts.js'
import { worldOf } from '../mock/files/on-disk.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-worlds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(content: string | Uint8Array, name = 'w.yaml'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

function mistakes(given: string | object): string {
  try {
    worldOf(given)
  } catch (error) {
    expect(error).toHaveProperty('name', 'Error')
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
  return ''
}

const customer = (more: string) => `customers:\n  - email: ada@example.com\n    ${more}\n`
const letters = [...'abcdefghij']
const bomb = letters.map((it, i) => `${it}: &${it} [${Array(9).fill(i === 0 ? 'x' : `*${letters[i - 1]}`)}]`).join('\n')

test.each([
  ['', 'w.yaml is empty. Write at least {}, which is the default world.'],
  ['# only a comment\n', 'w.yaml is empty. Write at least {}, which is the default world.'],
  ['[]', 'w.yaml:1: must be an object, not a list.'],
  ['about:\n  - x', 'w.yaml:2 about: must be a string, not a list.'],
  ['sead: 7', 'w.yaml:1 sead: is unknown. Did you mean seed?'],
  [
    'about: x\nvegetables: []',
    'w.yaml:2 vegetables: is unknown. Choose one of: $schema, about, locale, now, seed, counts, customers, segments, stores, integrations, pixels.',
  ],
  ['seed: 1.5', 'w.yaml:1 seed: must be a whole number, not 1.5.'],
  ['seed: "7"', 'w.yaml:1 seed: must be a number, not a string.'],
  ['counts:\n  custmers: 1', 'w.yaml:2 counts.custmers: is unknown. Did you mean customers?'],
  ['counts:\n  stores: 501', 'w.yaml:2 counts.stores: must be at most 500.'],
  ['counts: { stores: -1 }', 'w.yaml:1 counts.stores: must be at least 0.'],
  ['customers: {}', 'w.yaml:1 customers: must be a list, not an object.'],
  ['customers:\n  - Ada', 'w.yaml:2 customers[0]: must be an object, not a string.'],
  ['customers:\n  - first_name: Ada', 'w.yaml:2 customers[0].email: is missing.'],
  [customer('emial: x'), 'w.yaml:3 customers[0].emial: is unknown. Did you mean email?'],
  ['customers:\n  - email: nobody', 'w.yaml:2 customers[0].email: must be an e-mail address such as ada@example.com.'],
  ['customers: [{email: "@x"}]', 'w.yaml:1 customers[0].email: must be an e-mail address such as ada@example.com.'],
  [`customers: [{email: "${'a'.repeat(254)}@x"}]`, 'w.yaml:1 customers[0].email: must have at most 254 characters.'],
  [
    'customers:\n- email: a@b.c\n- email: d@e.f\n- email: a@b.c',
    'w.yaml:4 customers[2].email: is the same as customers[0].email. Change one.',
  ],
  [customer('phone: 5550100'), 'w.yaml:3 customers[0].phone: must be a string, not a number.'],
  [customer('last_name: true'), 'w.yaml:3 customers[0].last_name: must be a string, not a boolean.'],
  [customer('accepts_marketing: yes'), 'w.yaml:3 customers[0].accepts_marketing: must be a boolean, not a string.'],
  [customer('tags: vip'), 'w.yaml:3 customers[0].tags: must be a list, not a string.'],
  [customer('tags: [vip, ""]'), 'w.yaml:3 customers[0].tags[1]: must not be empty.'],
  [customer('tags:\n    - vip\n    - 2025'), 'w.yaml:5 customers[0].tags[1]: must be a string, not a number.'],
  [
    customer('shipping_address: { zip: 04843 }'),
    'w.yaml:3 customers[0].shipping_address.zip: must be a string, not a number.',
  ],
  [
    customer('shipping_address:\n      street: x'),
    'w.yaml:4 customers[0].shipping_address.street: is unknown. Choose one of: line1, line2, city, area, first_name, last_name, zip, state, country, email, phone.',
  ],
  [customer('expenses: -1'), 'w.yaml:3 customers[0].expenses: must be at least 0.'],
  [customer('expenses: .inf'), 'w.yaml:3 customers[0].expenses: must be a number, not Infinity.'],
  [customer('orders_count: 1.5'), 'w.yaml:3 customers[0].orders_count: must be a whole number, not 1.5.'],
  [
    customer('created_at: last week'),
    'w.yaml:3 customers[0].created_at: must be a time such as 2026-01-31T12:00:00Z, "3 days ago" or -3d.',
  ],
  [
    customer('created_at: 2025-02-30'),
    'w.yaml:3 customers[0].created_at: must be a time such as 2026-01-31T12:00:00Z, "3 days ago" or -3d.',
  ],
  [
    customer('updated_at: 2025-02-20'),
    'w.yaml:3 customers[0].updated_at: needs a created_at that is not later. Give both, or neither.',
  ],
  [
    customer('created_at: 2025-02-20\n    updated_at: 2025-02-19'),
    'w.yaml:4 customers[0].updated_at: needs a created_at that is not later. Give both, or neither.',
  ],
  [
    customer('created_at: 2 days ago\n    updated_at: 3 days ago'),
    'w.yaml:4 customers[0].updated_at: needs a created_at that is not later. Give both, or neither.',
  ],
  [customer('id: a b'), 'w.yaml:3 customers[0].id: must be 1 to 64 letters, digits, hyphens or underscores.'],
  [
    'segments:\n- { name: A, id: a }\n- { name: B, id: a }',
    'w.yaml:3 segments[1].id: is the same as segments[0].id. Change one.',
  ],
  ['now: yesterday', 'w.yaml:1 now: must be an instant such as 2026-01-31T12:00:00Z.'],
  [customer('custom: 1'), 'w.yaml:3 customers[0].custom: must be an object, not a number.'],
  [customer('custom: { a: [.nan] }'), 'w.yaml:3 customers[0].custom.a[0]: must be a JSON value.'],
  [
    '{"__proto__": {}}',
    'w.yaml:1 __proto__: is unknown. Choose one of: $schema, about, locale, now, seed, counts, customers, segments, stores, integrations, pixels.',
  ],
  ['segments:\n- description: x', 'w.yaml:2 segments[0].name: is missing.'],
  [
    'segments:\n- name: A\n  settings:\n    include:\n      operator: and',
    'w.yaml:5 segments[0].settings.include.operator: must be AND or OR. Did you mean AND?',
  ],
  [
    'stores:\n- name: A\n  slug: A b',
    'w.yaml:3 stores[0].slug: must be lower-case letters, digits and single hyphens, such as little-oak.',
  ],
  [
    'stores:\n- name: 🛒',
    'w.yaml:2 stores[0].slug: is missing, and the name has no Latin letter or digit to make one from. Add it.',
  ],
  [
    'stores:\n- name: Little Oak\n- name: Other\n  slug: little-oak',
    'w.yaml:4 stores[1].slug: is the same as stores[0].slug. Change one.',
  ],
  [
    'stores:\n- name: Little Oak\n- name: Little  Oak!',
    'w.yaml:3 stores[1].slug: is the same as stores[0].slug. Change one.',
  ],
  ['stores:\n- name: A\n  currency: dollars', 'w.yaml:3 stores[0].currency: must be a currency code such as USD.'],
  ['stores:\n- name: A\n  lang: e', 'w.yaml:3 stores[0].lang: must be a language code such as en or pt-BR.'],
  [
    'integrations:\n- label: F\n  token: t',
    'w.yaml:3 integrations[0].token: is unknown. Choose one of: label, id, platform, pixels.',
  ],
  ['pixels: []', 'w.yaml:1 pixels: must be an object, not a list.'],
  ['pixels:\n  facebok_pixels: []', 'w.yaml:2 pixels.facebok_pixels: is unknown. Did you mean facebook_pixels?'],
])('%j: %s', (content, expected) => {
  expect(mistakes(file(content))).toBe(expected)
})

test('all mistakes of a file are reported, one per line', () => {
  const content = `
sead: 7
counts: { stores: 501 }
customers:
- email: a@b.c
- email: nobody
  updated_at: 2025-02-20
- email: a@b.c
  phone: 1
  phoen: 2
stores: [{}]
`
  expect(mistakes(file(content)).split('\n')).toEqual([
    'w.yaml:3 counts.stores: must be at most 500.',
    'w.yaml:6 customers[1].email: must be an e-mail address such as ada@example.com.',
    'w.yaml:7 customers[1].updated_at: needs a created_at that is not later. Give both, or neither.',
    'w.yaml:9 customers[2].phone: must be a string, not a number.',
    'w.yaml:10 customers[2].phoen: is unknown. Did you mean phone?',
    'w.yaml:11 stores[0].name: is missing.',
    'w.yaml:2 sead: is unknown. Did you mean seed?',
    'w.yaml:8 customers[2].email: is the same as customers[0].email. Change one.',
  ])
})

test('of many mistakes the first twenty are shown', () => {
  const lines = mistakes({ customers: Array.from({ length: 50 }, () => ({ email: 1 })) }).split('\n')
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('… and 30 more mistakes.')
})

test.each([
  ['about: x\nabout: y', 'w.yaml:2: Map keys must be unique.'],
  ['{"about": "x",\n "about": "y"}', 'w.yaml:2: Map keys must be unique.'],
  ['about: x\n---\nabout: y', 'w.yaml:2: A file holds one document. Remove what follows ---.'],
  ['about: "x', 'w.yaml:1: Missing closing "quote.'],
  ['{"about": "x"', 'w.yaml:1: Flow map must end with a }.'],
  ['counts:\n\t- 1', 'w.yaml:2: Tabs are not allowed as indentation.'],
  ['about: !!js/function x', 'w.yaml:1: Unresolved tag: tag:yaml.org,2002:js/function.'],
  ['? [a]\n: b', 'w.yaml:1: With stringKeys, all keys must be strings.'],
  ['about: *nowhere', 'w.yaml: Unresolved alias (the anchor must be set before the alias): nowhere.'],
  [bomb, 'w.yaml: Excessive alias count indicates a resource exhaustion attack.'],
])('%j does not parse: %s', (content, expected) => {
  expect(mistakes(file(content))).toBe(expected)
})

test('a file has at most 8 MiB', () => {
  const size = 8 * 1024 ** 2
  expect(mistakes(file('{}'.padEnd(size), 'long.json'))).toBe('')
  expect(mistakes(file('{}'.padEnd(size + 1), 'long.json'))).toBe(
    'The world file long.json has more than 8 MiB. Let the mock generate records with counts instead.',
  )
})

test('a file that cannot be read is an error', () => {
  const latin1 = file(Buffer.from('about: caf\u00e9', 'latin1'))
  expect(mistakes(latin1)).toBe('The world file w.yaml is not UTF-8. Save it in this encoding.')
  mkdirSync(join(folder, 'sub.yaml'))
  expect(mistakes(join(folder, 'none.json'))).toBe('The world file none.json does not exist.')
  expect(mistakes(join(folder, 'sub.yaml'))).toBe('The world file sub.yaml is a folder.')
})

test.each([
  ['smal-shop', 'There is no ready world "smal-shop". Did you mean small-shop? Give a file'],
  ['Small-Shop', 'There is no ready world "Small-Shop". Did you mean small-shop? Give a file'],
  [
    'moon',
    'There is no ready world "moon". Choose one of: big-shop, edge-cases, empty-shop, small-shop, vip-segment. Give a file as a path, such as ./world.json; over HTTP, give its content.',
  ],
  ['world.schema', 'There is no ready world "world.schema". Choose'],
  ['', 'There is no ready world "". Choose'],
])('the name %j: %s', (name, expected) => {
  expect(mistakes(name)).toContain(expected)
})

test('JSON and YAML of the same content are the same world', () => {
  const json = worldOf(
    file(
      '{\n\t"seed": 7, "customers": [{ "email": "a@b.c", "first_name": "\\ud83e\\udd8a\\/", "phone": "007" }]\n}',
      'w.json',
    ),
  )
  const yaml = worldOf(
    file('\ufeffseed: 7\ncustomers:\n- { email: a@b.c, first_name: "🦊/", phone: "007" }\n', 'w.yml'),
  )
  expect(yaml.file).toEqual(json.file)
  expect(json.name).toBe('w')
})

test('YAML is always 1.2, where dates and `no` are strings', () => {
  const { file: world } = worldOf(file('%YAML 1.1\n---\nsegments:\n- name: no\n  created_at: 2026-01-31\n'))
  expect(world.segments).toEqual([{ name: 'no', created_at: '2026-01-31' }])
})

test('an anchor can be used', () => {
  const { file: world } = worldOf(
    file('customers:\n- { email: a@b.c, tags: &tags [vip] }\n- { email: d@e.f, tags: *tags }\n'),
  )
  expect(world.customers?.[1]?.tags).toEqual(['vip'])
})

test.each([
  ['of one row', '- &ada { email: a@b.c, tags: [vip] }\n- { <<: *ada, email: d@e.f }'],
  ['of two rows', '- &ada { email: a@b.c, tags: [vip] }\n- &b { email: b@b.c }\n- { <<: [*b, *ada], email: d@e.f }'],
])('a merge key takes the fields %s', (_, rows) => {
  const { file: world } = worldOf(file(`customers:\n${rows}\n`))
  expect(world.customers?.at(-1)).toEqual({ email: 'd@e.f', tags: ['vip'] })
})

test('the line of a mistake behind an alias is that of the alias', () => {
  const at = 'customers:\n- email: a@b.c\n  custom:\n    at: &at\n      street: x\n  shipping_address: *at\n'
  expect(mistakes(file(at))).toMatch(/^w\.yaml:6 customers\[0\]\.shipping_address\.street: is unknown/)
})

test.each([
  [1, 'must be an object, not a number.'],
  [{ customers: [{ email: 'a' }] }, 'customers[0].email: must be an e-mail address such as ada@example.com.'],
  [{ customers: [{ email: 'a@b.c', custom: { at: new Date(0) } }] }, 'custom.at: must be a JSON value'],
  [{ customers: [{ email: 'a@b.c', custom: { at: () => 1 } }] }, 'custom.at: must be a JSON value'],
  [{ seed: NaN }, 'seed: must be a number, not NaN'],
])('data %#: %s', (data, expected) => {
  expect(mistakes(data as object)).toContain(expected)
})

test('data is copied, and keys with the value undefined are ignored', () => {
  const data = { customers: [{ email: 'a@b.c', tags: ['vip'] }], about: undefined }
  const { file: world } = worldOf(data)
  expect(world.customers).toEqual(data.customers)
  expect(Object.isFrozen(world.customers?.[0]?.tags)).toBe(true)
  expect(Object.isFrozen(data.customers[0]?.tags)).toBe(false)
})

test('every count of the mock can be given', () => {
  const counts = Object.fromEntries(Object.keys(countRules).map((kind) => [kind, 1]))
  expect(worldOf({ counts }).file.counts).toEqual(counts)
})
