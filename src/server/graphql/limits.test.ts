/** Documents and variables at their limits and one above. */
import { buildSchema, getIntrospectionQuery, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../index.js'
import { createDocuments } from './documents.js'
import { defaultLimits, limitMessage, limitRules, type LimitName, type Limits } from './limit-rules.js'
import { checkText, measureDocument, overLimit, variablesError } from './limits.js'

const schema = buildSchema('type Letter { char(at: [Int]): String, next: Letter } type Query { a: Letter, b: Letter }')

const times = (count: number, text: string | ((i: number) => string)): string =>
  Array.from({ length: count }, (_, i) => (typeof text === 'string' ? text : text(i))).join(' ')

/** The errors of a document under these limits. */
function errorsOfText(text: string, limits: Partial<Limits> = {}): readonly string[] {
  const prepared = createDocuments(schema, { ...defaultLimits, ...limits })(text)
  return 'errors' in prepared ? prepared.errors.map(({ message }) => message) : []
}

const over = (name: LimitName, max: number) => limitMessage('The document', name, max)

test('A limit is named in kebab case on the command line and in camel case in the library.', () => {
  expect(limitRules.find(({ key }) => key === 'bodyBytes')).toMatchObject({ name: 'body-bytes', default: 2_097_152 })
  expect(limitRules.find(({ key }) => key === 'depth')).toMatchObject({ name: 'depth', default: 50 })
})

test('An error about a limit says what exceeds it and how to raise it.', () => {
  const error = overLimit('The document', 'textLength', 20)
  expect(error.message).toBe(
    'The document has more than 20 characters. Ask for less, or raise the limit with --limit text-length=40 (createMock: limits: { textLength: 40 }).',
  )
  expect(error.extensions).toEqual({ code: 'LIMIT' })
  expect(limitMessage('The response', 'rows', Number.MAX_SAFE_INTEGER)).toContain('rows=9007199254740991 ')
})

/** Nested fields. */
const nested = (levels: number) => `{ a ${'{ next '.repeat(levels - 2)}{ char }${' }'.repeat(levels - 2)} }`
/** Nested inline fragments. */
const inline = (levels: number) => `{ ${'... { '.repeat(levels - 1)}__typename${' }'.repeat(levels - 1)} }`
const chain = (levels: number) =>
  `{ ...F2 } ${times(levels - 2, (i) => `fragment F${i + 2} on Query { ...F${i + 3} }`)} fragment F${levels} on Query { __typename }`
/** Each fragment spreads the next one twice: 2 to the power of `steps` fields. */
const doubling = (steps: number) =>
  `{ ...F0 } ${times(steps, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F${steps} on Query { __typename }`

type Case = readonly [name: LimitName, what: string, document: (count: number) => string, max: number]

const cases: readonly Case[] = [
  ['tokens', 'names', (count) => `{ ${times(count - 2, '__typename')} }`, 50],
  ['tokens', 'values', (count) => `{ a { char(at: [${times(count - 12, '1')}]) } }`, 50],
  ['tokens', 'closing brackets after the end', (count) => `{ __typename } ${times(count - 3, '}')}`, 50],
  ['depth', 'fields', nested, 10],
  ['depth', 'inline fragments', inline, 10],
  ['depth', 'fragments that spread each other', chain, 10],
  ['depth', 'fragments that nothing uses', (count) => chain(count + 1).replace('...F2', '__typename'), 10],
  ['depth', 'lists', (count) => `{ a { char(at: ${'['.repeat(count - 3)}${']'.repeat(count - 3)}) } }`, 10],
  ['depth', 'types', (count) => `query ($a: ${'['.repeat(count - 1)}Int${']'.repeat(count - 1)}) { __typename }`, 10],
  ['aliases', 'aliases', (count) => `{ ${times(count, (i) => `a${i}: __typename`)} }`, 10],
  [
    'aliases',
    'aliases in fragments',
    (count) => `{ a1: __typename ...F } fragment F on Query { ${times(count - 1, (i) => `b${i}: __typename`)} }`,
    10,
  ],
  ['directives', 'directives of one field', (count) => `{ __typename ${times(count, '@skip(if: false)')} }`, 10],
  ['directives', 'directives of an operation', (count) => `query ${times(count, '@x')} { __typename }`, 10],
  ['directives', 'directives of many fields', (count) => `{ ${times(count, '__typename @include(if: true)')} }`, 10],
  ['fields', 'fields', (count) => `{ ${times(count, '__typename')} }`, 10],
  [
    'fields',
    'fields of two operations',
    (count) => `query A { __typename } query B { ${times(count - 1, '__typename')} }`,
    10,
  ],
  [
    'fields',
    'fields of a fragment that is used twice',
    (count) =>
      `{ ${times(count % 2, 'a')} ...F ...F } fragment F on Query { ${times(Math.floor(count / 2), '__typename')} }`,
    10,
  ],
]

describe('A document may have', () => {
  test.each(cases)('at max the limit of %s: %s', (name, _, document, max) => {
    expect(errorsOfText(document(max), { [name]: max })).not.toContain(over(name, max))
    expect(errorsOfText(document(max + 1), { [name]: max })).toEqual([over(name, max)])
  })

  test.each(cases)('exactly the limit of %s: %s', (name, _, document, max) => {
    expect(errorsOfText(document(max), { [name]: max - 1 })).toEqual([over(name, max - 1)])
  })

  test.each<[LimitName, string]>([
    ['tokens', `{ ${times(defaultLimits.tokens - 2, '__typename')} }`],
    ['depth', inline(defaultLimits.depth)],
    ['aliases', `{ ${times(defaultLimits.aliases, (i) => `a${i}: __typename`)} }`],
    ['directives', `{ ${times(defaultLimits.directives, (i) => `__typename @skip(if: ${i < 0})`)} }`],
  ])('as many %s as the default', (name, document) => {
    expect(errorsOfText(document)).not.toContain(over(name, defaultLimits[name]))
    expect(errorsOfText(document, { [name]: defaultLimits[name] - 1 })).toEqual([over(name, defaultLimits[name] - 1)])
  })
})

test.each<[string, string, LimitName]>([
  ['Brackets of 100 000 levels', '{'.repeat(100_000), 'depth'],
  ['Lists of 100 000 levels', `{ a(b: ${'['.repeat(100_000)}`, 'depth'],
  ['Objects of 100 000 levels', `{ a(b: ${'{ c: '.repeat(100_000)}`, 'depth'],
  ['Parentheses of 100 000 levels', `{ a${'('.repeat(100_000)}`, 'depth'],
  ['Types of 100 000 levels', `query ($a: ${'['.repeat(100_000)}`, 'depth'],
  ['A chain of 5000 fragments', chain(5000), 'tokens'],
  ['2 to the power of 40 fields', doubling(40), 'fields'],
  ['600 fragments that spread each other in circles', circles(600), 'depth'],
])('%s are rejected within a second.', (_, document, name) => {
  const start = performance.now()
  expect(errorsOfText(document)).toEqual([over(name, defaultLimits[name])])
  expect(performance.now() - start).toBeLessThan(1000)
})

/** Unused fragments that each spread two others. */
function circles(count: number): string {
  const fragment = (i: number) => `fragment F${i} on Query { ...F${(i + 1) % count} ...F${(i + 7) % count} }`
  return `{ __typename } ${times(count, fragment)}`
}

/** Enough tokens for the other limits to apply. */
const lifted = { tokens: 1_000_000 }

test.each<[string, string]>([
  ['A chain of 5000 fragments', chain(5000)],
  ['A chain of 5000 fragments that nothing uses', chain(5000).replace('...F2', '__typename')],
  ['A circle of 5000 fragments', chain(5000).replace(/__typename/, '...F2')],
  [
    'A circle of 5000 fragments that nothing uses',
    chain(5000)
      .replace(/__typename/, '...F2')
      .replace('...F2', 'a { char }'),
  ],
  ['5000 fragments in circles', circles(5000)],
])('%s is too deep, even with enough tokens.', (_, document) => {
  expect(errorsOfText(document, lifted)).toEqual([over('depth', defaultLimits.depth)])
})

test('A chain of 1000 fragments is valid if the limits allow it.', () => {
  const many = { ...lifted, depth: 1000 }
  expect(errorsOfText(chain(1000), many)).toEqual([])
  expect(errorsOfText(chain(1001), many)).toEqual([over('depth', 1000)])
})

test('graphql-js reports a cycle of fragments.', () => {
  expect(errorsOfText('{ ...A } fragment A on Query { ...A }')).toEqual(['Cannot spread fragment "A" within itself.'])
  expect(
    errorsOfText('{ ...A } fragment A on Query { ...B ...B a { char } } fragment B on Query { ...A b { char } }'),
  ).toEqual(['Cannot spread fragment "A" within itself via "B".'])
})

test('900 cycles of fragments do not overflow the stack.', () => {
  const star = `{ ...F } fragment F on Query { ${times(900, (i) => `...F${i}`)} } ${times(900, (i) => `fragment F${i} on Query { ...F }`)}`
  const said = errorsOfText(star, { tokens: 100_000 })
  expect(said).toHaveLength(defaultLimits.errors + 1)
  for (const message of said.slice(0, -1))
    expect(message).toMatch(/^Cannot spread fragment "F" within itself via "F\d+"\.$/)
})

test('graphql-js reports a missing fragment.', () => {
  expect(errorsOfText('{ ...F __typename }')).toEqual(['Unknown fragment "F".'])
})

test('A string or a comment is one token or none, whatever brackets it contains.', () => {
  const text = `# ${'{'.repeat(1000)}\n{ a { char(at: []) } x: __typename @skip(if: "${'['.repeat(1000)}") }`
  expect(() => checkText(text, defaultLimits)).not.toThrow()
  expect(() => checkText(`{ a(b: """${'{'.repeat(1000)}""") }`, defaultLimits)).not.toThrow()
})

test('A character that starts no token is a syntax error.', () => {
  expect(() => checkText('{ a ~ }', defaultLimits)).toThrow('Syntax Error: Unexpected character: "~".')
  expect(() => checkText('{ a "', defaultLimits)).toThrow('Syntax Error: Unterminated string.')
})

test('The size of a document is that of its operations with their fragments inlined.', () => {
  const document = parse(
    '{ ...A ...B } fragment A on Query { a { char } ...B } fragment B on Query { b { char next { char } } }',
  )
  expect(measureDocument(document, defaultLimits)).toEqual({ fields: 10, cyclic: false })
  const circle = parse('{ a { char } } fragment A on Query { ...A }')
  expect(measureDocument(circle, defaultLimits)).toEqual({ fields: 2, cyclic: true })
  const typesOnly = parse('type A { b: Int }')
  expect(measureDocument(typesOnly, defaultLimits)).toEqual({ fields: 0, cyclic: false })
  const strict = { ...defaultLimits, fields: 9 }
  expect(() => measureDocument(document, strict)).toThrow(over('fields', 9))
})

const lists = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)
const objects = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

