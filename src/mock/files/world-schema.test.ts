import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WorldFile } from './world-file.js'
import { worldOf } from './on-disk.js'
import { formatted } from '../../shared/format.testkit.js'
import { readyFolder, readyNames } from '../../world-files/on-disk.js'
import { worldSchema, type Node } from './world-schema.testkit.js'

const path = join(readyFolder('worlds'), 'world.schema.json')

// To update the file: npx vitest run world-schema -u
test('world.schema.json is generated from the definition', async () => {
  await expect(await formatted(path, JSON.stringify(worldSchema()))).toMatchFileSnapshot(path)
})

test.each(readyNames('worlds'))('the ready world %s is valid, says what it is for and names the schema', (name) => {
  const file = join(readyFolder('worlds'), `${name}.json`)
  const { $schema, about } = worldOf(file).file
  expect($schema).toBe('./world.schema.json')
  expect(about).toMatch(/\w.{20}/)
  expect(worldOf(name).file).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})

/** A value with all of its optional fields. */
type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Complete<NonNullable<T[Key]>> }
    : T

const place = {
  line1: '1 Elm Street',
  line2: '',
  city: 'Boise',
  area: '',
  first_name: 'Ada',
  last_name: 'Lovelace',
  zip: '83702',
  state: 'Idaho',
  country: 'United States',
  email: 'ada@example.com',
  phone: '555 0100',
}
const times = { created_at: '2026-01-31', updated_at: '2026-01-31T12:00:00Z' }
const pixels = [{ label: 'Main', value: '1' }]

/** The compiler checks that it has every key of the type, and no other. */
const complete: Complete<WorldFile> = {
  $schema: './world.schema.json',
  about: 'All keys.',
  locale: 'de, fr',
  now: '2026-02-01',
  seed: 7,
  counts: { customers: 1, segments: 1, stores: 1, products: 1, integrations: 1, pixels: 1 },
  customers: [
    {
      id: 'ada',
      email: 'ada@example.com',
      phone: '555 0100',
      first_name: 'Ada',
      last_name: 'Lovelace',
      accepts_marketing: true,
      tags: ['vip'],
      shipping_address: place,
      billing_address: place,
      notes: 'Likes tea.',
      custom: {},
      expenses: 1,
      orders_count: 1,
      avatar: 'https://example.com/ada.png',
      ...times,
    },
  ],
  segments: [
    {
      id: 'regulars',
      name: 'Regulars',
      description: 'Often here.',
      settings: { include: { operator: 'AND', tags: ['vip'] }, exclude: { operator: 'OR', tags: [] } },
      ...times,
    },
  ],
  stores: [
    {
      id: 'little-oak',
      name: 'Little Oak',
      slug: 'little-oak',
      lang: 'en',
      currency: 'USD',
      single_checkout_page: true,
      email: 'shop@example.com',
      legal_name: 'Little Oak Ltd',
      address: '1 Elm Street',
      refund_policy: '30 days.',
      privacy_policy: 'None.',
      terms_of_services: 'None.',
      published: true,
      products_uids: ['prod_1'],
    },
  ],
  integrations: [{ id: 'conversions', platform: 'facebook', label: 'Main', pixels: ['1'] }],
  pixels: { facebook_pixels: pixels, snapchat_pixels: pixels, tiktok_pixels: pixels },
}

/** Fails unless a value has exactly the keys of the schema, and each key a description. */
function expectSameKeys(value: unknown, node: Node, path: string): void {
  const { properties, items } = node.anyOf?.[0] ?? node
  if (Array.isArray(value) && items) return expectSameKeys(value[0], items, `${path}[]`)
  if (!properties) return
  expect(Object.keys(value as object).sort(), path).toEqual(Object.keys(properties).sort())
  for (const [key, property] of Object.entries(properties)) {
    expect(property.description, `${path}.${key}`).toMatch(/\.$/)
    expectSameKeys((value as Record<string, unknown>)[key], property, `${path}.${key}`)
  }
}

test('the type WorldFile has the keys of the definition, and each has a description', () => {
  expect(worldOf(complete).file).toEqual(complete)
  expectSameKeys(complete, worldSchema(), 'world')
})
