/** World files: how they are found and read, and what is said of a wrong one, with its line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countRules } from '../../mocks/counts.js'
import { readWorld, readyWorlds, worldFrom } from './world-file.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-worlds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(content: string | Uint8Array, name = 'w.yaml'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** What is said of a file, without the path of its folder. */
function complaint(content: string | Uint8Array, name?: string): string {
  try {
    readWorld(file(content, name))
  } catch (error) {
    expect(error).toHaveProperty('name', 'Error')
    const { message } = error as Error
    expect(message).not.toContain('\n')
    return message.replace(`${folder}/`, '')
  }
  return 'nothing'
}

const bomb = `about: x
custom:
${[...'abcdefghij'].map((it, i) => `  ${it}: &${it} [${Array(9).fill(i === 0 ? 'x' : `*${'abcdefghij'[i - 1]}`)}]`).join('\n')}`

const customer = (more: string) => `customers:\n  - email: ada@example.com\n    ${more}\n`

test.each([
  ['', 'w.yaml is empty. Write at least {}, a world of the usual counts.'],
  ['# nothing but a remark\n', 'w.yaml is empty. Write at least {}, a world of the usual counts.'],
  ['[]', 'w.yaml:1: The world must be an object, not a list.'],
  ['about:\n  - x', 'w.yaml:2: about must be a text, not a list.'],
  ['sead: 7', 'w.yaml:1: The world has no member "sead". Did you mean "seed"?'],
  [
    'about: x\nvegetables: []',
    'w.yaml:2: The world has no member "vegetables". It takes: $schema, about, seed, counts, customers, segments, stores, integrations, pixels.',
  ],
  [
    'seed: 1.5',
    'w.yaml:1: seed must be a whole number from -9007199254740991 to 9007199254740991, not the number 1.5.',
  ],
  ['seed: "7"', 'w.yaml:1: seed must be a whole number from -9007199254740991 to 9007199254740991, not "7".'],
  ['counts:\n  custmers: 1', 'w.yaml:2: counts has no member "custmers". Did you mean "customers"?'],
  ['counts:\n  stores: 501', 'w.yaml:2: counts.stores must be a whole number from 0 to 500, not the number 501.'],
  ['counts: { stores: -1 }', 'w.yaml:1: counts.stores must be a whole number from 0 to 500, not the number -1.'],
  [
    'counts: { stores: 500 }\nstores:\n  - name: One more',
    'w.yaml:2: stores: 501 with the generated ones, and at most 500 are possible. Take out some.',
  ],
  ['customers: {}', 'w.yaml:1: customers must be a list, not an object.'],
  ['customers:\n  - Ada', 'w.yaml:2: customers[0] must be an object, not "Ada".'],
  ['customers:\n  - first_name: Ada', 'w.yaml:2: customers[0] has no email. It needs one.'],
  [customer('emial: x'), 'w.yaml:3: customers[0] has no member "emial". Did you mean "email"?'],
  [customer('"\\nline": x'), 'w.yaml:3: customers[0] has no member " line". It takes: email, phone, first_name, '],
  [
    'customers:\n  - email: nobody',
    'w.yaml:2: customers[0].email must be an e-mail address such as ada@example.com, not "nobody".',
  ],
  [
    'customers: [{email: "@x"}]',
    'w.yaml:1: customers[0].email must be an e-mail address such as ada@example.com, not "@x".',
  ],
  [
    'customers:\n- email: a@b.c\n- email: d@e.f\n- email: a@b.c',
    'w.yaml:4: customers[2] has the email "a@b.c", as customers[0] has already. Give it another.',
  ],
  [
    customer('phone: 5550100'),
    'w.yaml:3: customers[0].phone must be a text, not the number 5550100. Put it between quotes.',
  ],
  [customer('last_name: true'), 'w.yaml:3: customers[0].last_name must be a text, not true. Put it between quotes.'],
  [customer('last_name:'), 'w.yaml:3: customers[0].last_name must be a text, not null.'],
  [customer('last_name: "\\ud800"'), 'w.yaml:3: customers[0].last_name must be whole Unicode characters, not " ".'],
  [customer('accepts_marketing: yes'), 'w.yaml:3: customers[0].accepts_marketing must be true or false, not "yes".'],
  [customer('tags: vip'), 'w.yaml:3: customers[0].tags must be a list, not "vip".'],
  [customer('tags: [vip, ""]'), 'w.yaml:3: customers[0].tags[1] must be a tag of at least one character, not "".'],
  [
    customer('tags:\n    - vip\n    - 2025'),
    'w.yaml:5: customers[0].tags[1] must be a tag of at least one character, not the number 2025. Put it between quotes.',
  ],
  [
    customer('shipping_address: { zip: 04843 }'),
    'w.yaml:3: customers[0].shipping_address.zip must be a text, not the number 4843. Put it between quotes.',
  ],
  [
    customer('shipping_address:\n      street: x'),
    'w.yaml:4: customers[0].shipping_address has no member "street". It takes: line1, line2, city, ',
  ],
  [
    customer('expenses: -1'),
    'w.yaml:3: customers[0].expenses must be a number from 0 to 1000000000, not the number -1.',
  ],
  [
    customer('expenses: .inf'),
    'w.yaml:3: customers[0].expenses must be a number from 0 to 1000000000, not the number Infinity.',
  ],
  [
    customer('orders_count: 1.5'),
    'w.yaml:3: customers[0].orders_count must be a whole number from 0 to 1000000, not the number 1.5.',
  ],
  [
    customer('created_at: yesterday'),
    'w.yaml:3: customers[0].created_at must be an instant such as 2026-01-31T12:00:00Z, not "yesterday".',
  ],
  [
    customer('created_at: 2025-02-30'),
    'w.yaml:3: customers[0].created_at must be an instant such as 2026-01-31T12:00:00Z, not "2025-02-30".',
  ],
  [
    customer('updated_at: 2025-02-20'),
    'w.yaml:3: customers[0].updated_at needs a created_at beside it. Give both, or neither.',
  ],
  [
    customer('created_at: 2025-02-20\n    updated_at: 2025-02-19'),
    'w.yaml:4: customers[0].updated_at is before created_at. Give both, or neither.',
  ],
  [customer('custom: 1'), 'w.yaml:3: customers[0].custom must be an object, not the number 1.'],
  [
    customer('custom: { a: [.nan] }'),
    'w.yaml:3: customers[0].custom.a[0] must be what JSON can carry, not the number NaN.',
  ],
  [
    customer(`custom: { a: ${'['.repeat(40)}${']'.repeat(40)} }`),
    'w.yaml:3: customers[0].custom.a[0][0][0][0] must be at most 32 levels deep, not a list.',
  ],
  [
    customer('custom:\n      a:\n        __proto__: {}'),
    'w.yaml:5: customers[0].custom.a must not have a member "__proto__". Take it out.',
  ],
  [customer('__proto__: {}'), 'w.yaml:3: customers[0] must not have a member "__proto__". Take it out.'],
  ['{"__proto__": {}}', 'w.yaml:1: The world must not have a member "__proto__". Take it out.'],
  ['segments:\n- description: x', 'w.yaml:2: segments[0] has no name. It needs one.'],
  ['segments:\n- name: ""', 'w.yaml:2: segments[0].name must be a text of at least one character, not "".'],
  [
    'segments:\n- name: A\n  settings:\n    include:\n      operator: and',
    'w.yaml:5: segments[0].settings.include.operator must be "AND" or "OR", not "and".',
  ],
  [
    'stores:\n- name: A\n  slug: A b',
    'w.yaml:3: stores[0].slug must be a short name of lower-case letters, digits and single hyphens, such as little-oak, not "A b".',
  ],
  ['stores:\n- name: 🛒', 'w.yaml:2: stores[0] needs a slug: no Latin letter or digit is in its name.'],
  [
    'stores:\n- name: Little Oak\n- name: Other\n  slug: little-oak',
    'w.yaml:4: stores[1] has the slug "little-oak", as stores[0] has already. Give it another.',
  ],
  [
    'stores:\n- name: Little Oak\n- name: Little  Oak!',
    'w.yaml:3: stores[1] has the slug "little-oak", as stores[0] has already. Give it another.',
  ],
  [
    'stores:\n- name: A\n  currency: dollars',
    'w.yaml:3: stores[0].currency must be a currency of three capital letters such as USD, not "dollars".',
  ],
  ['stores:\n- name: A\n  lang: e', 'w.yaml:3: stores[0].lang must be a language code such as en or pt-BR, not "e".'],
  [
    'integrations:\n- label: F\n  token: t',
    'w.yaml:3: integrations[0] has no member "token". It takes: platform, label, pixels.',
  ],
  ['pixels: []', 'w.yaml:1: pixels must be an object, not a list.'],
  ['pixels:\n  facebok_pixels: []', 'w.yaml:2: pixels has no member "facebok_pixels". Did you mean "facebook_pixels"?'],
  [
    'pixels:\n  facebook_pixels:\n  - label: A\n    value: 301122334455667',
    'w.yaml:4: pixels.facebook_pixels[0].value must be a text of at least one character, not the number 301122334455667. Put it between quotes.',
  ],
  // The text itself.
  ['about: x\nabout: y', 'w.yaml:2: This member is there twice. Take one out.'],
  ['{"about": "x",\n "about": "y"}', 'w.yaml:2: This member is there twice. Take one out.'],
  ['about: x\n---\nabout: y', 'w.yaml:2: A file holds one world. Take out what follows ---.'],
  ['about: "x', 'w.yaml:1: Missing closing "quote.'],
  ['{"about": "x"', 'w.yaml:1: Flow map must end with a }.'],
  ['counts:\n\t- 1', 'w.yaml:2: Tabs are not allowed as indentation.'],
  ['about: !!js/function x', 'w.yaml:1: Unresolved tag: tag:yaml.org,2002:js/function.'],
  ['? [a]\n: b', 'w.yaml:1: The name of a member must be a text.'],
  ['<<: { about: x }', 'w.yaml:1: The world has no member "<<". It takes: $schema, about, '],
  ['about: *nowhere', 'w.yaml:1: Unresolved alias (the anchor must be set before the alias): nowhere.'],
  [bomb, 'w.yaml:1: There are more than 100 uses of anchors (*name). Write out what they stand for.'],
  ['about: &a\n  b: *a', 'w.yaml:2: about must be a text, not an object.'],
  [
    customer('custom: &a { b: *a }'),
    'w.yaml:3: customers[0].custom.b.b.b.b.b must be at most 32 levels deep, not an object.',
  ],
])('%j: %s', (content, expected) => {
  const said = complaint(content)
  expect(expected.endsWith(' ') ? said.slice(0, expected.length) : said).toBe(expected)
})