test.each([
  ['null', null, 0],
  ['an empty object', {}, 0],
  ['an empty list', [], 0],
  ['an object of one', { a: 1 }, 1],
  ['a wide list', Array.from({ length: 10_000 }, () => 1), 1],
  ['a member called __proto__', JSON.parse('{"__proto__":{"a":1}}'), 2],
  ['a deep member among others', { a: 1, b: [1, { c: 2 }], d: null }, 3],
  ['lists of 7 levels', lists(7), 7],
  ['objects of 7 levels', objects(7), 7],
])('The depth of variables is measured: %s.', (_, value, levels) => {
  const deeper = (depth: number) => variablesError(value, { ...defaultLimits, depth })?.message
  expect(deeper(levels)).toBeUndefined()
  expect(deeper(levels - 1)).toBe(over('depth', levels - 1).replace('The document', 'A variable'))
})

test.each([lists, objects])('Variables of 100 000 levels do not overflow the stack.', (nested) => {
  expect(variablesError(nested(100_000), defaultLimits)?.message).toContain('more than 50 levels')
})

test.each([
  ['a name', (length: number) => `{ ${'x'.repeat(length)} }`],
  ['a string with its quotes', (length: number) => `{ a { char(at: "${'x'.repeat(length - 2)}") } }`],
  ['a block string', (length: number) => `{ a { char(at: """${'x'.repeat(length - 6)}""") } }`],
  ['a number', (length: number) => `{ a { char(at: ${'1'.repeat(length)}) } }`],
])('The length of a token is limited: %s.', (_, document) => {
  const limits = { ...defaultLimits, textLength: 10 }
  expect(() => checkText(document(10), limits)).not.toThrow()
  expect(() => checkText(document(11), limits)).toThrow(limitMessage('A token of the document', 'textLength', 10))
})

