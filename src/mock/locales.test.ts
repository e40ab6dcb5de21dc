/** People of other countries: a world with a `locale`, as the mock and `seed` show it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageFolder } from '../shared/package.js'
import { compareText } from '../world/text.js'
import { createMock } from './create-mock.js'
import { rowsOf } from './rows.js'
import { ask } from './state.testkit.js'

interface Person {
  readonly full_name: string
  readonly email: string
  readonly phone: string
  readonly shipping_address: { readonly zip: string; readonly country: string; readonly city: string }
}

async function people(locale: string, order = ''): Promise<readonly Person[]> {
  const mock = createMock({ world: { locale, counts: { customers: 200, stores: 1, segments: 1 } } })
  const asked = `query ($query: String!) { customers(query: $query, first: 200) {
    edges { node { full_name email phone shipping_address { city zip country } } } } }`
  const { customers } = await ask<{ customers: { edges: { node: Person }[] } }>(mock, asked, { query: order })
  return customers.edges.map(({ node }) => node)
}

test.each([
  ['de-DE', 'Deutschland', /^\d{5}$/, /^\+49 30 23125 \d{3}$/],
  ['fr', 'France', /^\d{5}$/, /^\+33 6 39 98 \d\d \d\d$/],
  ['en-gb', 'United Kingdom', /^[A-Z]{1,2}\d/, /^\+44 7700 900\d{3}$/],
  ['ja', '日本', /^\d{3}-\d{4}$/, /^\+81\d{9}$/],
])('%s: addresses and phone numbers of %s', async (locale, country, zip, phone) => {
  const all = await people(locale)
  for (const it of all) {
    expect(it.shipping_address).toEqual({ country, zip: expect.stringMatching(zip), city: expect.stringMatching(/\S/) })
    expect(it.phone).toMatch(phone)
    expect(it.email).toMatch(/^[a-z]+[._]?[a-z]*\d+@example\.(com|net|org)$/)
  }
  expect(new Set(all.map(({ email }) => email)).size).toBe(200)
  expect(await people(locale)).toEqual(all)
})

test('Russian last names fit the first names, and names are ordered as texts.', async () => {
  const names = (await people('ru', 'order_by:full_name order_dir:asc')).map((it) => it.full_name)
  expect(names).toEqual(names.toSorted(compareText))
  expect(names.filter((it) => /^(Анна|Елена|Мария|Ольга|Татьяна) .*(ов|ев|ин)$/.test(it))).toEqual([])
})

test('Several locales are mixed, also with the usual one, and seed creates the same people.', async () => {
  const locale = 'de, fr en_US'
  const all = await people(locale)
  const countries = new Set(all.map((it) => it.shipping_address.country))
  expect([...countries].toSorted()).toEqual(['Deutschland', 'France', 'United States'])
  const rows = rowsOf({ file: { locale, counts: { customers: 200, stores: 1, segments: 1 } } })
  const emails = Array.from({ length: 200 }, (_, at) => String(rows.at('Customer', at)['email']))
  expect(emails.toSorted()).toEqual(all.map(({ email }) => email).toSorted())
  expect(rowsOf({ locale: 'en' }).at('Customer', 5)).toEqual(rowsOf({}).at('Customer', 5))
})

test('Every locale makes people, and an unknown one is named.', () => {
  const names = readdirSync(join(packageFolder(), 'dist/locales')).map((it) => it.replace('.json', ''))
  expect(names.length).toBeGreaterThan(45)
  const rows = rowsOf({ locale: names.join(' '), counts: { customers: 600 } })
  const countries = new Set<string>()
  for (let at = 0; at < 600; at += 1) {
    const { full_name, phone, location, shipping_address } = rows.at('Customer', at)
    const text = JSON.stringify([full_name, phone, location, shipping_address])
    expect(text).not.toMatch(/\{\{|undefined|\[object|"(line1|city|zip|country)":(null|"")/)
    expect(String(full_name)).toMatch(/\S \S/)
    countries.add((shipping_address as Person['shipping_address']).country)
  }
  expect(countries.size).toBeGreaterThan(45)
  expect(() => createMock({ world: { locale: 'fr_de' } })).toThrow('There is no locale "fr_de". Did you mean fr_BE?')
  expect(() => createMock({ world: { locale: '1' } })).toThrow('locale: must be locales of faker such as de or de, fr.')
})
