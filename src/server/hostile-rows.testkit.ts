/** The hostile inputs, each with the answer that is wanted. Rows that would differ only in a name are one row that sends all of them. */
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import { getIntrospectionQuery } from 'graphql'
import { exampleCustomer } from '../../contracts/customers.js'
import type { ChildPorts } from './hostile-child.testkit.js'
import { ask, bytes, get, many, nested, post, postLine, request, type Sent } from './hostile.testkit.js'

/** What rows can only know of the running mock. */
export interface Given {
  readonly customer: string
  /** A customer with long notes, and a telephone number that fills the rest of an answer. */
  readonly wordy: string
  readonly segment: string
  readonly store: string
  readonly otherStore: string
  /** Cursors by the list and the order that they were given for. */
  readonly cursors: Readonly<Record<'customers' | 'descending' | 'byName' | 'segments' | 'products', string>>
}

interface More {
  /** What the message says of the way out. */
  readonly option?: string
  /** The code of the last error where it is another. */
  readonly last?: string
  /** The host or the origin is repeated in full, because the message shows the option that lets it in. */
  readonly repeats?: true
  /** Another mock than the attacked one. */
  readonly port?: keyof ChildPorts
  /** How many answers come over the one connection. */
  readonly answers?: number
}

/**
 * The code is that of the first error; `data` wants data and no errors, `page` an answer that is no JSON, `empty` no body.
 * A row that sends several wants the same of each.
 */
export type Row = readonly [
  name: string,
  send: (given: Given) => Sent | { readonly all: readonly Sent[] },
  status: number,
  code: string,
  more?: More,
]

const longest = 65_536
const mostAnswered = 32 * 1024 * 1024
const custom = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'x'.repeat(longest)]))
/** The names data, node, phone and custom, those in `custom` and 500 aliases of four characters. */
const ofNames = 4 + 4 + 5 + 6 + Object.keys(custom).join('').length + 500 * 4

/** A customer of whom 500 times the notes, the telephone number and the free fields fill an answer to its last character. */
export const wordyUpdate = {
  notes: 'x'.repeat(longest),
  custom,
  phone: 'x'.repeat(mostAnswered - 500 * longest - 11 * longest - ofNames),
}

/** A token as Facebook gives them, sent wherever a secret could be. */
export const secret = 'EAABwzLixnjYBOsecretsecretZCZAq0hostile'

const mebibyte = 1024 * 1024
const parse = 'GRAPHQL_PARSE_FAILED'
const invalid = 'GRAPHQL_VALIDATION_FAILED'
const badInput = 'BAD_USER_INPUT'
const over = (name: string): More => ({ option: `--max-${name}` })
const fixed =
  (sent: Sent): Row[1] =>
  () =>
    sent
const doc = (query: string, variables?: unknown, more?: object): Row[1] => fixed(ask(query, variables, more))
const all = (...sent: readonly Sent[]): ReturnType<Row[1]> => ({ all: sent })

const update = 'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }'
/** An update of nobody: what comes to the resolver is NOT_FOUND. */
const updateNobody = (node: unknown) => ask(update, { id: 'nobody', node })

/** Each kind of nesting at the limit of 50 levels and one over it. */
const bothDepths = (
  kind: string,
  make: (times: number) => string | Sent,
  most: number,
  code: string,
  also: Partial<{ far: number; farCode: string }> = {},
): Row[] => {
  const send = (times: number): Row[1] => {
    const made = make(times)
    return fixed(typeof made === 'string' ? ask(made) : made)
  }
  const { far = 20_000 } = also
  return [
    [`${kind}, 50 levels`, send(most), 200, code],
    [`${kind}, 51 levels`, send(most + 1), 200, 'LIMIT', over('depth')],
    [`${kind}, ${far} levels`, send(far), 200, also.farCode ?? 'LIMIT', also.farCode ? {} : over('depth')],
  ]
}

const chain = (length: number, end = '__typename') =>
  `${many(length - 1, (i) => `fragment f${i} on Query { ...f${i + 1} }`)} fragment f${length - 1} on Query { ${end} }`

const depth: Row[] = [
  ...bothDepths('inline fragments', (n) => nested(n, '{ ... on Query ', '{ __typename }', '}'), 49, 'data'),
  ...bothDepths('bare inline fragments', (n) => nested(n, '{ ... ', '{ __typename }', '}'), 49, 'data'),
  ...bothDepths('fields', (n) => nested(n, '{ a ', '', '}'), 50, invalid),
  ...bothDepths('lists in a literal', (n) => `{ node(id: ${nested(n, '[', '', ']')}) { id } }`, 48, invalid),
  ...bothDepths(
    'objects in a literal',
    (n) => `mutation { updateCustomer(id: "nobody", node: { custom: ${nested(n, '{ a: ', '1', '}')} }) { id } }`,
    47,
    'NOT_FOUND',
  ),
  ...bothDepths(
    'lists and objects in a literal by turns',
    (n) =>
      `mutation { updateCustomer(id: "nobody", node: { custom: { ${'a: '}${nested(Math.ceil(n / 2), '[{ a: ', '1', '}]')} } }) { id } }`,
    46,
    'NOT_FOUND',
  ).filter(([name]) => !name.includes('51')),
  ...bothDepths(
    'a variable of objects',
    (n) =>
      post(
        `{"query":${JSON.stringify(update)},"variables":{"id":"x","node":{"custom":${nested(n, '{"a":', '1', '}')}}}}`,
      ),
    48,
    'NOT_FOUND',
    { far: 200_000 },
  ),
  ...bothDepths(
    'a variable of lists',
    (n) =>
      post(
        `{"query":"query ($v: [ID!]) { __typename @include(if: true) }","variables":{"v":${nested(n, '[', '', ']')}}}`,
      ),
    50,
    invalid,
    { far: 900_000, farCode: invalid },
  ).filter(([name]) => !name.includes('51')),
  ...bothDepths(
    'directives’ arguments',
    (n) => `{ __typename @include(if: ${nested(n, '[', 'true', ']')}) }`,
    48,
    invalid,
  ),
  ...bothDepths(
    'the type of a variable',
    (n) => `query ($v: ${nested(n, '[', 'ID', ']')}) { __typename }`,
    49,
    invalid,
  ),
  ...bothDepths(
    'the default of a variable',
    (n) => `query ($v: CustomFields = ${nested(n, '{ a: ', '1', '}')}) { __typename }`,
    49,
    invalid,
  ),
  ...bothDepths('a chain of fragments', (n) => `{ ...f0 } ${chain(n)}`, 49, 'data', { far: 1100 }),
  ...bothDepths('a chain of fragments that nothing uses', (n) => `{ __typename } ${chain(n)}`, 50, invalid, {
    far: 1100,
  }),
  ['a chain of 5000 fragments', doc(`{ ...f0 } ${chain(5000)}`), 200, 'LIMIT', over('tokens')],
  ['brackets that never close', doc('{ a('.repeat(20)), 200, parse],
  ['100 000 brackets that never close', doc('{'.repeat(100_000)), 200, 'LIMIT', over('depth')],
  ['brackets that only close', doc('}'.repeat(9000)), 200, parse],
  ['closing brackets before opening ones', doc(`${'}'.repeat(500)}${nested(300, '{ a ', '', '}')}`), 200, parse],
  [
    'introspection that goes round',
    doc('{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }'),
    200,
    invalid,
  ],
]

