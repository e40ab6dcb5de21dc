/** Documents are parsed and validated once, as long as they fit into the cache. */
import { buildSchema, GraphQLError, type DocumentNode } from 'graphql'
import { afterEach, expect, test, vi } from 'vitest'
import { createDocuments, type Prepared } from './documents.js'
import { createEngine } from './engine.js'
import { defaultLimits } from './limit-rules.js'

const schema = buildSchema('type Query { a: Int, b: Int }')
const documents = (limits = defaultLimits) => createDocuments(schema, limits)

/** The capacity of the cache. */
const room = 256 * 1024

/** The weight of a field besides its text. */
const field = 8

/** A document of this weight, mostly a comment. */
const long = (name: string, weight: number) => `query ${name} { a } #`.padEnd(weight - field, 'x')
const documentOf = (prepared: Prepared): DocumentNode => {
  if ('errors' in prepared) throw new Error(`Expected a document, got ${JSON.stringify(prepared.errors)}`)
  return prepared.document
}

afterEach(() => vi.restoreAllMocks())

test('A document is prepared once and then cached.', () => {
  const prepare = documents()
  const first = prepare('{ a }')
  expect(first).toMatchObject({ fields: 1, document: { kind: 'Document' } })
  expect(prepare('{ a }')).toBe(first)
  expect(prepare('{ b }')).not.toBe(first)
  expect(prepare('{ a } ')).not.toBe(first)
  expect(documents()('{ a }')).not.toBe(first)
})

test.each(['{', '{ c }', '{ ~ }', `{ ${'a '.repeat(10_000)} }`, `{ a ${'@skip(if: true) '.repeat(101)} }`])(
  'An invalid document is not cached.',
  (text) => {
    const prepare = documents()
    const first = prepare(text)
    expect(first).toMatchObject({ errors: [expect.any(GraphQLError)] })
    expect(prepare(text)).not.toBe(first)
    expect(prepare(text)).toMatchObject({ errors: 'errors' in first && first.errors })
  },
)

test('Names of Object members are documents like any other.', () => {
  const prepare = documents()
  for (const text of ['constructor', '__proto__', 'toString']) {
    expect(prepare(text)).toMatchObject({ errors: [{ message: `Syntax Error: Unexpected Name "${text}".` }] })
  }
})

test('The cache starts again empty if a document does not fit any more.', () => {
  const prepare = documents()
  const texts = ['A', 'B', 'C', 'D', 'E'].map((name) => long(name, room / 5 - 1))
  const cached = texts.map((text) => documentOf(prepare(text)))
  for (const [i, text] of texts.entries()) expect(documentOf(prepare(text))).toBe(cached[i])
  const next = documentOf(prepare(long('F', room / 5)))
  for (const [i, text] of texts.slice(0, 3).entries()) expect(documentOf(prepare(text))).not.toBe(cached[i])
  expect(documentOf(prepare(long('F', room / 5)))).toBe(next)
})

test('A document as large as the cache evicts all others; a larger one is not cached and evicts nothing.', () => {
  const prepare = documents()
  const small = documentOf(prepare('{ a }'))
  const tooLong = long('A', room + 1)
  expect(documentOf(prepare(tooLong))).not.toBe(documentOf(prepare(tooLong)))
  expect(documentOf(prepare('{ a }'))).toBe(small)
  const whole = long('A', room)
  expect(documentOf(prepare(whole))).toBe(documentOf(prepare(whole)))
  expect(documentOf(prepare('{ a }'))).not.toBe(small)
  expect(documentOf(prepare('{ a }'))).toBe(documentOf(prepare('{ a }')))
})

test('A field adds weight each time a fragment selects it.', () => {
  const prepare = documents()
  const doubling = Array.from({ length: 13 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)
  // 8192 fields of weight 8 take a quarter of the capacity.
  const quarter = (name: string) => `query ${name} { ...F0 } ${doubling.join(' ')} fragment F13 on Query { a }`
  const first = documentOf(prepare(quarter('A')))
  for (const name of ['B', 'C']) prepare(quarter(name))
  expect(documentOf(prepare(quarter('A')))).toBe(first)
  for (const name of ['B', 'C', 'D']) prepare(quarter(name))
  expect(documentOf(prepare(quarter('A')))).not.toBe(first)
})

test('A request is prepared once, even if it is invalid.', async () => {
  const counted = buildSchema('type Query { a: Int, b: Int }')
  // Validation reads the type map, execution does not.
  const asked = vi.spyOn(counted, 'getDirectives')
  const engine = createEngine({ schema: counted })
  for (const query of ['{ c }', '{ a }']) {
    const before = asked.mock.calls.length
    const request = engine.prepare({ query })
    const once = asked.mock.calls.length
    expect(once).toBeGreaterThan(before)
    await engine.run(request, () => ({}))
    expect(asked.mock.calls.length).toBe(once)
  }
  await engine.run(engine.prepare({ query: '{ a }' }), () => ({}))
  const known = asked.mock.calls.length
  await engine.run(engine.prepare({ query: '{ c }' }), () => ({}))
  expect(asked.mock.calls.length).toBeGreaterThan(known)
})
