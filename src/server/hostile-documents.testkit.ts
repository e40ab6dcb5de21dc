/** Hostile documents: too deep, too long or cyclic, and valid ones that resemble them. */
import { getIntrospectionQuery } from 'graphql'
import {
  mebibyte,
  textOf,
  parse,
  invalid,
  badInput,
  over,
  fixed,
  doc,
  all,
  update,
  updateNobody,
  secret,
  type Row,
} from './hostile-row.testkit.js'
import { exampleCustomer } from '../../contracts/operations.testkit.js'
import { ask, many, nested, post, postLine, request, type Sent } from './hostile.testkit.js'

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

export const depth: Row[] = [
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

export const fragments: Row[] = [
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
    invalid,
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
/** All values of the large customer, and a little more. */
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
const format = (length: number) => `{ account { created_at(format: "${'Y'.repeat(length)}") } }`

export const limits: Row[] = [
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
  ['a body of 8 MiB', fixed(post(Buffer.alloc(8 * mebibyte, 0x20))), 413, 'CONTENT_TOO_LARGE', over('body-bytes')],
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
    '20 000 values that are worded',
    doc(valuesOf(100).replaceAll('full_name', 'created_at(format: "dddd, MMMM D, YYYY h:mm:ss A Z")')),
    200,
    'data',
  ],
  ['20 000 values of elapsed time', doc(valuesOf(100).replaceAll('full_name', 'updated_at')), 200, 'data'],
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

export const floods: Row[] = [
  ['one field 300 times', doc(`{ ${'__typename '.repeat(300)} }`), 200, 'data'],
  ['one field 9000 times', doc(`{ ${'__typename '.repeat(9000)} }`), 200, invalid],
  ['one object 2400 times', doc(`{ ${'account { id } '.repeat(2400)} }`), 200, invalid],
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
  ['10 000 comments', doc(`${'#\n'.repeat(10_000)}{ __typename }`), 200, 'data'],
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

export const honest: Row[] = [
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
          { [`${secret}-`]: 1 },
          { token: 'x', label: 'x', pixels: [], [`.${secret}`]: 1 },
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