const cycle = (length: number) => many(length, (i) => `fragment f${i} on Query { ...f${(i + 1) % length} }`)
const doubling = (times: number) =>
  `${many(times, (i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`)} fragment f${times} on Query { __typename }`

const fragments: Row[] = [
  ['a fragment that spreads itself', doc(`{ ...f0 } ${cycle(1)}`), 200, invalid],
  ['two fragments that spread each other', doc(`{ ...f0 } ${cycle(2)}`), 200, invalid],
  ['a circle of 40 fragments', doc(`{ ...f0 } ${cycle(40)}`), 200, invalid],
  ['a circle of 1000 fragments', doc(`{ ...f0 } ${cycle(1000)}`), 200, 'LIMIT', over('depth')],
  ['a circle that nothing uses', doc(`{ __typename } ${cycle(3)}`), 200, invalid],
  [
    'a circle with fields beside it',
    doc('{ account { ...a } } fragment a on Account { id ...b } fragment b on Account { slug ...a }'),
    200,
    invalid,
  ],
  [
    'a circle through a field',
    doc('{ account { ...a } } fragment a on Account { stores { ...b } } fragment b on Store { id ...a }'),
    200,
    invalid,
  ],
  [
    'a circle through inline fragments',
    doc('{ ...a } fragment a on Query { ... on Query { ... { ...a } } }'),
    200,
    invalid,
  ],
  [
    'a circle of differing fields',
    doc(
      '{ ...a ...b } fragment a on Query { x: account { id } ...b } fragment b on Query { x: node(id: "1") { id } ...a }',
    ),
    200,
    invalid,
  ],
  ['fragments that double ten times', doc(`{ ...f0 } ${doubling(10)}`), 200, 'data'],
  ['fragments that double 40 times', doc(`{ ...f0 } ${doubling(40)}`), 200, 'LIMIT', over('fields')],
  [
    'fragments that double 30 times and close a circle',
    doc(`{ ...f0 } ${doubling(30)} fragment z on Query { ...z }`),
    200,
    'LIMIT',
  ],
  ['a fragment that is not there', doc('{ ...nothing }'), 200, invalid],
  ['3000 spreads of one fragment', doc(`{ ${'...a '.repeat(3000)} } fragment a on Query { __typename }`), 200, 'data'],
  ['a fragment called on', doc('{ ...on } fragment on on Query { __typename }'), 200, parse],
  [
    'two fragments of one name',
    doc('{ ...a } fragment a on Query { __typename } fragment a on Query { __typename }'),
    200,
    invalid,
  ],
  ['a fragment on what is no object', doc('{ ...a } fragment a on StoreInput { name }'), 200, invalid],
  ['a fragment where it can never apply', doc('{ account { ... on Store { id } } }'), 200, invalid],
  [
    '500 fragments with each other’s fields',
    doc(`{ ${many(500, (i) => `...f${i}`)} } ${many(500, (i) => `fragment f${i} on Query { account { id } }`)}`),
    200,
    'LIMIT',
    { option: 'Select each once' },
  ],
]

const aliases = (count: number) => `{ ${many(count, (i) => `a${i}: __typename`)} }`
const directives = (count: number) => `{ __typename ${'@include(if: true) '.repeat(count)} }`
const listOf = (elements: number) => `mutation { deleteSegments(items: [${'"" '.repeat(elements)}]) }`
const fieldsOf = (count: number) =>
  `{ account { ${'...a '.repeat(99)} ${'id '.repeat(count - 9901)} } } fragment a on Account { ${'id '.repeat(100)} }`
const names = (count: number) => many(count, (i) => `a${i}`)
const rowsOf = (count: number) => `{ customers(query: "", first: ${count}) { edges { cursor } } }`
const valuesOf = (count: number) =>
  `{ customers(query: "", first: ${count}) { edges { node { ${many(197, (i) => `a${i}: full_name`)} } } } }`
/** All that the wordy customer says, and a little more. */
const answerOf =
  (more: string): Row[1] =>
  ({ wordy }) =>
    ask(
      `{ node(id: "${wordy}") { ... on Customer { phone custom ${many(500, (i) => `a${String(i).padStart(3, '0')}: notes`)} ${more} } } }`,
    )
const bodyOf = (length: number) => {
  const [start, end] = ['{"query":"{ __typename }","extensions":{"x":"', '"}}']
  return `${start}${'x'.repeat(length - start.length - end.length)}${end}`
}
const chunked = (body: string): Sent => [
  ...request(postLine, ['content-type: application/json', 'transfer-encoding: chunked']),
  Buffer.from(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
]
const textOf = (length: number) => 'x'.repeat(length)
const format = (length: number) => `{ account { created_at(format: "${'Y'.repeat(length)}") } }`

const limits: Row[] = [
  ['500 aliases', doc(aliases(500)), 200, 'data'],
  ['501 aliases', doc(aliases(501)), 200, 'LIMIT', over('aliases')],
  ['3000 aliases', doc(aliases(3000)), 200, 'LIMIT', over('aliases')],
  [
    '501 aliases in fragments that nothing uses',
    doc(`{ __typename } fragment a on Query ${aliases(501)}`),
    200,
    'LIMIT',
    over('aliases'),
  ],
  ['100 directives', doc(`{ ${'__typename @include(if: true) '.repeat(100)} }`), 200, 'data'],
  ['101 directives', doc(`{ ${'__typename @include(if: true) '.repeat(101)} }`), 200, 'LIMIT', over('directives')],
  ['100 directives on one field', doc(directives(100)), 200, invalid, { last: 'LIMIT', ...over('errors') }],
  ['1000 directives on one field', doc(directives(1000)), 200, 'LIMIT', over('directives')],
  [
    '100 directives that are not there',
    doc(`{ __typename ${'@a '.repeat(100)} }`),
    200,
    invalid,
    { last: 'LIMIT', ...over('errors') },
  ],
  [
    '101 directives on definitions of variables',
    doc(`query (${many(101, (i) => `$v${i}: Int @a`)}) { __typename }`),
    200,
    'LIMIT',
    over('directives'),
  ],
  ['10 000 tokens', doc(listOf(9990)), 200, 'data'],
  ['10 001 tokens', doc(listOf(9991)), 200, 'LIMIT', over('tokens')],
  ['600 000 tokens', doc('{'.concat(' a'.repeat(600_000), '}')), 200, 'LIMIT', over('tokens')],
  ['10 000 fields', doc(fieldsOf(10_000)), 200, 'data'],
  ['10 001 fields', doc(fieldsOf(10_001)), 200, 'LIMIT', over('fields')],
  ['20 errors', doc(`{ ${names(20)} }`), 200, invalid, { last: invalid }],
  ['21 errors', doc(`{ ${names(21)} }`), 200, invalid, { last: 'LIMIT', ...over('errors') }],
  ['3000 errors', doc(`{ ${names(3000)} }`), 200, invalid, { last: 'LIMIT', ...over('errors') }],
  [
    '21 errors of execution',
    doc(`{ ${many(21, (i) => `a${i}: customers(query: "x") { __typename }`)} }`),
    200,
    'BAD_FILTER',
    { last: 'LIMIT', ...over('errors') },
  ],
  [
    '12 000 values of variables',
    doc('mutation ($i: [ID!]!) { deleteSegments(items: $i) }', { i: Array.from({ length: 11_999 }, (_, i) => i) }),
    200,
    'data',
  ],
  [
    '12 001 values of variables',
    doc('mutation ($i: [ID!]!) { deleteSegments(items: $i) }', { i: Array.from({ length: 12_000 }, (_, i) => i) }),
    200,
    'LIMIT',
    over('variables'),
  ],
  [
    '100 000 members that an input does not have',
    fixed(updateNobody(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`n${i}`, 1])))),
    200,
    'LIMIT',
    over('variables'),
  ],
  [
    '11 000 members that an input does not have',
    fixed(updateNobody(Object.fromEntries(Array.from({ length: 11_000 }, (_, i) => [`first_nam${i}`, 1])))),
    200,
    badInput,
    { last: 'LIMIT', ...over('errors') },
  ],
  ['a text of 65 536 characters in a document', doc(`{ node(id: "${textOf(65_534)}") { id } }`), 200, 'data'],
  [
    'a text of 65 537 characters in a document',
    doc(`{ node(id: "${textOf(65_535)}") { id } }`),
    200,
    'LIMIT',
    over('text-length'),
  ],
  [
    'a text of 65 536 characters in a variable',
    doc('query ($id: ID!) { node(id: $id) { id } }', { id: textOf(65_536) }),
    200,
    'data',
  ],
  [
    'a text of 65 537 characters in a variable',
    doc('query ($id: ID!) { node(id: $id) { id } }', { id: textOf(65_537) }),
    200,
    'LIMIT',
    over('text-length'),
  ],
  [
    'a member of 65 537 characters in a variable',
    fixed(updateNobody({ custom: { [textOf(65_537)]: 1 } })),
    200,
    'LIMIT',
    over('text-length'),
  ],
  [
    'names of 65 536 characters',
    () =>
      all(
        ask(`{ ${textOf(65_536)}: __typename }`),
        ask(`query ${textOf(65_536)} { __typename }`),
        ask(`{ ...${textOf(65_536)} } fragment ${textOf(65_536)} on Query { __typename }`),
      ),
    200,
    'data',
  ],
  [
    'names of 65 537 characters',
    () =>
      all(
        ask(`{ ${textOf(65_537)}: __typename }`),
        ask(`query ${textOf(65_537)} { __typename }`),
        ask(`{ __typename @${textOf(65_537)} }`),
      ),
    200,
    'LIMIT',
    over('text-length'),
  ],
  [
    'a number of 65 537 digits',
    doc(`{ customers(query: "", first: ${'9'.repeat(65_537)}) { __typename } }`),
    200,
    'LIMIT',
    over('text-length'),
  ],
  ['a format of 100 characters', doc(format(100)), 200, 'data'],
  ['a format of 101 characters', doc(format(101)), 200, 'BAD_INPUT', { option: 'at most 100' }],
  ['a body of 2 MiB', fixed(post(bodyOf(2 * mebibyte))), 200, 'data'],
  ['a body of 2 MiB and a byte', fixed(post(bodyOf(2 * mebibyte + 1))), 413, 'CONTENT_TOO_LARGE', over('body-bytes')],
  ['a body of 2 MiB in one chunk', fixed(chunked(bodyOf(2 * mebibyte))), 200, 'data'],
  [
    'a body of 2 MiB and a byte in one chunk',
    fixed(chunked(bodyOf(2 * mebibyte + 1))),
    413,
    'CONTENT_TOO_LARGE',
    over('body-bytes'),
  ],
  ['a body of 30 MiB', fixed(post(Buffer.alloc(30 * mebibyte, 0x20))), 413, 'CONTENT_TOO_LARGE', over('body-bytes')],
  [
    'a length of 2^53 that never comes',
    fixed([...request(postLine, ['content-type: application/json', 'content-length: 9007199254740992']), 100]),
    413,
    'CONTENT_TOO_LARGE',
    over('body-bytes'),
  ],
  ['20 000 rows', doc(rowsOf(20_000)), 200, 'data', { port: 'large' }],
  ['20 001 rows', doc(rowsOf(20_001)), 200, 'LIMIT', { port: 'large', ...over('rows') }],
  [
    '20 001 rows under two names',
    doc(
      '{ a: customers(query: "", first: 10001) { edges { cursor } } b: customers(query: "", first: 10000) { edges { cursor } } }',
    ),
    200,
    'LIMIT',
    { port: 'large', ...over('rows') },
  ],
  ['200 000 values', doc(valuesOf(1000)), 200, 'data'],
  ['200 200 values', doc(valuesOf(1001)), 200, 'LIMIT', over('values')],
  [
    '200 000 values that are worded',
    doc(valuesOf(1000).replaceAll('full_name', 'created_at(format: "dddd, MMMM D, YYYY h:mm:ss A Z")')),
    200,
    'data',
  ],
  ['200 000 values of elapsed time', doc(valuesOf(1000).replaceAll('full_name', 'updated_at')), 200, 'data'],
  ['an answer of 32 Mi characters', answerOf(''), 200, 'data'],
  ['an answer of a character more', answerOf('_id'), 200, 'LIMIT', over('answer-length')],
  [
    'a name of 60 000 characters in 1000 records',
    doc(`{ customers(query: "", first: 1000) { edges { node { ${textOf(60_000)}: id } } } }`),
    200,
    'LIMIT',
    over('answer-length'),
  ],
]

const introspections = (count: number) =>
  `{ ${many(count, (i) => `a${i}: __schema { types { fields { type { name } } } }`)} }`

const floods: Row[] = [
  ['one field 300 times', doc(`{ ${'__typename '.repeat(300)} }`), 200, 'data'],
  ['one field 9000 times', doc(`{ ${'__typename '.repeat(9000)} }`), 200, 'LIMIT', { option: 'Select each once' }],
  ['one object 2400 times', doc(`{ ${'account { id } '.repeat(2400)} }`), 200, 'LIMIT', { option: 'Select each once' }],
  ['one list with arguments 200 times', doc(`{ ${'customers(query: "") { __typename } '.repeat(200)} }`), 200, 'data'],
  [
    'one name for 200 different fields',
    doc(`{ ${many(200, (i) => `a: customers(query: "", first: ${i}) { __typename }`)} }`),
    200,
    invalid,
  ],
  [
    'objects that overlap at each of 20 levels',
    doc(
      many(20, () => '{ a: node(id: "1") { ... on Account { stores { id } } } ... on Query ', '') +
        '{ __typename }' +
        '}'.repeat(20),
    ),
    200,
    'data',
  ],
  [
    '1400 operations',
    doc(
      many(1400, (i) => `query q${i} { __typename }`),
      undefined,
      { operationName: 'q1399' },
    ),
    200,
    'data',
  ],
  [
    '1400 operations and no name',
    doc(many(1400, (i) => `query q${i} { __typename }`)),
    200,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  [
    '1400 operations of one name',
    doc('query q { __typename } '.repeat(1400), undefined, { operationName: 'q' }),
    200,
    invalid,
    { last: 'LIMIT', ...over('errors') },
  ],
  ['two operations without a name', doc('{ __typename } { __typename }'), 200, invalid],
  [
    '450 variables',
    doc(
      `query (${many(450, (i) => `$v${i}: Int = 0`)}) { ${many(450, (i) => `a${i}: segments(query: "", first: $v${i}) { __typename }`)} }`,
    ),
    200,
    'data',
  ],
  [
    '2400 variables that nothing uses',
    doc(`query (${many(2400, (i) => `$v${i}: Int`)}) { __typename }`),
    200,
    invalid,
    { last: 'LIMIT', ...over('errors') },
  ],
  [
    'one variable 900 times',
    doc(`query (${'$v: Int '.repeat(900)}) { segments(query: "", first: $v) { __typename } }`),
    200,
    invalid,
  ],
  ['a megabyte of commas', doc(`${','.repeat(mebibyte)}{ __typename }`), 200, 'data'],
  ['a megabyte of spaces', doc(`${' '.repeat(mebibyte)}{ __typename }`), 200, 'data'],
  ['300 000 comments', doc(`${'#\n'.repeat(300_000)}{ __typename }`), 200, 'data'],
  ['one comment of a megabyte', doc(`#${'x'.repeat(mebibyte)}\n{ __typename }`), 200, 'data'],
  ['30 000 lines in a block string', doc(`{ node(id: """${'\n '.repeat(30_000)}""") { id } }`), 200, 'data'],
  [
    '350 lines in a block string, each further in',
    doc(`{ node(id: """${many(350, (i) => `${' '.repeat(i)}x`, '\n')}""") { id } }`),
    200,
    'data',
  ],
  ['10 000 escapes in a string', doc(`{ node(id: "${'\\u{1F600}'.repeat(7000)}") { id } }`), 200, 'data'],
  ['1400 empty strings', doc(`{ node(id: ${'"" '.repeat(1400)}) { id } }`), 200, parse],
  ['a name 30 000 long where a field is known', doc(`{ ${textOf(30_000)} }`), 200, invalid],
  [
    '20 names that are nearly those of fields',
    doc(`{ account { ${many(20, (i) => `facebook_pixel${'s'.repeat(i + 2)}`)} } }`),
    200,
    invalid,
  ],
  ['100 aliases of introspection', doc(introspections(100)), 200, 'data'],
  ['130 aliases of introspection', doc(introspections(130)), 200, 'LIMIT', over('fields')],
  ['a type under 450 aliases', doc(`{ ${many(450, (i) => `a${i}: __type(name: "Customer") { name }`)} }`), 200, 'data'],
  [
    'the fields of all fields’ types under 30 aliases',
    doc(
      `{ ${many(30, (i) => `a${i}: __schema { types { fields { type { fields { name description type { name } args { name } } } args { name } } } }`)} }`,
    ),
    200,
    'data',
  ],
  [
    '400 aliases of a count of members',
    doc(`{ segments(query: "", first: 30) { edges { node { ${many(400, (i) => `a${i}: statistics`)} } } } }`),
    200,
    'data',
  ],
  [
    'a condition of 9000 tags',
    doc(
      `mutation { createSegment(node: { settings: { include: { operator: OR, tags: [${many(9000, (i) => `"t${i}"`)}] } } }) { ${many(100, (i) => `a${i}: statistics`)} } }`,
    ),
    200,
    'data',
  ],
  [
    'a customer of 11 000 tags under 30 names',
    ({ customer }) =>
      ask(
        `mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { ${many(30, (i) => `a${i}: tags`)} } }`,
        { id: customer, node: { tags: Array.from({ length: 11_000 }, (_, i) => `t${i % 7}`) } },
      ),
    200,
    'LIMIT',
    over('values'),
  ],
  [
    '3900 pixels under 60 names',
    doc(
      `mutation ($node: InputUpdateAccount!) { updateAccount(node: $node) { ${many(60, (i) => `a${i}: facebook_pixels { value }`)} } }`,
      { node: { facebook_pixels: Array.from({ length: 3900 }, () => ({ label: '', value: '' })) } },
    ),
    200,
    'LIMIT',
    over('values'),
  ],
  [
    '400 changes of one long name',
    ({ customer }) =>
      ask(
        `mutation { ${many(400, (i) => `a${i}: updateCustomer(id: "${customer}", node: { first_name: "é${i}" }) { id }`)} }`,
      ),
    200,
    'data',
  ],
  [
    'a name of 65 000 accents in an order',
    ({ customer }) =>
      ask(`mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }`, {
        id: customer,
        node: { first_name: 'é'.repeat(65_000) },
      }),
    200,
    'data',
  ],
  [
    'an order by such a name, 100 times',
    doc(
      `{ ${many(100, (i) => `a${i}: customers(query: "order_by:full_name", first: ${i % 10}) { edges { node { id } } }`)} }`,
    ),
    200,
    'data',
  ],
  [
    '250 orders of one list',
    doc(
      `{ ${many(250, (i) => `a${i}: customers(query: "order_by:${['expenses', 'created_at', 'orders_count'][i % 3]} order_dir:desc", first: 1) { edges { cursor } }`)} }`,
    ),
    200,
    'data',
  ],
]