test.each([
  ['of brackets', `seed: 1\nabout: ${'['.repeat(50_000)}`, 2],
  ['of braces', `about:\n${'{a: '.repeat(50_000)}`, 2],
  ['of dashes', '- '.repeat(50_000), 1],
  ['of question marks', '? '.repeat(50_000), 1],
  ['of indentation', Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), 102],
  ['behind a text of several lines', `about: "x\n\n y"\nseed: ${'['.repeat(50_000)}`, 4],
])('depth %s is refused before the parser, which would end the process, sees it', (_, content, line) => {
  expect(complaint(content)).toBe(`w.yaml:${line}: The text is nested too deeply.`)
})

test('brackets and dashes in texts are no depth', () => {
  const about = '[{'.repeat(200) + '- '.repeat(200)
  expect(readWorld(file(JSON.stringify({ about }))).file.about).toBe(about)
  expect(readWorld(file(`about: |\n  ${about}\n`)).file.about).toBe(`${about}\n`)
})

test('a text that is not UTF-8 is refused with its line', () => {
  expect(complaint(Buffer.from('about: caf\u00e9\nseed: 1', 'latin1'))).toBe(
    'w.yaml:1: the text is not UTF-8. Save the file in that encoding.',
  )
  expect(complaint(Buffer.concat([Buffer.from('seed: 1\nabout: '), Buffer.from([0xff])]))).toMatch(/^w\.yaml:2: /)
  expect(complaint(Buffer.from('\ufeffseed: 1', 'utf16le'))).toMatch(/^w\.yaml:1: the text is not UTF-8/)
})

