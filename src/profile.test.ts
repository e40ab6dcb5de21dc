/** The profile: its entries, the values they accept, and errors about others. */
import { expect, test } from 'vitest'
import { createServiceProfile } from '../mocks/service.js'
import { createProfile, defaultProfile, profileEntries, type ProfileName } from './profile.js'

const names = Object.keys(profileEntries) as ProfileName[]

test.each(names)('The entry %s says what it is about, why it is so, and what it takes.', (name) => {
  const { about, reason, takes } = profileEntries[name]
  expect(about).toMatch(/^[a-z].*[^.]$/)
  expect(reason).toMatch(/^[A-Z].*\.$/)
  expect(takes).toMatch(/\S.*[^.]$/)
})

test.each(names)('The entry %s takes its default.', (name) => {
  expect(profileEntries[name].accepts(profileEntries[name].default)).toBe(true)
  expect(createProfile({ [name]: profileEntries[name].default })).toEqual(defaultProfile)
})

test('Without a value every entry has its default.', () => {
  expect(createProfile()).toEqual(defaultProfile)
  expect(createProfile({})).toEqual(defaultProfile)
  expect(Object.keys(defaultProfile)).toEqual(names)
})

test('A given value replaces its default and no other.', () => {
  const given = { same_slug: 'allow', first_cap: 100, http_get: 'queries' }
  expect(createProfile(given)).toEqual({ ...defaultProfile, ...given })
})

const choices: Partial<Record<ProfileName, readonly (string | number)[]>> = {
  unknown_filter: ['error', 'ignore'],
  first_negative: ['error', 'empty'],
  first_above_cap: ['cap', 'error'],
  bad_cursor: ['error', 'start_over', 'empty_page'],
  unknown_node: ['null', 'error'],
  unknown_delete: ['pass_over', 'error'],
  same_email: ['allow', 'error'],
  same_slug: ['error', 'allow'],
  error_form: ['standard', 'keyed'],
  error_status: ['by_media_type', 200, 400, 422],
  http_get: ['refuse', 'queries'],
}

test.each(Object.entries(choices))(
  'The entry %s takes %j; other values are errors that name these.',
  (name, values) => {
    for (const value of values) expect(createProfile({ [name]: value })[name as ProfileName]).toBe(value)
    const takes = values.map((it) => JSON.stringify(it)).join(' or ')
    for (const wrong of [
      '',
      'yes',
      1,
      0,
      true,
      null,
      undefined,
      [],
      {},
      [values[0]],
      String(values[0]).toUpperCase(),
    ]) {
      expect(() => createProfile({ [name]: wrong })).toThrow(new Error(`The profile entry "${name}" takes ${takes}.`))
    }
  },
)

const keys = 'takes an object from list name to key names; a list that is not named takes all keys that the mock knows.'
const cap = 'takes null for none, or a whole number from 1.'
const size = 'takes a whole number from 1.'
const order = 'takes a string for the argument `query`, such as "order_by:created_at order_dir:desc".'

test.each([
  [
    'order_keys',
    keys,
    [{}, { customers: ['id'] }, { customers: ['id', '_id'], segments: ['name'] }],
    [null, [], 'id', 1, { customers: [] }, { customers: 'id' }, { customers: [1] }, { customers: null }],
  ],
  ['default_order', order, ['', 'order_by:id', 'order_dir:desc'], [null, 1, [], {}, undefined]],
  ['first_cap', cap, [null, 1, 25, 1_000_000], [0, -1, 1.5, '10', NaN, Infinity, [], undefined, true]],
  ['product_page_size', size, [1, 25, 1000], [0, -1, 1.5, '10', null, NaN, Infinity, undefined]],
])('The entry %s %s', (name, takes, right, wrong) => {
  for (const value of right) expect(createProfile({ [name]: value })).toEqual({ ...defaultProfile, [name]: value })
  for (const value of wrong) {
    expect(() => createProfile({ [name]: value })).toThrow(new Error(`The profile entry "${name}" ${takes}`))
  }
})

test.each(['same_slugs', 'Same_slug', 'toString', '__proto__', ''])(
  'The entry %j does not exist; the error lists those that do.',
  (name) => {
    const values = JSON.parse(`{ ${JSON.stringify(name)}: 1 }`) as object
    expect(() => createProfile(values)).toThrow(
      new Error(`The profile has no entry "${name}". Its entries: ${names.join(', ')}.`),
    )
  },
)

test.each([null, [], 'same_slug', 1, true])('%j is not a profile.', (value) => {
  expect(() => createProfile(value)).toThrow(
    new Error('A profile is an object with entries such as "same_slug": "allow".'),
  )
})

const customerKeys = 'id, _id, full_name, expenses, orders_count, created_at, updated_at'
const segmentKeys = 'id, _id, name, created_at, updated_at'

test.each([
  [
    { order_keys: { stores: ['id'] } },
    'The profile entry "order_keys" has no list "stores". The lists: segments, customers.',
  ],
  [
    { order_keys: { toString: ['id'] } },
    'The profile entry "order_keys" has no list "toString". The lists: segments, customers.',
  ],
  [
    JSON.parse('{ "order_keys": { "__proto__": ["id"] } }'),
    'The profile entry "order_keys" has no list "__proto__". The lists: segments, customers.',
  ],
  [
    { order_keys: { customers: ['id', 'name'] } },
    `The profile entry "order_keys" has no key "name" for customers. The keys: ${customerKeys}.`,
  ],
  [
    { order_keys: { segments: ['expenses'] } },
    `The profile entry "order_keys" has no key "expenses" for segments. The keys: ${segmentKeys}.`,
  ],
  ...['newest', 'order_by:age', 'order_dir:down'].map((order): [object, string] => [
    { default_order: order },
    `The profile entry "default_order": Cannot read "${order}" in the query. It takes order_by:KEY and order_dir:asc or order_dir:desc, each once. The keys: ${customerKeys}.`,
  ]),
  [{ first_cap: 0 }, `The profile entry "first_cap" ${cap}`],
])('The profile %j is rejected.', (values, message) => {
  expect(() => createServiceProfile(values)).toThrow(new Error(message as string))
})

test.each([
  { order_keys: { customers: ['id', '_id', 'full_name', 'expenses', 'orders_count', 'created_at', 'updated_at'] } },
  { order_keys: { segments: ['id', '_id', 'name', 'created_at', 'updated_at'] } },
  { default_order: '' },
  { default_order: 'order_dir:desc' },
  { default_order: 'order_by:updated_at order_dir:desc' },
  { default_order: 'order_by:full_name' },
  { default_order: 'order_by:name order_dir:desc' },
])('The profile %j is accepted.', (values) => {
  expect(createServiceProfile(values)).toEqual({ ...defaultProfile, ...values })
})
