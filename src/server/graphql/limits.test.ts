/** Documents and variables at their limits and one above. */
import { buildSchema, getIntrospectionQuery, parse, type GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../index.js'
import { createDocuments } from './documents.js'
import { defaultLimits, limitMessage, limitRules, type LimitName, type Limits } from './limit-rules.js'
import { lengthUpTo, limitOfText, limitOfVariables, overLimit, sizeOfDocument } from './limits.js'

const schema = buildSchema('type Letter { char(at: [Int]): String, next: Letter } type Query { a: Letter, b: Letter }')

const times = (count: number, text: string | ((i: number) => string)): string =>
  Array.from({ length: count }, (_, i) => (typeof text === 'string' ? text : text(i))).join(' ')

/** What is said of a document where these limits differ from the usual ones. */
function saidOf(text: string, limits: Partial<Limits> = {}): readonly string[] {
  const prepared = createDocuments(schema, { ...defaultLimits, ...limits }).prepare(text)
  return 'errors' in prepared ? prepared.errors.map(({ message }) => message) : []
}

const over = (name: LimitName, max: number) => limitMessage('The document', name, max)

test('A limit is named in kebab case on the command line and in camel case in the library.', () => {
  expect(limitRules.find(({ key }) => key === 'bodyBytes')).toMatchObject({ name: 'body-bytes', default: 2_097_152 })
  expect(limitRules.find(({ key }) => key === 'depth')).toMatchObject({ name: 'depth', min: 1, default: 50 })
})

test('An error about a limit says what exceeds it and how to raise it.', () => {
  const error = overLimit('The document', 'textLength', 20)
  expect(error.message).toBe(
    'The document has more than 20 characters. Make it shorter, or raise the limit with --limit text-length=40 (createMock: limits: { textLength: 40 }).',
  )
  expect(error.extensions).toEqual({ code: 'LIMIT' })
  expect(limitMessage('The response', 'rows', Number.MAX_SAFE_INTEGER)).toContain('rows=9007199254740991 ')
})

/** Fields, each one level below the one before; the last has no selection. */
const nested = (levels: number) => `{ a ${'{ next '.repeat(levels - 2)}{ char }${' }'.repeat(levels - 2)} }`
/** Inline fragments in each other: levels that no field makes. */
const inline = (levels: number) => `{ ${'... { '.repeat(levels - 1)}__typename${' }'.repeat(levels - 1)} }`
const chain = (levels: number) =>
  `{ ...F2 } ${times(levels - 2, (i) => `fragment F${i + 2} on Query { ...F${i + 3} }`)} fragment F${levels} on Query { __typename }`
/** Each fragment spreads the next one twice: 2 to the power of `steps` fields. */
const doubling = (steps: number) =>
  `{ ...F0 } ${times(steps, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F${steps} on Query { __typename }`

type Case = readonly [name: LimitName, what: string, document: (count: number) => string, most: number]

const cases: readonly Case[] = [
  ['tokens', 'names', (count) => `{ ${times(count - 2, '__typename')} }`, 50],
  ['tokens', 'values', (count) => `{ a { char(at: [${times(count - 12, '1')}]) } }`, 50],
  ['tokens', 'tokens that no document ends with', (count) => `{ __typename } ${times(count - 3, '}')}`, 50],
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
  test.each(cases)('so many %s and no more: %s', (name, _, document, most) => {
    expect(saidOf(document(most), { [name]: most })).not.toContain(over(name, most))
    expect(saidOf(document(most + 1), { [name]: most })).toEqual([over(name, most)])
  })

  // At the limit a count is right only where one less is refused.
  test.each(cases)('so many %s and no fewer: %s', (name, _, document, most) => {
    expect(saidOf(document(most), { [name]: most - 1 })).toEqual([over(name, most - 1)])
  })

  test.each<[LimitName, string]>([
    ['tokens', `{ ${times(defaultLimits.tokens - 2, '__typename')} }`],
    ['depth', inline(defaultLimits.depth)],
    ['aliases', `{ ${times(defaultLimits.aliases, (i) => `a${i}: __typename`)} }`],
    ['directives', `{ ${times(defaultLimits.directives, (i) => `__typename @skip(if: ${i < 0})`)} }`],
  ])('as many %s as the default', (name, document) => {
    expect(saidOf(document)).not.toContain(over(name, defaultLimits[name]))
    expect(saidOf(document, { [name]: defaultLimits[name] - 1 })).toEqual([over(name, defaultLimits[name] - 1)])
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
])('%s are refused within a blink.', (_, document, name) => {
  const start = performance.now()
  expect(saidOf(document)).toEqual([over(name, defaultLimits[name])])
  expect(performance.now() - start).toBeLessThan(1000)
})

/** A document with fragments that nothing uses, each of which spreads two others. */
function circles(count: number): string {
  const fragment = (i: number) => `fragment F${i} on Query { ...F${(i + 1) % count} ...F${(i + 7) % count} }`
  return `{ __typename } ${times(count, fragment)}`
}

/** As many tokens as anybody likes, so that what comes after them is met. */
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
])('%s is too deep where the tokens are let pass.', (_, document) => {
  expect(saidOf(document, lifted)).toEqual([over('depth', defaultLimits.depth)])
})