test('a byte order mark before UTF-8 is none of the text', () => {
  expect(readWorld(file('\ufeff{"seed": 3}')).file.seed).toBe(3)
})

test('a file that is too large is not read', () => {
  expect(complaint(' '.repeat(8 * 2 ** 20 + 1))).toBe(
    'w.yaml is larger than 8 MiB. Write fewer rows, and let "counts" generate the others.',
  )
})

test('a file that is not there, a folder and a device are refused', () => {
  const said = (path: string) => {
    try {
      readWorld(path)
    } catch (error) {
      return (error as Error).message.replaceAll(folder, 'F')
    }
    return undefined
  }
  mkdirSync(join(folder, 'sub.yaml'))
  expect(said(join(folder, 'none.json'))).toBe('The world file F/none.json does not exist.')
  expect(said(join(folder, 'none/at/all.json'))).toBe('The world file F/none/at/all.json does not exist.')
  expect(said(join(folder, 'sub.yaml'))).toBe('F/sub.yaml is a folder. Name a world file.')
  expect(said('/dev/zero')).toBe('/dev/zero is no file. Name a world file.')
  expect(said('a\0b.json')).toBe('The world file a\0b.json cannot be read (ERR_INVALID_ARG_VALUE).')
})

test('a name that no ready world has is refused with those that there are', () => {
  const list =
    'There are: big-shop, edge-cases, empty-shop, small-shop, vip-segment. A file is named by its path, as ./world.json.'
  for (const [name, said] of [
    ['smal-shop', `There is no ready world "smal-shop". Did you mean small-shop? ${list}`],
    ['Small-Shop', `There is no ready world "Small-Shop". Did you mean small-shop? ${list}`],
    ['moon', `There is no ready world "moon". ${list}`],
    ['world.schema', `There is no ready world "world.schema". ${list}`],
    ['__proto__', `There is no ready world "__proto__". ${list}`],
    ['', `There is no ready world "". ${list}`],
  ] as const) {
    expect(() => readWorld(name)).toThrow(new Error(said))
  }
})