const few: Limits = { ...defaultLimits, depth: 3, variables: 5, textLength: 4 }
const tooMany = limitMessage('The object of variables', 'variables', 5)
const tooLong = limitMessage('A string in the variables', 'textLength', 4)
const tooDeep = limitMessage('A variable', 'depth', 3)

test.each<[variables: unknown, message: string | undefined]>([
  [undefined, undefined],
  [null, undefined],
  [{}, undefined],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, undefined],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, tooMany],
  [{ a: [1, 2, 3, 4] }, undefined],
  [{ a: [1, 2, 3, 4, 5] }, tooMany],
  [{ a: { b: [1, null, false] } }, undefined],
  [{ a: { b: [1, null, false, ''] } }, tooMany],
  [{ a: 'four', four: 1 }, undefined],
  [{ a: 'fives' }, tooLong],
  [{ fives: 1 }, tooLong],
  [{ a: [{ b: 'fives' }] }, tooLong],
  [{ a: [{ fives: 1 }] }, tooLong],
  [{ a: [['x']] }, undefined],
  [{ a: [[['x']]] }, tooDeep],
])('Variables %j: %s', (variables, message) => {
  expect(variablesError(variables, few)?.message).toBe(message)
})

const small: MockOptions = { freeze: true, counts: { customers: 1000, segments: 1, stores: 1 } }
const mock = createMock(small)
const errorsOf = async (query: string, variables?: Record<string, unknown>, to = mock) =>
  (await to.execute({ query, variables })).errors?.map(({ message }) => message) ?? []