test('Chains of fragments, where so many levels are let pass, end in an answer too.', () => {
  const many = { ...lifted, depth: 1000 }
  expect(saidOf(chain(1000), many)).toEqual([])
  expect(saidOf(chain(1001), many)).toEqual([over('depth', 1000)])
})

test('A short circle of fragments is named as graphql-js names it.', () => {
  expect(saidOf('{ ...A } fragment A on Query { ...A }')).toEqual(['Cannot spread fragment "A" within itself.'])
  expect(
    saidOf('{ ...A } fragment A on Query { ...B ...B a { char } } fragment B on Query { ...A b { char } }'),
  ).toEqual(['Cannot spread fragment "A" within itself via "B".'])
})

test('Short circles of many fragments do not run round until the stack ends.', () => {
  const star = `{ ...F } fragment F on Query { ${times(900, (i) => `...F${i}`)} } ${times(900, (i) => `fragment F${i} on Query { ...F }`)}`
  const said = saidOf(star, { tokens: 100_000 })
  expect(said).toHaveLength(defaultLimits.errors + 1)
  for (const message of said.slice(0, -1))
    expect(message).toMatch(/^Cannot spread fragment "F" within itself via "F\d+"\.$/)
})

test('A fragment that is not there is named, whatever else is counted.', () => {
  expect(saidOf('{ ...F __typename }')).toEqual(['Unknown fragment "F".'])
})

test('So many equal fields that comparing them would take too long are refused by a sentence that says so.', () => {
  expect(saidOf(`{ ${times(2400, 'a { char }')} }`)).toEqual([
    'The document repeats fields too often for all pairs to be compared. Select each once, or ask in parts: no option lifts this.',
  ])
})

test('Introspection that goes round is refused where it stands, by a sentence that says what is allowed.', () => {
  const nestedIn = (inner: string) => `{ __schema { types { fields { type { interfaces { name ${inner} } } } } } }`
  expect(saidOf(nestedIn(''))).toEqual([])
  const prepared = createDocuments(schema, defaultLimits).prepare(nestedIn('fields { name }'))
  expect('errors' in prepared && prepared.errors.map((it) => it.toJSON())).toEqual([
    {
      message:
        'The introspection nests fields, interfaces, possibleTypes or inputFields three deep. Nest two at most: no option lifts this.',
      locations: [{ line: 1, column: 3 }],
      extensions: { code: 'LIMIT' },
    },
  ])
})

test('Texts, comments and brackets in them count as one token or none.', () => {
  const text = `# ${'{'.repeat(1000)}\n{ a { char(at: []) } x: __typename @skip(if: "${'['.repeat(1000)}") }`
  expect(limitOfText(text, defaultLimits)).toBeUndefined()
  expect(limitOfText(`{ a(b: """${'{'.repeat(1000)}""") }`, defaultLimits)).toBeUndefined()
})

test('What is no token at all is a syntax error, wherever it stands.', () => {
  expect(limitOfText('{ a ~ }', defaultLimits)?.message).toBe('Syntax Error: Unexpected character: "~".')
  expect(limitOfText('{ a "', defaultLimits)?.message).toBe('Syntax Error: Unterminated string.')
})

test('Comments count as tokens, though the lexer passes over them.', () => {
  const limits = { ...defaultLimits, tokens: 10 }
  expect(limitOfText(`{ a }${'\n#'.repeat(10)}`, limits)).toBeUndefined()
  expect(limitOfText(`{ a }${'\n#'.repeat(11)}`, limits)?.message).toBe(over('tokens', 10))
})

test('The size of a document is that of its operations, with fragments written out.', () => {
  const document = parse(
    '{ ...A ...B } fragment A on Query { a { char } ...B } fragment B on Query { b { char next { char } } }',
  )
  expect(sizeOfDocument(document, defaultLimits)).toEqual({ fields: 10, cyclic: false })
  const circle = parse('{ a { char } } fragment A on Query { ...A }')
  expect(sizeOfDocument(circle, defaultLimits)).toEqual({ fields: 2, cyclic: true })
  const typesOnly = parse('type A { b: Int }')
  expect(sizeOfDocument(typesOnly, defaultLimits)).toEqual({ fields: 0, cyclic: false })
  const most = { ...defaultLimits, fields: 9 }
  expect((sizeOfDocument(document, most) as GraphQLError).message).toBe(over('fields', 9))
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
])('Variables have so many levels: %s.', (_, value, levels) => {
  const deeper = (depth: number) => limitOfVariables(value, { ...defaultLimits, depth })?.message
  expect(deeper(levels)).toBeUndefined()
  expect(deeper(levels - 1)).toBe(over('depth', levels - 1).replace('The document', 'A variable'))
})

