/** Hostile values: cursors, names of Object members, characters and numbers, in documents and variables. */
import {
  typeName,
  parse,
  invalid,
  badInput,
  fixed,
  doc,
  all,
  update,
  updateNobody,
  type Given,
  type Row,
} from './hostile-row.testkit.js'
import { ask, get, post, type Sent } from './hostile.testkit.js'

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

export const cursors: Row[] = [
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
    'data',
  ],
  [
    'forged cursors of numbers for texts',
    behind(() => [forge(1, 1, 'customers full_name asc')], 'order_by:full_name'),
    200,
    'data',
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
    'data',
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

export const prototypes: Row[] = [
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
    'words of JavaScript as the name of an invalid operation',
    eachWord((it) => ask(`query ${it} { nope }`)),
    200,
    invalid,
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

export const characters: Row[] = [
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

export const numbers: Row[] = [
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