const honest: Row[] = [
  [
    '50 creates under 50 names',
    doc(
      `mutation { ${many(50, (i) => `a${i}: createSegment(node: { name: "S${i}" }) { id name settings { include { operator tags } } created_at }`)} }`,
    ),
    200,
    'data',
  ],
  [
    '50 customers under 50 names',
    doc(
      `mutation ($node: InputCustomer!) { ${many(50, (i) => `a${i}: createCustomer(node: $node) { id full_name email }`)} }`,
      { node: exampleCustomer },
    ),
    200,
    'data',
  ],
  [
    'first: 1000 with every field',
    doc(
      '{ customers(query: "", first: 1000) { edges { cursor node { id _id avatar full_name expenses orders_count updated_at created_at email phone first_name last_name location accepts_marketing notes custom tags shipping_address { line1 line2 city area first_name last_name zip state country email phone } billing_address { line1 city zip } } } pageInfo { endCursor hasNextPage hasPreviousPage startCursor } } }',
    ),
    200,
    'data',
  ],
  [
    'full introspection',
    doc(
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ),
    200,
    'data',
  ],
  [
    'the hash of a query alone',
    fixed(post('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}}')),
    200,
    'PERSISTED_QUERY_NOT_SUPPORTED',
  ],
  [
    'a hash that is no hash',
    () =>
      all(
        ...['1', '{}', '[]', '"x"', '{"version":{},"sha256Hash":[]}'].map((it) =>
          post(`{"extensions":{"persistedQuery":${it}}}`),
        ),
      ),
    200,
    'PERSISTED_QUERY_NOT_SUPPORTED',
  ],
  [
    'a hash beside its query',
    fixed(post('{"query":"{ __typename }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}}')),
    200,
    'data',
  ],
  [
    'the id of a document alone',
    () =>
      all(post('{"doc_id":"1"}'), post('{"id":"1"}'), post('{"documentId":"1"}'), post('{"queryId":1,"variables":{}}')),
    400,
    'BAD_REQUEST',
  ],
  [
    'members that nobody knows',
    fixed(post('{"query":"{ __typename }","id":null,"doc_id":7,"key":[],"context":{"a":[{}]}}')),
    200,
    'data',
  ],
  [
    'a secret in inputs',
    doc(
      'mutation ($node: FacebookConversionApi!) { createConversionApiFacebookIntegration(node: $node) { id platform label details } }',
      { node: { token: secret, label: 'Hostile', pixels: ['1'] } },
    ),
    200,
    'data',
  ],
  [
    'a secret where it does not belong',
    () =>
      all(
        ...[
          { token: [secret] },
          { token: { secret } },
          { token: 1, label: { secret } },
          { tokn: secret, label: 'x', pixels: [] },
          secret,
          [secret],
          { token: secret, label: null, pixels: secret.length },
        ].map((node) =>
          ask(
            'mutation ($node: FacebookConversionApi!) { createConversionApiFacebookIntegration(node: $node) { id } }',
            { node },
          ),
        ),
      ),
    200,
    badInput,
  ],
  [
    'a secret where it does not belong in a document',
    () =>
      all(
        ...[
          `{ token: ["${secret}"] }`,
          `"${secret}"`,
          `{ token: 1, label: "${secret}", pixels: [] }`,
          `{ token: { a: "${secret}" }, label: 1 }`,
        ].map((node) => ask(`mutation { createConversionApiFacebookIntegration(node: ${node}) { id } }`)),
      ),
    200,
    invalid,
  ],
  [
    'a secret in a string that never ends',
    () =>
      all(
        ask(`{ node(id: "${secret}`),
        ask(`{ node(id: "${secret}\n") }`),
        ask(`{ "${secret}" }`),
        ask(`{ """${secret}""" }`),
      ),
    200,
    parse,
  ],
]