test('JSON and YAML of the same content are the same world', () => {
  const json = readWorld(
    file(
      '{\n\t"seed": 7, "customers": [{ "email": "a@b.c", "first_name": "\\ud83e\\udd8a\\/", "phone": "007" }]\n}',
      'w.json',
    ),
  )
  const yaml = readWorld(file('seed: 7\ncustomers:\n- { email: a@b.c, first_name: "🦊/", phone: "007" }\n', 'w.yml'))
  expect(yaml).toEqual(json)
  expect(json.name).toBe('w')
})

test('YAML is 1.2, whatever its first line says: dates and words of consent are texts', () => {
  const { file: world } = readWorld(file('%YAML 1.1\n---\nsegments:\n- name: no\n  created_at: 2026-01-31\n'))
  expect(world.segments).toEqual([{ name: 'no', created_at: '2026-01-31' }])
})

test('a few anchors are fine', () => {
  const { file: world } = readWorld(
    file('customers:\n- { email: a@b.c, tags: &tags [vip] }\n- { email: d@e.f, tags: *tags }\n'),
  )
  expect(world.customers?.[1]?.tags).toEqual(['vip'])
})

test('the line of an error behind an anchor is where it is written', () => {
  const at = 'customers:\n- email: a@b.c\n  custom:\n    at: &at\n      street: x\n  shipping_address: *at\n'
  expect(complaint(at)).toMatch(/^w\.yaml:5: customers\[0\]\.shipping_address has no member "street"/)
})

test('every ready world says what it is for', () => {
  for (const name of readyWorlds()) expect(readWorld(name).file.about, name).toMatch(/\w.{20}/)
})

test.each([
  [1, 'The world must be an object, not the number 1.'],
  [new Date(0), 'The world must be an object, not an object.'],
  [{ customers: [{ email: 'a' }] }, 'customers[0].email must be an e-mail address such as ada@example.com, not "a".'],
  [
    { customers: [{ email: 'a@b.c', custom: { at: new Date(0) } }] },
    'customers[0].custom.at must be what JSON can carry',
  ],
  [{ customers: [{ email: 'a@b.c', custom: { at: () => 1 } }] }, 'customers[0].custom.at must be what JSON can carry'],
  [{ seed: 1n }, 'seed must be a whole number'],
])('data %s: %s', (data, message) => {
  expect(() => worldFrom(data)).toThrow(message)
})

test('data that names itself is refused, and what was given stays as it was', () => {
  const custom: Record<string, unknown> = {}
  custom['self'] = custom
  expect(() => worldFrom({ customers: [{ email: 'a@b.c', custom }] })).toThrow('at most 32 levels deep')
  const data = { customers: [{ email: 'a@b.c', tags: ['vip'] }], about: undefined }
  expect(worldFrom(data).file.customers).toHaveLength(1)
  expect(Object.isFrozen(data.customers[0]?.tags)).toBe(false)
})

test('the kinds of counts are those of the world', () => {
  const counts = Object.fromEntries(Object.keys(countRules).map((kind) => [kind, 1]))
  expect(worldFrom({ counts }).file.counts).toEqual(counts)
})
