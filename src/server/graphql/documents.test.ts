/** Documents are parsed and validated once, as long as there is room to remember them. */
import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { buildSchema, GraphQLError, type DocumentNode } from 'graphql'
import { afterEach, expect, test, vi } from 'vitest'
import { createMock } from '../../index.js'
import { createDocuments, type Prepared } from './documents.js'
import { createEngine } from './engine.js'
import { defaultLimits } from './limit-rules.js'

const schema = buildSchema('type Query { a: Int, b: Int }')
const documents = (limits = defaultLimits) => createDocuments(schema, limits)

/** How much of documents is remembered. */
const room = 256 * 1024

/** What a field weighs, besides the text that selects it. */
const field = 8

/** A document that weighs so much, most of it in a comment. */
const long = (name: string, weight: number) => `query ${name} { a } #`.padEnd(weight - field, 'x')
const documentOf = (prepared: Prepared): DocumentNode => {
  if ('errors' in prepared) throw new Error(`Expected a document, got ${JSON.stringify(prepared.errors)}`)
  return prepared.document
}

afterEach(() => vi.restoreAllMocks())

test('A document is prepared once, and the same one is given again.', () => {
  const { prepare } = documents()
  const first = prepare('{ a }')
  expect(first).toMatchObject({ fields: 1, document: { kind: 'Document' } })
  expect(prepare('{ a }')).toBe(first)
  expect(prepare('{ b }')).not.toBe(first)
  expect(prepare('{ a } ')).not.toBe(first)
  expect(documents().prepare('{ a }')).not.toBe(first)
})

test.each(['{', '{ c }', '{ ~ }', `{ ${'a '.repeat(10_000)} }`, `{ a ${'@skip(if: true) '.repeat(101)} }`])(
  'A wrong document is not remembered, and is wrong again.',
  (text) => {
    const { prepare } = documents()
    const first = prepare(text)
    expect(first).toMatchObject({ errors: [expect.any(GraphQLError)] })
    expect(prepare(text)).not.toBe(first)
    expect(prepare(text)).toEqual(first)
  },
)

test('Names of members that every object has are documents like any other.', () => {
  const { prepare } = documents()
  for (const text of ['constructor', '__proto__', 'toString']) {
    expect(prepare(text)).toMatchObject({ errors: [{ message: `Syntax Error: Unexpected Name "${text}".` }] })
  }
})

test('Who was not asked for the longest is forgotten first, and no other.', () => {
  const { prepare } = documents()
  const texts = ['A', 'B', 'C', 'D', 'E'].map((name) => long(name, room / 5 - 1))
  const kept = texts.map((text) => documentOf(prepare(text)))
  expect(texts.map((text) => documentOf(prepare(text)))).toEqual(kept)
  for (const [i, text] of texts.entries()) expect(documentOf(prepare(text))).toBe(kept[i])
  // The first is asked for once more, so the second is the oldest.
  prepare(texts[0] as string)
  prepare(long('F', room / 5 - 1))
  for (const i of [2, 3, 4, 0]) expect(documentOf(prepare(texts[i] as string))).toBe(kept[i])
  expect(documentOf(prepare(texts[1] as string))).not.toBe(kept[1])
})

test('A document that takes all the room is remembered alone, and a longer one is not and drives out nobody.', () => {
  const { prepare } = documents()
  const small = documentOf(prepare('{ a }'))
  const tooLong = long('A', room + 1)
  expect(documentOf(prepare(tooLong))).not.toBe(documentOf(prepare(tooLong)))
  expect(documentOf(prepare('{ a }'))).toBe(small)
  const whole = long('A', room)
  expect(documentOf(prepare(whole))).toBe(documentOf(prepare(whole)))
  expect(documentOf(prepare('{ a }'))).not.toBe(small)
  // The short one drove out the whole one.
  expect(documentOf(prepare('{ a }'))).toBe(documentOf(prepare('{ a }')))
})

test('Fields weigh as often as they are used, however short the text is that does it by fragments.', () => {
  const { prepare } = documents()
  const doubling = Array.from({ length: 13 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)
  // 8192 fields of eight are a quarter of the room.
  const quarter = (name: string) => `query ${name} { ...F0 } ${doubling.join(' ')} fragment F13 on Query { a }`
  const first = documentOf(prepare(quarter('A')))
  for (const name of ['B', 'C']) prepare(quarter(name))
  expect(documentOf(prepare(quarter('A')))).toBe(first)
  for (const name of ['B', 'C', 'D']) prepare(quarter(name))
  expect(documentOf(prepare(quarter('A')))).not.toBe(first)
})

test('All that is remembered fits into the room, and the room is used.', () => {
  const { prepare } = documents()
  const given: [text: string, document: DocumentNode][] = []
  for (let i = 0; i < 400; i++) {
    const text = long(`A${i}`, 1000 + ((i * 7919) % 5000))
    given.push([text, documentOf(prepare(text))])
  }
  const newestFirst = given.toReversed()
  const forgotten = newestFirst.findIndex(([text, document]) => documentOf(prepare(text)) !== document)
  const lengthOf = (count: number) => newestFirst.slice(0, count).reduce((sum, [text]) => sum + text.length + field, 0)
  expect(forgotten).toBeGreaterThan(50)
  expect(lengthOf(forgotten)).toBeLessThanOrEqual(room)
  expect(lengthOf(forgotten + 1)).toBeGreaterThan(room)
})

test('A request is prepared once, also a wrong one that is asked about before it is executed.', async () => {
  const counted = buildSchema('type Query { a: Int, b: Int }')
  // Validation asks for them, execution does not.
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
  await engine.execute({ query: '{ a }' }, () => ({}))
  const known = asked.mock.calls.length
  await engine.execute({ query: '{ c }' }, () => ({}))
  expect(asked.mock.calls.length).toBeGreaterThan(known)
})

test('10 000 different documents grow memory by less than 100 MiB.', { timeout: 120_000 }, async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const mock = createMock({ freeze: true, counts: { customers: 3 } })
  const ask = (name: string) => {
    const fields = Array.from({ length: 12 }, (_, i) => `a${i}: full_name`).join(' ')
    return mock.execute({ query: `query ${name} { customers(query: "", first: 1) { edges { node { ${fields} } } } }` })
  }
  await ask('First')
  const before = used()
  for (let i = 0; i < 10_000; i++) {
    const { errors } = await ask(`Q${i}`)
    if (errors) throw new Error(JSON.stringify(errors))
  }
  expect((used() - before) / 1024 / 1024).toBeLessThan(100)
})