test.each([lists, objects])('Variables of 100 000 levels are only looked at as far as they may go.', (nested) => {
  expect(limitOfVariables(nested(100_000), defaultLimits)?.message).toContain('more than 50 levels')
})

test.each([
  ['a name', (length: number) => `{ ${'x'.repeat(length)} }`],
  ['a text with its quotes', (length: number) => `{ a { char(at: "${'x'.repeat(length - 2)}") } }`],
  ['a block of text', (length: number) => `{ a { char(at: """${'x'.repeat(length - 6)}""") } }`],
  ['a number', (length: number) => `{ a { char(at: ${'1'.repeat(length)}) } }`],
])('A token of a document may have so many characters and no more: %s.', (_, document) => {
  const limits = { ...defaultLimits, textLength: 10 }
  expect(limitOfText(document(10), limits)).toBeUndefined()
  expect(limitOfText(document(11), limits)?.message).toBe(limitMessage('A token of the document', 'textLength', 10))
})

const few: Limits = { ...defaultLimits, depth: 3, variables: 5, textLength: 4 }
const tooMany = limitMessage('The object of variables', 'variables', 5)
const tooLong = limitMessage('A text in the variables', 'textLength', 4)
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
])('Of the variables %j is said: %s', (variables, message) => {
  expect(limitOfVariables(variables, few)?.message).toBe(message)
})

test.each([
  [null, 1],
  [7, 1],
  [12_345, 1],
  ['', 0],
  ['abc', 3],
  [[], 0],
  [[1, 'ab'], 3],
  [{}, 0],
  [{ ab: 'c' }, 3],
  [{ a: { bc: [null, 'd'] }, e: '' }, 6],
])('The names and values of %j have so many characters: %j.', (value, length) => {
  expect(lengthUpTo(value, length)).toBe(length)
  expect(lengthUpTo(value, length - 1)).toBeGreaterThan(length - 1)
})

const small: MockOptions = { freeze: true, counts: { customers: 1000, segments: 1, stores: 1 } }
const mock = createMock(small)
const errorsOf = async (query: string, variables?: Record<string, unknown>, to = mock) =>
  (await to.execute({ query, variables })).errors?.map(({ message }) => message) ?? []

test('What clients do honestly passes: fifty creates under aliases, a thousand records, the whole schema.', async () => {
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

test('Variables may have so many levels and no more.', async () => {
  const query = 'mutation ($node: SegmentInput!) { createSegment(node: $node) { id } }'
  const deeper = limitMessage('A variable', 'depth', 50)
  const at = await errorsOf(query, { node: { name: lists(48) } })
  expect(at).toHaveLength(1)
  expect(at).not.toEqual([deeper])
  expect(await errorsOf(query, { node: { name: lists(49) } })).toEqual([deeper])
  expect(await errorsOf(query, { other: lists(100_000), node: {} })).toEqual([deeper])
})

test('A mock takes limits of its own, and only such as there are.', async () => {
  const strict = createMock({ ...small, limits: { tokens: 5, depth: 3 } })
  expect(await errorsOf('{ a b c }', {}, strict)).not.toContain(over('tokens', 5))
  expect(await errorsOf('{ a b c d }', {}, strict)).toEqual([over('tokens', 5)])
  expect(await errorsOf('{ { { {', {}, strict)).toEqual([over('depth', 3)])
  for (const [limits, message] of [
    [{ tokens: 0 }, 'The limit tokens must be a whole number from 1, not 0.'],
    [{ tokens: 1.5 }, 'The limit tokens must be a whole number from 1, not 1.5.'],
    [{ tokens: NaN }, 'The limit tokens must be a whole number from 1, not NaN.'],
    [{ tokens: '5' }, 'The limit tokens must be a whole number from 1, not 5.'],
    [{ token: 5 }, `There is no limit "token". The limits: ${Object.keys(defaultLimits).join(', ')}.`],
    [{ constructor: 5 }, `There is no limit "constructor". The limits: ${Object.keys(defaultLimits).join(', ')}.`],
  ] as const) {
    expect(() => createMock({ ...small, limits: limits as MockOptions['limits'] })).toThrow(new Error(message))
  }
})

test('An answer lists so many errors and says that there are more.', async () => {
  const wrong = (count: number) => `{ ${times(count, (i) => `x${i}`)} }`
  const found = await errorsOf(wrong(20))
  expect(found).toHaveLength(20)
  const more = await errorsOf(wrong(21))
  expect(more.slice(0, 20)).toEqual(found)
  expect(more.slice(20)).toEqual([limitMessage('The answer', 'errors', 20)])
  const failing = await errorsOf(`{ ${times(30, (i) => `a${i}: customers(query: "x") { edges { cursor } }`)} }`)
  expect(failing).toHaveLength(21)
  expect(failing[20]).toBe(limitMessage('The answer', 'errors', 20))
})