const wrongBody =
  (...bodies: readonly (string | Buffer)[]): Row[1] =>
  () =>
    all(...bodies.map((it) => post(it)))
const typeName = '{"query":"{ __typename }"}'
const encoded = (encoding: string, body: Buffer): Sent => post(body, [`content-encoding: ${encoding}`])

/** Ten mebibytes of nothing in ten kibibytes. */
const zippedZeros = gzipSync(Buffer.alloc(10 * mebibyte))

const bodies: Row[] = [
  ['no body', wrongBody(''), 400, 'BAD_REQUEST'],
  [
    'no JSON',
    wrongBody(
      '{',
      '{"query":',
      'query',
      '{"query":"{ __typename }"',
      "{'query':'{a}'}",
      '{"query":"{ __typename }",}',
      '\0',
      'NaN',
      '{"query": undefined}',
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'JSON that is no object',
    wrongBody('null', '1', 'true', '""', '"{ __typename }"', '[]', '1e400'),
    400,
    'BAD_REQUEST',
  ],
  [
    'a batch',
    wrongBody(`[${typeName}]`, `[${typeName},${typeName}]`, `[${many(10_000, () => typeName, ',')}]`),
    400,
    'BAD_REQUEST',
  ],
  [
    'two documents one after the other',
    wrongBody(`${typeName}${typeName}`, `${typeName}\n${typeName}`),
    400,
    'BAD_REQUEST',
  ],
  [
    'a query that is no text',
    wrongBody(
      ...['null', '1', 'true', '[]', '{}', '["{ __typename }"]'].map((it) => `{"query":${it}}`),
      '{}',
      '{"Query":"{ __typename }"}',
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'variables that are no object',
    wrongBody(...['1', '"{}"', '[]', 'true', '[{}]'].map((it) => `{"query":"{ __typename }","variables":${it}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'an operationName that is no text',
    wrongBody(...['1', '{}', '[]', 'true'].map((it) => `{"query":"{ __typename }","operationName":${it}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'extensions that are no object',
    wrongBody(...['1', '""', '[]', 'true'].map((it) => `{"query":"{ __typename }","extensions":${it}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'members of null',
    fixed(post('{"query":"{ __typename }","variables":null,"operationName":null,"extensions":null}')),
    200,
    'data',
  ],
  ['a member twice, the last one right', fixed(post('{"query":1,"query":"{ __typename }"}')), 200, 'data'],
  ['a member twice, the last one wrong', wrongBody('{"query":"{ __typename }","query":1}'), 400, 'BAD_REQUEST'],
  [
    'a million lists in each other that end',
    fixed(post(`{"query":"{ __typename }","x":${nested(900_000, '[', '', ']')}}`)),
    200,
    'data',
  ],
  ['two million lists in each other that do not end', wrongBody('['.repeat(2_000_000)), 400, 'BAD_REQUEST'],
  ['300 000 objects in each other that do not end', wrongBody('{"a":'.repeat(300_000)), 400, 'BAD_REQUEST'],
  [
    '100 000 members',
    fixed(post(`{"query":"{ __typename }",${many(100_000, (i) => `"k${i}":${i}`, ',')}}`)),
    200,
    'data',
  ],
  [
    'one member 100 000 times',
    fixed(post(`{${'"query":"{ a }",'.repeat(100_000)}"query":"{ __typename }"}`)),
    200,
    'data',
  ],
  [
    'a member with a name of a megabyte',
    fixed(post(`{"query":"{ __typename }","${textOf(mebibyte)}":1}`)),
    200,
    'data',
  ],
  ['a number of a million digits', fixed(post(`{"query":"{ __typename }","x":${'9'.repeat(1_000_000)}}`)), 200, 'data'],
  [
    'UTF-16',
    wrongBody(
      Buffer.from(typeName, 'utf16le'),
      Buffer.from(`\uFEFF${typeName}`, 'utf16le'),
      Buffer.from(typeName, 'utf16le').swap16(),
    ),
    400,
    'BAD_REQUEST',
  ],
  ['a byte order mark', wrongBody(`\uFEFF${typeName}`), 400, 'BAD_REQUEST'],
  [
    'bytes that are no UTF-8 outside of texts',
    wrongBody(
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from([0xc3]),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]),
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'bytes that are no UTF-8 in a text',
    () =>
      all(
        ...[[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]].map((it) =>
          post(
            Buffer.concat([
              Buffer.from('{"query":"query ($id: ID!) { node(id: $id) { id } }","variables":{"id":"'),
              Buffer.from(it),
              Buffer.from('"}}'),
            ]),
          ),
        ),
      ),
    200,
    'data',
  ],
  [
    'compressed bodies',
    () =>
      all(
        encoded('gzip', gzipSync(typeName)),
        encoded('br', brotliCompressSync(typeName)),
        encoded('deflate', deflateSync(typeName)),
        encoded('gzip, gzip', gzipSync(gzipSync(typeName))),
        encoded('x-gzip', gzipSync(typeName)),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a gzip bomb of 200 MiB',
    () => encoded('gzip', Buffer.concat(Array.from({ length: 20 }, () => zippedZeros))),
    400,
    'BAD_REQUEST',
  ],
  ['a broken gzip body', () => encoded('gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0])), 400, 'BAD_REQUEST'],
  [
    'a body that claims to be compressed and is not',
    () => all(...['gzip', 'identity', 'br', 'nonsense'].map((it) => encoded(it, Buffer.from(typeName)))),
    200,
    'data',
  ],
]

const forge = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64')
const after = (cursor: string, query = '') =>
  ask(
    'query ($after: String, $query: String!) { customers(query: $query, first: 2, after: $after) { edges { node { id } } pageInfo { endCursor } } }',
    { after: cursor, query },
  )
const behind =
  (list: (given: Given) => readonly string[], query = ''): Row[1] =>
  (given) =>
    all(...list(given).map((it) => after(it, query)))
const products = (id: string, cursor: string) =>
  ask(
    'query ($id: ID!, $cursor: String) { node(id: $id) { ... on Store { products(cursor: $cursor) { title cursor } } } }',
    { id, cursor },
  )
const byId = 'customers _id asc'

const cursors: Row[] = [
  ['a cursor', ({ cursors: { customers } }) => after(customers), 200, 'data'],
  ['an empty cursor', () => after(''), 200, 'data'],
  [
    'cursors cut short',
    behind(({ cursors: { customers } }) => [3, 4, 5, 9, 20].map((it) => customers.slice(0, -it))),
    200,
    'BAD_CURSOR',
  ],
  [
    'cursors cut at the front',
    behind(({ cursors: { customers } }) => [1, 2, 3, 4, 8].map((it) => customers.slice(it))),
    200,
    'BAD_CURSOR',
  ],
  [
    'cursors with something behind them',
    behind(({ cursors: { customers } }) => ['AAAA', '!', '==', '\0'].map((it) => customers + it)),
    200,
    'BAD_CURSOR',
  ],
  ['two cursors in one', behind(({ cursors: { customers } }) => [customers + customers]), 200, 'BAD_CURSOR'],
  [
    'a cursor of another list',
    behind(({ cursors: { segments, products } }) => [segments, products]),
    200,
    'BAD_CURSOR',
  ],
  [
    'a cursor of another order',
    behind(({ cursors: { descending, byName } }) => [descending, byName]),
    200,
    'BAD_CURSOR',
  ],
  [
    'a cursor of this list for another order',
    behind(({ cursors: { customers } }) => [customers], 'order_by:expenses'),
    200,
    'BAD_CURSOR',
  ],
  [
    'a cursor of one store for another',
    ({ otherStore, cursors: { products: cursor } }) => products(otherStore, cursor),
    200,
    'BAD_CURSOR',
  ],
  [
    'a cursor of customers for products',
    ({ store, cursors: { customers } }) => products(store, customers),
    200,
    'BAD_CURSOR',
  ],
  [
    'cursors of other services',
    behind(() => [
      Buffer.from('arrayconnection:5').toString('base64'),
      '5',
      'eyJpZCI6MX0=',
      'Y3Vyc29yOnYyOpHOAAE=',
      '550e8400-e29b-41d4-a716-446655440000',
    ]),
    200,
    'BAD_CURSOR',
  ],
  ['an id for a cursor', behind(({ customer }) => [customer]), 200, 'BAD_CURSOR'],
  [
    'forged cursors of a wrong form',
    behind(() => [
      forge(),
      forge(1),
      forge(1, 1),
      forge(1, 1, byId, 1),
      ...['1', '"x"', 'null', '{}', '{"0":1,"1":1,"2":"customers _id asc","length":3}', '[['].map((it) =>
        Buffer.from(it).toString('base64'),
      ),
    ]),
    200,
    'BAD_CURSOR',
  ],
  [
    'forged cursors of wrong kinds',
    behind(() => [
      forge(null, 1, byId),
      forge(true, 1, byId),
      forge([], 1, byId),
      forge({}, 1, byId),
      forge(1, '1', byId),
      forge(1, null, byId),
      forge(1, [1], byId),
      forge(1, 1, 1),
      forge(1, 1, null),
      forge(1, 1, [byId]),
    ]),
    200,
    'BAD_CURSOR',
  ],
  [
    'forged cursors of numbers out of range',
    behind(() => [
      forge(1, 0, byId),
      forge(1, -1, byId),
      forge(1, 1.5, byId),
      forge(1, 2 ** 53, byId),
      forge(1, 1e300, byId),
      Buffer.from(`[1,1e999,"${byId}"]`).toString('base64'),
    ]),
    200,
    'BAD_CURSOR',
  ],
  [
    'forged cursors behind the end',
    behind(() => [
      forge(1e9, 1e9, byId),
      forge(2 ** 53, 2 ** 53 - 1, byId),
      Buffer.from(`[1e999,1,"${byId}"]`).toString('base64'),
    ]),
    200,
    'data',
  ],
  [
    'forged cursors of texts for numbers',
    behind(() => [forge('x', 1, byId), forge('', 1, byId), forge('__proto__', 1, byId)]),
    200,
    'BAD_CURSOR',
  ],
  [
    'forged cursors of numbers for texts',
    behind(() => [forge(1, 1, 'customers full_name asc')], 'order_by:full_name'),
    200,
    'BAD_CURSOR',
  ],
  [
    'forged cursors of products',
    ({ store }) =>
      all(
        ...['x', -1, 1.5, 2 ** 53, '1', ''].map((it) =>
          products(store, forge(it, 1, `products of ${store} attached asc`)),
        ),
      ),
    200,
    'BAD_CURSOR',
  ],
  [
    'forged cursors of words of JavaScript',
    behind(() => ['__proto__', 'constructor', 'toString'].map((it) => forge(1, 1, it))),
    200,
    'BAD_CURSOR',
  ],
  [
    'a cursor of 60 000 characters',
    behind(() => ['A'.repeat(60_000), forge('x'.repeat(40_000), 1, 'customers full_name asc')]),
    200,
    'BAD_CURSOR',
  ],
  ['cursors that are no Latin', behind(() => ['é', '😀', '\ud800', '日本', '\0\0\0\0']), 200, 'BAD_CURSOR'],
]

const words = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__', 'valueOf']
const eachWord =
  (make: (word: string) => Sent): Row[1] =>
  () =>
    all(...words.map(make))
const isData = 200

const prototypes: Row[] = [
  ['words of JavaScript as a field', eachWord((it) => ask(`{ ${it} }`)), 200, invalid],
  ['words of JavaScript as a field of a record', eachWord((it) => ask(`{ account { ${it} } }`)), 200, invalid],
  [
    'words of JavaScript as an alias',
    eachWord((it) => ask(`{ ${it}: __typename a: account { ${it}: id } }`)),
    isData,
    'data',
  ],
  ['words of JavaScript as an argument', eachWord((it) => ask(`{ account(${it}: 1) { id } }`)), 200, invalid],
  [
    'words of JavaScript as a member of a literal',
    eachWord((it) => ask(`mutation { createSegment(node: { ${it}: "x" }) { id } }`)),
    200,
    invalid,
  ],
  [
    'words of JavaScript as the name of an operation',
    eachWord((it) => ask(`query ${it} { __typename }`, undefined, { operationName: it })),
    isData,
    'data',
  ],
  [
    'words of JavaScript as an operation that is not there',
    eachWord((it) => ask('query a { __typename }', undefined, { operationName: it })),
    200,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  [
    'words of JavaScript as a fragment',
    eachWord((it) => ask(`{ ...${it} } fragment ${it} on Query { __typename }`)),
    isData,
    'data',
  ],
  ['words of JavaScript as a fragment that is not there', eachWord((it) => ask(`{ ...${it} }`)), 200, invalid],
  ['words of JavaScript as a type', eachWord((it) => ask(`query ($v: ${it}) { ... on ${it} { id } }`)), 200, invalid],
  [
    'words of JavaScript as the name of a type that is asked for',
    eachWord((it) => ask(`{ __type(name: "${it}") { name } }`)),
    isData,
    'data',
  ],
  ['words of JavaScript as a directive', eachWord((it) => ask(`{ __typename @${it} }`)), 200, invalid],
  [
    'words of JavaScript as an enum',
    eachWord((it) => ask(`mutation { createSegment(node: { settings: { include: { operator: ${it} } } }) { id } }`)),
    200,
    invalid,
  ],
  [
    'words of JavaScript as an enum in a variable',
    eachWord((it) =>
      ask(
        'mutation ($o: SegmentOperator) { createSegment(node: { settings: { include: { operator: $o } } }) { id } }',
        { o: it },
      ),
    ),
    200,
    badInput,
  ],
  [
    'words of JavaScript as a variable',
    () =>
      all(
        ...words
          .slice(1)
          .map((it) => post(`{"query":"query ($${it}: ID!) { node(id: $${it}) { id } }","variables":{"${it}":"x"}}`)),
      ),
    isData,
    'data',
  ],
  [
    'words of JavaScript as a variable that is not sent',
    eachWord((it) => ask(`query ($${it}: ID!) { node(id: $${it}) { id } }`, {})),
    200,
    badInput,
  ],
  [
    'words of JavaScript as variables that nobody asked for',
    eachWord((it) => post(`{"query":"{ __typename }","variables":{"${it}":{"${it}":1}}}`)),
    isData,
    'data',
  ],
  [
    'words of JavaScript as a member of an input',
    eachWord((it) =>
      post(`{"query":${JSON.stringify(update)},"variables":{"id":"x","node":{"${it}":{"polluted":1}}}}`),
    ),
    200,
    badInput,
  ],
  [
    'words of JavaScript as a member of free fields',
    eachWord((it) =>
      post(
        `{"query":${JSON.stringify(update)},"variables":{"id":"nobody","node":{"custom":{"${it}":{"polluted":1}}}}}`,
      ),
    ),
    200,
    'NOT_FOUND',
  ],
  [
    'words of JavaScript as a member of the body',
    eachWord((it) => post(`{"${it}":{"query":"{ a }"},"query":"{ __typename }","extensions":{"${it}":1}}`)),
    isData,
    'data',
  ],
  [
    'words of JavaScript as the only member of the body',
    eachWord((it) => post(`{"${it}":{"query":"{ __typename }"}}`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'words of JavaScript as a key to order by',
    eachWord((it) => ask(`{ customers(query: "order_by:${it}") { __typename } }`)),
    200,
    'BAD_FILTER',
  ],
  [
    'words of JavaScript as a key of a query',
    eachWord((it) => ask(`{ customers(query: "${it}:asc") { __typename } }`)),
    200,
    'BAD_FILTER',
  ],
  [
    'words of JavaScript as a direction',
    eachWord((it) => ask(`{ customers(query: "order_dir:${it}") { __typename } }`)),
    200,
    'BAD_FILTER',
  ],
  ['words of JavaScript as an id', eachWord((it) => ask(`{ node(id: "${it}") { id } }`)), isData, 'data'],
  [
    'words of JavaScript as an id of a change',
    eachWord((it) => ask(`mutation { updateSegment(id: "${it}", node: { name: "x" }) { id } }`)),
    200,
    'NOT_FOUND',
  ],
  [
    'words of JavaScript as a format',
    eachWord((it) => ask(`{ account { created_at(format: "${it}") } }`)),
    isData,
    'data',
  ],
  [
    'words of JavaScript as a page',
    () =>
      all(
        ...words.flatMap((it) => [
          get(`/_mock/${it}`),
          get(`/${it}`),
          get(`/api/v2/${it}`),
          get(`/_mock/avatars/${it}.svg`),
          get(`/_mock/${it}/${it}.svg`),
        ]),
      ),
    404,
    'NOT_FOUND',
  ],
  ['words of JavaScript as a header', eachWord((it) => post(typeName, [`${it}: x`])), isData, 'data'],
]

const withId = 'query ($v: ID!) { node(id: $v) { id } }'
const withQuery = 'query ($v: String!) { customers(query: $v) { __typename } }'

const characters: Row[] = [
  [
    'half a pair in a document',
    () => all(ask('{ node(id: "\ud800") { id } }'), ask('{ \udfff }'), ask('\ud83d{ __typename }')),
    200,
    parse,
  ],
  ['half a pair in a comment', doc('# \ud800\n{ __typename }'), 200, parse],
  [
    'half a pair by an escape',
    () =>
      all(
        ask('{ node(id: "\\ud800") { id } }'),
        ask('{ node(id: "\\udc00\\ud800") { id } }'),
        ask('{ node(id: "\\u{d800}") { id } }'),
      ),
    200,
    parse,
  ],
  [
    'half a pair in a variable',
    () => all(ask(withId, { v: '\ud800' }), ask(withId, { v: '\udc00\ud800' })),
    200,
    'data',
  ],
  [
    'half a pair that is stored',
    () => all(ask('mutation ($n: String) { createSegment(node: { name: $n }) { name } }', { n: '\ud83d' })),
    200,
    'data',
  ],
  [
    'half a pair as an operation',
    doc('query a { __typename }', undefined, { operationName: '\ud800' }),
    200,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  ['half a pair as a member', fixed(updateNobody({ '\ud800': 1 })), 200, badInput],
  ['NUL in a document', () => all(ask('{ __typename \0 }'), ask('{ \0 }'), ask('\0{ __typename }')), 200, parse],
  ['NUL by an escape', doc('{ a: node(id: "\\u0000") { id } b: node(id: "\0") { id } }'), 200, 'data'],
  ['NUL in a variable', () => all(ask(withId, { v: '\0' }), ask(withId, { v: 'a\0b' })), 200, 'data'],
  [
    'NUL in a query',
    () =>
      all(ask(withQuery, { v: '\0' }), ask(withQuery, { v: 'order_by:\0id' }), ask(withQuery, { v: 'order_by:id\0' })),
    200,
    'BAD_FILTER',
  ],
  [
    'NUL in the name of an operation',
    doc('query a { __typename }', undefined, { operationName: 'a\0' }),
    200,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  ['NUL as a member', fixed(updateNobody({ '\0': 1, 'a\0': 2 })), 200, badInput],
  [
    'control characters in a document',
    () => all(...['\x01', '\x07', '\x1b', '\x7f', '\x08'].map((it) => ask(`{ __typename ${it} }`))),
    200,
    parse,
  ],
  [
    'control characters in an id',
    () =>
      all(
        ...['\x1b[2J', '\r\nSet-Cookie: a=b', '\x7f', '\u202e', '\u2028'].map((v) =>
          ask('mutation ($v: ID!) { removeIntegration(id: $v) { id } }', { v }),
        ),
      ),
    200,
    'NOT_FOUND',
  ],
  [
    'control characters in a query',
    () => all(...['\x1b', '\u202e:asc', 'a:\r\nb', '\u2028x'].map((v) => ask(withQuery, { v }))),
    200,
    'BAD_FILTER',
  ],
  [
    'spaces of every kind in a query',
    () =>
      all(...['\t order_by:id \n', '\u00a0order_by:id', '\u2028order_by:id\ufeff'].map((v) => ask(withQuery, { v }))),
    200,
    'data',
  ],
  [
    'names that are no ASCII',
    () =>
      all(
        ask('{ é }'),
        ask('{ a: ünïcode }'),
        ask('query 日本 { __typename }'),
        ask('{ a\u200db }'),
        ask('{ __typename # x\n \u00a0 }'),
      ),
    200,
    parse,
  ],
  [
    'escapes that are none',
    () =>
      all(
        ...['\\x', '\\u', '\\u12', '\\u{}', '\\u{110000}', '\\u{1', '\\', '\\u{FFFFFFFFFFFFFFFFFFFF}'].map((it) =>
          ask(`{ node(id: "${it}") { id } }`),
        ),
      ),
    200,
    parse,
  ],
  [
    'a byte order mark in a document',
    () => all(ask('\uFEFF{ __typename }'), ask('{ \uFEFF __typename }')),
    200,
    'data',
  ],
  [
    'line ends of every kind',
    () => all(ask('{\r__typename\r\n}'), ask('# a\r{ __typename }'), ask('{ node(id: """\r\n a \r b""") { id } }')),
    200,
    'data',
  ],
  [
    'a document of nothing',
    () => all(ask(''), ask(' '), ask('#'), ask(','), ask('\uFEFF'), ask('"" { __typename }')),
    200,
    parse,
  ],
  [
    'definitions of types',
    () =>
      all(
        ask('type A { a: Int }'),
        ask('extend type Query { a: Int } { __typename }'),
        ask('schema { query: Query }'),
        ask('directive @a on FIELD { __typename }'),
      ),
    200,
    invalid,
  ],
  [
    'a subscription',
    () => all(ask('subscription { account { id } }'), ask('subscription { __typename }')),
    200,
    invalid,
  ],
  [
    'parts of the language that only drafts have',
    () =>
      all(
        ask('{ a? }'),
        ask('{ ...a(x: 1) } fragment a($x: Int) on Query { __typename }'),
        ask('{ __typename! }'),
        ask('query <a> { b }'),
      ),
    200,
    parse,
  ],
  [
    '@defer and @stream',
    () => all(ask('{ ... @defer { __typename } }'), ask('{ account { stores @stream(initialCount: 0) { id } } }')),
    200,
    invalid,
  ],
]

const firstOf = (literal: string) => ask(`{ segments(query: "", first: ${literal}) { edges { cursor } } }`)
const firstAs = (value: string) =>
  post(
    `{"query":"query ($f: Int) { segments(query: \\"\\", first: $f) { edges { cursor } } }","variables":{"f":${value}}}`,
  )
const eachOf =
  (make: (it: string) => Sent, ...values: readonly string[]): Row[1] =>
  () =>
    all(...values.map(make))

const numbers: Row[] = [
  ['first at its range in a document', eachOf(firstOf, '0', '1', '1000', '2147483647', '-0'), 200, 'data'],
  [
    'first over its range in a document',
    eachOf(firstOf, '2147483648', '-2147483649', '9007199254740993', '9'.repeat(400)),
    200,
    invalid,
  ],
  ['first below nothing', eachOf(firstOf, '-1', '-2147483648'), 200, 'BAD_PAGE'],
  [
    'first that is no whole number in a document',
    eachOf(firstOf, '1.0', '1e1', '1e400', '0.5', '-1.5e-3'),
    200,
    invalid,
  ],
  [
    'numbers that are none',
    eachOf(firstOf, '01', '1.', '.5', '+1', '1e', '0x10', '1_000', '-', '1a', '--1'),
    200,
    parse,
  ],
  ['numbers that have names elsewhere', eachOf(firstOf, 'NaN', 'Infinity', 'undefined'), 200, invalid],
  [
    'first at its range in a variable',
    eachOf(firstAs, '0', '1', '2147483647', '-0', '1.0', '1e1', 'null'),
    200,
    'data',
  ],
  [
    'first over its range in a variable',
    eachOf(firstAs, '2147483648', '-2147483649', '1e400', '-1e400', '1e308', '9007199254740993'),
    200,
    badInput,
  ],
  ['first below nothing in a variable', eachOf(firstAs, '-1', '-2147483648'), 200, 'BAD_PAGE'],
  [
    'first that is no whole number in a variable',
    eachOf(firstAs, '0.5', '1e-400'.replace('-400', '-1'), '"1"', 'true', '[]', '{}'),
    200,
    badInput,
  ],
  [
    'a page of all that there is',
    doc('{ customers(query: "", first: 2147483647) { edges { node { id } } pageInfo { hasNextPage } } }'),
    200,
    'data',
  ],
  [
    'ids that are numbers',
    () => all(...['0', '-1', '9007199254740993', '1' + '0'.repeat(300)].map((it) => ask(`{ node(id: ${it}) { id } }`))),
    200,
    'data',
  ],
  [
    'ids that are numbers in a variable',
    () =>
      all(
        ...['0', '-1', '9007199254740991', '1.0', '-0'].map((it) =>
          post(`{"query":"${withId}","variables":{"v":${it}}}`),
        ),
      ),
    200,
    'data',
  ],
  [
    'ids that are broken numbers',
    () => all(...['1.5', '1e400', '1e-5'].map((it) => post(`{"query":"${withId}","variables":{"v":${it}}}`))),
    200,
    badInput,
  ],
  [
    'free fields of numbers that JSON cannot carry',
    fixed(
      post(`{"query":${JSON.stringify(update)},"variables":{"id":"nobody","node":{"custom":{"a":1e400,"b":-1e400}}}}`),
    ),
    200,
    badInput,
  ],
  [
    'free fields of numbers that JSON cannot carry, in a document',
    doc('mutation { updateCustomer(id: "nobody", node: { custom: { a: 1e400 } }) { id } }'),
    200,
    invalid,
  ],
  ['free fields of large numbers', fixed(updateNobody({ custom: { a: 1e308, b: -0, c: 2 ** 53 } })), 200, 'NOT_FOUND'],
]

const chunks = (body: string, ...headers: readonly string[]): Sent => [
  ...request(postLine, ['content-type: application/json', 'transfer-encoding: chunked', ...headers]),
  Buffer.from(body, 'latin1'),
]
const size = typeName.length.toString(16)
const oneChunk = `${size}\r\n${typeName}\r\n`
const host = 'Host: localhost\r\n'

const http: Row[] = [
  ['no Host', fixed(bytes('POST /api/v2 HTTP/1.1\r\nconnection: close\r\n\r\n')), 400, 'BAD_REQUEST'],
  [
    'HTTP/1.0',
    fixed(
      bytes(
        `POST /api/v2 HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${typeName.length}\r\n\r\n${typeName}`,
      ),
    ),
    200,
    'data',
  ],
  ['HTTP/0.9', fixed(bytes('GET /\r\n\r\n')), 400, 'BAD_REQUEST'],
  [
    'versions that are none',
    () =>
      all(
        ...['HTTP/9.9', 'HTTP/1.2', 'http/1.1', 'HTTP/1', 'ICY', ''].map((it) => bytes(`GET / ${it}\r\n${host}\r\n`)),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['HTTP/2 with prior knowledge', fixed(bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')), 400, 'BAD_REQUEST'],
  ['TLS', fixed([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])]), 400, 'BAD_REQUEST'],
  [
    'rubbish',
    () =>
      all(bytes('\0\0\0\0\r\n\r\n'), bytes('hello\r\n\r\n'), bytes(':\r\n\r\n'), bytes('{"query":"{ a }"}\r\n\r\n'), [
        Buffer.alloc(1000, 0xff),
      ]),
    400,
    'BAD_REQUEST',
  ],
  [
    'methods that HTTP does not know',
    () =>
      all(
        ...['BREW', 'post', 'P\0ST', 'GET\t', 'X'.repeat(2000)].map((it) =>
          bytes(`${it} /api/v2 HTTP/1.1\r\n${host}\r\n`),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'methods that the API does not take',
    () =>
      all(
        ...['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'M-SEARCH'].map((it) =>
          request(`${it} /api/v2 HTTP/1.1`, ['content-type: application/json'], typeName),
        ),
      ),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['HEAD', fixed(request('HEAD /api/v2 HTTP/1.1', [])), 405, 'empty'],
  [
    'GET',
    () =>
      all(get('/api/v2'), get('/api/v2?query={__typename}'), get('/api/v2?query={__typename}', ['accept: text/html'])),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['GET by a browser', fixed(get('/api/v2', ['accept: text/html', 'accept-encoding: gzip'])), 200, 'page'],
  [
    'a GET with a body',
    fixed(request('GET /api/v2 HTTP/1.1', ['content-type: application/json'], typeName)),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['OPTIONS', fixed(request('OPTIONS /api/v2 HTTP/1.1', [])), 204, 'empty'],
  ['OPTIONS of everything', fixed(request('OPTIONS * HTTP/1.1', [])), 404, 'NOT_FOUND'],
  [
    'CONNECT',
    () =>
      all(bytes(`CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`), bytes(`CONNECT /api/v2 HTTP/1.1\r\n${host}\r\n`)),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'an upgrade',
    () =>
      all(
        post(typeName, [
          'connection: Upgrade, close',
          'upgrade: websocket',
          'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-version: 13',
        ]),
        post(typeName, [
          'connection: Upgrade, HTTP2-Settings, close',
          'upgrade: h2c',
          'http2-settings: AAMAAABkAARAAAAAAAIAAAAA',
        ]),
      ),
    200,
    'data',
  ],
  ['Expect: 100-continue', fixed(post(typeName, ['expect: 100-continue'])), 200, 'data', { answers: 2 }],
  [
    'another Expect',
    () => all(post(typeName, ['expect: 200-ok']), post(typeName, ['expect: x'])),
    417,
    'EXPECTATION_FAILED',
  ],
  ['chunks', fixed(chunks(`${oneChunk}0\r\n\r\n`)), 200, 'data'],
  [
    'chunks with extensions and trailers',
    fixed(chunks(`${size};a=b\r\n${typeName}\r\n0\r\nX-Trailer: ${secret}\r\nHost: evil.example\r\n\r\n`)),
    200,
    'data',
  ],
  ['chunks of a byte', fixed(chunks(`${[...typeName].map((it) => `1\r\n${it}\r\n`).join('')}0\r\n\r\n`)), 200, 'data'],
  [
    'chunks of broken sizes',
    () =>
      all(
        ...['ZZ', '-1', '0x18', '', 'FFFFFFFFFFFFFFFFFF', '1 8'].map((it) =>
          chunks(`${it}\r\n${typeName}\r\n0\r\n\r\n`),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['a chunk that is longer than its size', fixed(chunks(`4\r\n${typeName}\r\n0\r\n\r\n`)), 400, 'BAD_REQUEST'],
  ['a broken size behind a good chunk', fixed(chunks(`${oneChunk}ZZ\r\n\r\n`)), 400, 'BAD_REQUEST'],
  [
    'an extension of a chunk without an end',
    fixed(chunks(`${size};${'x'.repeat(40_000)}\r\n${typeName}\r\n0\r\n\r\n`)),
    400,
    'BAD_REQUEST',
  ],
  [
    'Content-Length and Transfer-Encoding',
    fixed(chunks(`${oneChunk}0\r\n\r\n`, 'content-length: 5')),
    400,
    'BAD_REQUEST',
  ],
  [
    'two lengths',
    fixed(post(typeName, [`content-length: ${typeName.length}`, 'content-length: 3'])),
    400,
    'BAD_REQUEST',
  ],
  [
    'lengths that are none',
    () =>
      all(
        ...['-1', '+5', '1e3', '0x10', '5, 5', 'abc', '99999999999999999999999'].map((it) =>
          post(typeName, [`content-length: ${it}`]),
        ),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a coding that is not chunked',
    () =>
      all(
        ...['gzip', 'identity', 'chunked, gzip', 'xchunked'].map((it) => [
          ...request(postLine, [`transfer-encoding: ${it}`]),
          Buffer.from(typeName),
        ]),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['a length that is too short', fixed(post(typeName, ['content-length: 5'])), 400, 'BAD_REQUEST'],
  ['a header that is folded', fixed(bytes(`GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`)), 400, 'BAD_REQUEST'],
  ['a space before a colon', fixed(bytes('GET / HTTP/1.1\r\nHost : localhost\r\n\r\n')), 400, 'BAD_REQUEST'],
  ['a header without a colon', fixed(bytes(`GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`)), 400, 'BAD_REQUEST'],
  ['line ends without CR', fixed(bytes('GET / HTTP/1.1\nHost: localhost\n\n')), 400, 'BAD_REQUEST'],
  [
    'control characters in a header',
    () =>
      all(
        ...['\0', '\x01', '\x7f', '\x1b', '\r', '\n'].map((it) => bytes(`GET / HTTP/1.1\r\n${host}X: a${it}b\r\n\r\n`)),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'control characters in a target',
    () =>
      all(
        ...['\0', '\x01', '\x1b', '\x7f', '\t', '\r', ' x'].map((it) => bytes(`GET /a${it}b HTTP/1.1\r\n${host}\r\n`)),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['headers of 16 KiB', fixed(post(typeName, [`x: ${'x'.repeat(15_000)}`])), 200, 'data'],
  [
    'headers of more than 16 KiB',
    () =>
      all(
        post(typeName, [`x: ${'x'.repeat(17_000)}`]),
        post(
          typeName,
          Array.from({ length: 2000 }, (_, i) => `x-header-${i}: y`),
        ),
        post(typeName, [`cookie: ${secret.repeat(1000)}`]),
      ),
    431,
    'BAD_REQUEST',
  ],
  ['a target of 15 000 characters', fixed(get(`/${'x'.repeat(15_000)}`)), 404, 'NOT_FOUND'],
  ['a target of 20 000 characters', fixed(get(`/${'x'.repeat(20_000)}`)), 431, 'BAD_REQUEST'],
  [
    '1900 headers',
    fixed(
      request(
        'GET /x HTTP/1.1',
        Array.from({ length: 1900 }, () => 'a: b'),
      ),
    ),
    404,
    'NOT_FOUND',
  ],
  [
    'paths that climb',
    () =>
      all(
        ...[
          '/../../etc/passwd',
          '/..%2f..%2fetc%2fpasswd',
          '/_mock/avatars/../../../etc/passwd',
          '/_mock/avatars/%2e%2e%2f.svg',
          '/%00',
          '/api/v2%00',
          '/api/v2;a=b',
          '/api%2fv2',
          '/%E0%A4%A',
          '//',
          '//evil.example/api/v2',
        ].map((it) => get(it)),
      ),
    404,
    'NOT_FOUND',
  ],
  [
    'a path that climbs to the API',
    fixed(request('POST /x/../api/./v2 HTTP/1.1', ['content-type: application/json'], typeName)),
    200,
    'data',
  ],
  [
    'CR and LF by escapes',
    () => all(get('/%0d%0aSet-Cookie:%20a=b'), get('/x?%0d%0aa:%20b'), get('/_mock/avatars/%0d%0aX.svg')),
    404,
    'NOT_FOUND',
  ],
  [
    'CR and LF in what is echoed',
    () =>
      all(
        ask('mutation ($v: ID!) { removeIntegration(id: $v) { id } }', {
          v: 'a\r\nX-Injected: 1\r\n\r\nHTTP/1.1 200 OK',
        }),
      ),
    200,
    'NOT_FOUND',
  ],
  [
    'types that are not JSON',
    () =>
      all(
        ...[
          'text/plain',
          'application/graphql',
          'application/xml',
          'text/json',
          'application/jsonp',
          'application/json-patch+json',
          'application',
          '/',
          ';',
          'application/json, text/plain',
          '*/*',
          textOf(5000),
        ].map((it) => post(typeName, [`content-type: ${it}`])),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'types that are JSON',
    () =>
      all(
        ...[
          'application/json ; charset=utf-8',
          'APPLICATION/JSON',
          'application/json;charset=',
          'application/json;;;',
          'application/json; charset="utf-8"; a=b',
        ].map((it) => post(typeName, [`content-type: ${it}`])),
      ),
    200,
    'data',
  ],
  ['no type', fixed(request(postLine, [], typeName)), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'answers that we do not give',
    () =>
      all(
        ...['text/html', 'image/png', 'application/json;q=0', '*/*;q=0', 'text/event-stream', 'nonsense'].map((it) =>
          post(typeName, [`accept: ${it}`]),
        ),
      ),
    406,
    'NOT_ACCEPTABLE',
  ],
  ['a list of 2000 types', fixed(post(typeName, [`accept: ${'a/b;q=0.1,'.repeat(1400)}*/*`])), 200, 'data'],
  [
    'three requests at once',
    fixed([
      Buffer.concat([
        ...post(typeName, ['connection: keep-alive']),
        ...post(typeName, ['connection: keep-alive']),
        ...post(typeName),
      ] as Buffer[]),
    ]),
    200,
    'data',
    { answers: 3 },
  ],
  [
    '200 requests at once',
    fixed([
      Buffer.concat([
        ...Array.from({ length: 199 }, () => post(typeName, ['connection: keep-alive'])).flat(),
        ...post(typeName),
      ] as Buffer[]),
    ]),
    200,
    'data',
    { answers: 200 },
  ],
  [
    'a request hidden in the body of another',
    fixed(post(`POST /_mock/reset HTTP/1.1\r\n${host}\r\n`)),
    400,
    'BAD_REQUEST',
    { answers: 1 },
  ],
  [
    'a request behind one that is refused',
    fixed([
      Buffer.concat([
        ...post(textOf(100), ['content-type: text/plain', 'connection: keep-alive']),
        ...post(typeName),
      ] as Buffer[]),
    ]),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    { answers: 1 },
  ],
  [
    'a reset by GET',
    () => all(get('/_mock/reset'), get('/_mock/reset?x'), get('/_mock/reset/')),
    405,
    'METHOD_NOT_ALLOWED',
  ],
]

const named = (name: string): Sent => post(typeName, [`host: ${name}`])
const hostNames =
  (...list: readonly string[]): Row[1] =>
  () =>
    all(...list.map(named))
const from = (origin: string): Sent => post(typeName, [`origin: ${origin}`])
const fromAll =
  (...list: readonly string[]): Row[1] =>
  () =>
    all(...list.map(from))
const target = (address: string): Sent =>
  request(`POST ${address} HTTP/1.1`, ['content-type: application/json'], typeName)

const hostsAndOrigins: Row[] = [
  [
    'hosts of this machine',
    hostNames(
      'localhost',
      'LOCALHOST:4000',
      'a.localhost',
      '127.0.0.1:1',
      '127.9.9.9',
      '[::1]',
      '[::1]:80',
      '[0:0:0:0:0:0:0:1]'.replace('0:0:0:0:0:0:0:1', '::1'),
    ),
    200,
    'data',
  ],
  [
    'hosts of elsewhere',
    hostNames(
      'evil.example',
      'evil.example:4000',
      'localhost.evil.example',
      'xlocalhost',
      '127.0.0.1.evil.example',
      '[::2]',
      '[fe80::1]',
      '0.0.0.0',
      '[::]',
      '192.168.0.1',
      '10.0.0.1',
    ),
    403,
    'FORBIDDEN',
    { option: '--allow-host', repeats: true },
  ],
  [
    'hosts that only look like this machine',
    hostNames(
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      'localhost.',
      '[::ffff:127.0.0.1]',
      '127.0.0.1.',
      '127.0.0.256',
    ),
    403,
    'FORBIDDEN',
    { option: '--allow-host', repeats: true },
  ],
  [
    'hosts that are none',
    hostNames(
      '',
      ' ',
      'a b',
      'a,b',
      'localhost, evil.example',
      'user@localhost',
      'user:x@localhost:80',
      'http://localhost',
      'localhost/',
      'localhost:',
      'localhost:x',
      'localhost:123456',
      '[::1',
      '::1',
      '[localhost]',
      '[::1%eth0]',
      'lo\tcalhost',
      'm\xfcnchen.example',
      'localhost#',
      'localhost?',
      'a\\b',
      "<script>alert('x')</script>",
    ),
    400,
    'BAD_REQUEST',
  ],
  [
    'an international name in ASCII',
    hostNames('xn--mnchen-3ya.example'),
    403,
    'FORBIDDEN',
    { option: '--allow-host', repeats: true },
  ],
  [
    'two hosts',
    () =>
      all(
        post(typeName, ['host: localhost', 'host: evil.example']),
        post(typeName, ['host: localhost', 'Host: localhost']),
        post(typeName, ['host: evil.example', 'HOST: localhost']),
      ),
    400,
    'BAD_REQUEST',
  ],
  ['a host of 5000 characters', hostNames(`${'a.'.repeat(2500)}b`), 403, 'FORBIDDEN', { repeats: true }],
  [
    'CR and LF in a host',
    () =>
      all(
        bytes('GET / HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n'),
        bytes('GET / HTTP/1.1\r\nHost: localhost\nX y\r\n\r\n'),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a target with the host of this machine',
    () => all(...['http://localhost/api/v2', 'HTTP://LOCALHOST:1/api/v2', 'http://127.0.0.1/api/v2/'].map(target)),
    200,
    'data',
  ],
  [
    'targets that are none',
    () =>
      all(
        ...[
          'http://',
          'http://[',
          'http://localhost:99999/api/v2',
          'http://a b/',
          'evil.example:80',
          '@localhost/api/v2',
          'javascript:alert(1)',
        ].map((it) => request(`POST ${it} HTTP/1.1`, ['content-type: application/json'], typeName)),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'pages of this machine',
    fromAll(
      'http://localhost',
      'http://localhost:3000',
      'https://127.0.0.1:8443',
      'http://[::1]:5173',
      'http://app.localhost',
    ),
    200,
    'data',
  ],
  [
    'pages of elsewhere',
    fromAll(
      'https://evil.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'https://192.168.0.1',
      'http://evil.example:80',
      'https://xn--mnchen-3ya.example',
    ),
    403,
    'FORBIDDEN',
    { option: '--allow-origin', repeats: true },
  ],
  [
    'pages of nowhere',
    fromAll(
      'null',
      '',
      'undefined',
      'file://',
      'about:blank',
      'data:text/html,x',
      'chrome-extension://abcdefghijklmnop',
      'blob:null/1',
    ),
    403,
    'FORBIDDEN',
  ],
  [
    'origins that only look like this machine',
    fromAll(
      'http://localhost@evil.example',
      'http://evil.example#localhost',
      'http://evil.example?localhost',
      'http://evil.example/localhost',
      'http://evil.example\\localhost',
      'http://localhost%2eevil.example',
      'http://localhost:80:80',
    ),
    403,
    'FORBIDDEN',
    { repeats: true },
  ],
  [
    'two origins',
    () =>
      all(
        post(typeName, ['origin: http://localhost', 'origin: https://evil.example']),
        from('http://localhost, https://evil.example'),
        from('http://localhost https://evil.example'),
      ),
    403,
    'FORBIDDEN',
    { repeats: true },
  ],
  ['an origin of 5000 characters', fromAll(`https://${'a.'.repeat(2500)}b`), 403, 'FORBIDDEN', { repeats: true }],
  [
    'CR and LF in an origin',
    () =>
      all(
        bytes(`GET / HTTP/1.1\r\n${host}Origin: http://localhost\rX: y\r\n\r\n`),
        bytes(`GET / HTTP/1.1\r\n${host}Origin: http://localhost\0\r\n\r\n`),
      ),
    400,
    'BAD_REQUEST',
  ],
  [
    'a preflight of elsewhere',
    fixed(request('OPTIONS /api/v2 HTTP/1.1', ['origin: https://evil.example', 'access-control-request-method: POST'])),
    403,
    'FORBIDDEN',
    { repeats: true },
  ],
  [
    'a preflight of this machine',
    fixed(
      request('OPTIONS /api/v2 HTTP/1.1', [
        'origin: http://localhost',
        'access-control-request-method: POST',
        `access-control-request-headers: ${'x-a, '.repeat(1000)}b`,
      ]),
    ),
    204,
    'empty',
  ],
]

const evil = [
  'origin: https://evil.example',
  'referer: https://evil.example/',
  'sec-fetch-site: cross-site',
  'cookie: session=1',
]
const attack = 'mutation { createSegment(node: { name: "Driven" }) { id } }'
const parts = (name: string, content: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
const multipart = `${parts('operations', JSON.stringify({ query: attack }))}${parts('map', '{}')}--x--\r\n`
const forms: readonly (readonly [type: string, body: string])[] = [
  ['application/x-www-form-urlencoded', `query=${encodeURIComponent(attack)}`],
  ['text/plain', JSON.stringify({ query: attack })],
  ['text/plain', `{"query":"${attack.replaceAll('"', '\\"')}","x":"=`],
  ['multipart/form-data; boundary=x', multipart],
  ['application/json', JSON.stringify({ query: attack })],
  ['application/graphql', attack],
]

const foreignPages: Row[] = [
  [
    'forms of pages of elsewhere',
    () => all(...forms.map(([type, body]) => post(body, [`content-type: ${type}`, ...evil]))),
    403,
    'FORBIDDEN',
    { repeats: true },
  ],
  [
    'forms of pages of nowhere',
    () => all(...forms.map(([type, body]) => post(body, [`content-type: ${type}`, 'origin: null']))),
    403,
    'FORBIDDEN',
  ],
  [
    'forms without an origin',
    () =>
      all(
        ...forms
          .filter(([type]) => type !== 'application/json')
          .map(([type, body]) => post(body, [`content-type: ${type}`])),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a form of parts without its boundary',
    () =>
      all(
        ...[
          'multipart/form-data',
          'multipart/form-data; boundary=',
          `multipart/form-data; boundary=${'y'.repeat(500)}`,
          'multipart/mixed',
        ].map((it) => post(multipart, [`content-type: ${it}`])),
      ),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'two types, one of a form',
    fixed(post(JSON.stringify({ query: attack }), ['content-type: text/plain', 'content-type: application/json'])),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a reset by a page of elsewhere',
    () =>
      all(
        request('POST /_mock/reset HTTP/1.1', evil),
        request('POST /_mock/reset HTTP/1.1', ['origin: null', 'content-type: text/plain'], 'x'),
      ),
    403,
    'FORBIDDEN',
    { repeats: true },
  ],
  [
    'a picture for a page of elsewhere',
    fixed(get('/api/v2?query={__typename}', ['accept: image/*', ...evil])),
    403,
    'FORBIDDEN',
    { repeats: true },
  ],
  [
    'a page of elsewhere under a name of its own',
    () =>
      all(
        post(JSON.stringify({ query: attack }), ['host: rebind.evil.example', 'origin: http://rebind.evil.example']),
        post(JSON.stringify({ query: attack }), ['host: rebind.evil.example:4000']),
      ),
    403,
    'FORBIDDEN',
    { option: '--allow-host', repeats: true },
  ],
]

export const families: Readonly<Record<string, readonly Row[]>> = {
  depth,
  fragments,
  limits,
  floods,
  'honest requests and secrets': honest,
  bodies,
  cursors,
  'words of JavaScript': prototypes,
  characters,
  numbers,
  http,
  'hosts and origins': hostsAndOrigins,
  'foreign pages': foreignPages,
}
