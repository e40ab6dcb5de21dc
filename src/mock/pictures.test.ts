/** Pictures of customers and products, under the URLs of the API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock } from '../index.js'

const mock = createMock({
  freeze: true,
  counts: { customers: 3, stores: 1, products: 5 },
  allow: { hosts: ['shop.test'] },
})
const json = { 'content-type': 'application/json' }
let url = ''

beforeAll(async () => ({ url } = await mock.listen({ port: 0 })))
afterAll(() => mock.close())

interface Shown {
  readonly customers: { readonly edges: readonly { readonly node: { readonly id: string; readonly avatar: string } }[] }
  readonly account: { readonly stores: readonly { readonly products: readonly { readonly thumbnail: string }[] }[] }
}

const query = `{
  customers(query: "") { edges { node { id avatar } } }
  account { stores { products { thumbnail } } }
}`

async function shown(address: string, headers: Record<string, string> = {}): Promise<Shown> {
  const init = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify({ query }) }
  const response = address === url ? await fetch(address, init) : await mock.fetch(address, init)
  return ((await response.json()) as { data: Shown }).data
}

const first = ({ customers }: Shown) => customers.edges[0]?.node ?? { id: '', avatar: '' }

test('every picture URL of the API is served', async () => {
  const { customers, account } = await shown(url)
  const pictures = [
    ...customers.edges.map(({ node }) => node.avatar),
    ...account.stores.flatMap(({ products }) => products.map(({ thumbnail }) => thumbnail)),
  ]
  expect(pictures.length).toBeGreaterThan(3)
  for (const picture of pictures) {
    const response = await fetch(`http:${picture}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*>[A-Z]{2}<\/text><\/svg>$/)
  }
})

test('a picture URL has the host of the request', async () => {
  const { id, avatar } = first(await shown(url))
  expect(avatar).toBe(`//${new URL(url).host}/_mock/avatars/${id}.svg`)
  for (const host of ['shop.test', 'shop.test:8080', 'LOCALHOST:1', '[::1]:4000', '127.0.0.1:4000']) {
    expect(first(await shown('http://ignored/api/v2', { host })).avatar).toBe(`//${host}/_mock/avatars/${id}.svg`)
  }
  expect(first(await shown('http://in-process:99/api/v2')).avatar).toBe(`//in-process:99/_mock/avatars/${id}.svg`)
  for (const path of ['', '/s/a']) {
    const { avatar: inSession } = first(await shown(new URL(`${path}/api/v2`, url).href))
    const record = await fetch(new URL(`${path}/_mock/records/Customer/${id}`, url))
    expect(await record.json()).toMatchObject({ avatar: inSession })
  }
})

test('without a request, a picture URL has the default host; an invalid host is rejected', async () => {
  const { data } = await mock.execute({ query })
  const { id, avatar } = first(data as unknown as Shown)
  expect(avatar).toBe(`//localhost:4000/_mock/avatars/${id}.svg`)
  for (const host of ['"><script>', 'a b', 'a/b', 'user@host', 'host:port', ':4000', 'host:123456', '[x]']) {
    const init = { method: 'POST', headers: { ...json, host }, body: JSON.stringify({ query }) }
    const response = await mock.fetch('http://ignored/api/v2', init)
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain('avatar')
  }
})

const pictureOf = async (id: string, folder = 'avatars') => {
  const response = await mock.fetch(`http://x/_mock/${folder}/${id}.svg`)
  return { status: response.status, text: await response.text() }
}

test.each([
  ['Ada', 'Lovelace', 'AL'],
  ['ada', 'lovelace', 'AL'],
  ['Ada Byron', 'Lovelace', 'AB'],
  ['Ada', '', 'A'],
  ['', '', ''],
  ['<b>', '&amp;', '&#60;&#38;'],
  ['"quoted"', "'quoted'", '&#34;&#39;'],
  ['😀 ', '\u{1F9D1}\u200D\u{1F680}', '😀🧑'],
  ['\u0000\u202E', '\uD800', ''],
  ['éa', 'ßa', 'ÉSS'],
])('the initials of %j %j are %j', async (first_name, last_name, initials) => {
  const id = first(await shown(url)).id
  mock.set('Customer', id, { first_name: first_name })
  mock.set('Customer', id, { last_name: last_name })
  const { status, text } = await pictureOf(id)
  expect(status).toBe(200)
  expect(/<text [^>]*>(.*)<\/text><\/svg>$/s.exec(text)?.[1]).toBe(initials)
  mock.reset()
})

test('the colour depends on the customer, not on the name', async () => {
  const [one, two] = (await shown(url)).customers.edges.map(({ node }) => node.id)
  const colour = async (id = '') => /hsl\(\d+ 45% 42%\)/.exec((await pictureOf(id)).text)?.[0]
  const before = await colour(one)
  expect(before).toBeDefined()
  expect(await colour(two)).not.toBe(before)
  mock.set('Customer', one ?? '', { first_name: 'Other' })
  expect(await colour(one)).toBe(before)
  mock.reset()
})

test('a picture URL can be set', async () => {
  const { id } = first(await shown(url))
  mock.set('Customer', id, { avatar: '//cdn.example/a.png' })
  expect(first(await shown(url)).avatar).toBe('//cdn.example/a.png')
  mock.reset()
})

test('a new customer has a picture', async () => {
  const person =
    'email: "a@b.c", phone: "1", first_name: "Grace", last_name: "Hopper", accepts_marketing: true, tags: []'
  const { data } = await mock.execute({ query: `mutation { createCustomer(node: { ${person} }) { id } }` })
  const { id } = (data ?? {})['createCustomer'] as { id: string }
  expect((await pictureOf(id)).text).toContain('>GH<')
  mock.reset()
  expect((await pictureOf(id)).status).toBe(404)
})

test('an unknown picture is a 404', async () => {
  const { id } = first(await shown(url))
  const other = createMock({ seed: 2 }).world.population.table('Customer')?.ids.encode(0) ?? ''
  for (const unknown of [other, '1', `${id}x`, id.toLowerCase(), `../${id}`, '%2e%2e', '']) {
    expect((await pictureOf(unknown)).status).toBe(404)
  }
  for (const folder of ['thumbnails', 'constructor', '__proto__', 'Avatars']) {
    expect((await pictureOf(id, folder)).status).toBe(404)
  }
  expect((await mock.fetch(`http://x/_mock/avatars/${id}.png`)).status).toBe(404)
  expect((await mock.fetch(`http://x/_mock/avatars/${id}`)).status).toBe(404)
})