test('Usual requests are within the limits: fifty aliased creates, a thousand records, the whole schema.', async () => {
  const creates = `mutation { ${times(50, (i) => `a${i}: createSegment(node: { name: "${i}" }) { id name }`)} }`
  expect(await errorsOf(creates, {}, mock.fork())).toEqual([])
  expect(
    await errorsOf('{ customers(query: "", first: 1000) { edges { cursor node { id full_name email } } } }'),
  ).toEqual([])
  const introspection = getIntrospectionQuery({
    inputValueDeprecation: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    oneOf: true,
  })
  expect(await errorsOf(introspection)).toEqual([])
})

test('The depth of variables is limited.', async () => {
  const query = 'mutation ($node: SegmentInput!) { createSegment(node: $node) { id } }'
  const deeper = limitMessage('A variable', 'depth', 50)
  const at = await errorsOf(query, { node: { name: lists(48) } })
  expect(at).toHaveLength(1)
  expect(at).not.toEqual([deeper])
  expect(await errorsOf(query, { node: { name: lists(49) } })).toEqual([deeper])
  expect(await errorsOf(query, { other: lists(100_000), node: {} })).toEqual([deeper])
})

test('A mock has limits of its own, and an unknown one is an error.', async () => {
  const strict = createMock({ ...small, limits: { tokens: 5, depth: 3 } })
  expect(await errorsOf('{ a b c }', {}, strict)).not.toContain(over('tokens', 5))
  expect(await errorsOf('{ a b c d }', {}, strict)).toEqual([over('tokens', 5)])
  expect(await errorsOf('{ { { {', {}, strict)).toEqual([over('depth', 3)])
  for (const [limits, message] of [
    [{ tokens: 0 }, 'The limit tokens must be a whole number from 1, not 0.'],
    [{ tokens: 1.5 }, 'The limit tokens must be a whole number from 1, not 1.5.'],
    [{ tokens: NaN }, 'The limit tokens must be a whole number from 1, not NaN.'],
    [{ tokens: '5' }, 'The limit tokens must be a whole number from 1, not 5.'],
    [{ token: 5 }, 'There is no limit "token". Did you mean tokens?'],
    [{ constructor: 5 }, `There is no limit "constructor". Choose one of: ${Object.keys(defaultLimits).join(', ')}.`],
  ] as const) {
    expect(() => createMock({ ...small, limits: limits as MockOptions['limits'] })).toThrow(new Error(message))
  }
})

test('A response has at most as many errors as allowed, and says that there are more.', async () => {
  const wrong = (count: number) => `{ ${times(count, (i) => `x${i}`)} }`
  const found = await errorsOf(wrong(20))
  expect(found).toHaveLength(20)
  const more = await errorsOf(wrong(21))
  expect(more.slice(0, 20)).toEqual(found)
  expect(more.slice(20)).toEqual([limitMessage('The response', 'errors', 20)])
  const failing = await errorsOf(`{ ${times(30, (i) => `a${i}: customers(query: "x") { edges { cursor } }`)} }`)
  expect(failing).toHaveLength(21)
  expect(failing[20]).toBe(limitMessage('The response', 'errors', 20))
})
