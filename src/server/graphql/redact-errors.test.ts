/** No message repeats an input value; what helps to find the mistake stays. */
import { buildSchema, GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { createMock } from '../../index.js'
import { redactedMessage } from './redact-errors.js'
import { createEngine } from './engine.js'

const schema = buildSchema(`
  enum Size { SMALL LARGE }
  scalar Strict
  input In { text: String!, number: Int, ratio: Float, flag: Boolean, id: ID, size: Size, texts: [String!], inner: In, strict: Strict }
  type Query {
    ask(in: In, text: String, number: Int, ratio: Float, flag: Boolean, id: ID, size: Size, texts: [String!], strict: Strict): String
    must(text: String!): String
  }
`)
const strict = schema.getType('Strict') as { parseValue: unknown; parseLiteral: unknown }
strict.parseValue = strict.parseLiteral = () => {
  throw new GraphQLError('Strict takes nothing.')
}

const engine = createEngine({ schema })
const secret = 'SECRET'
/** A secret number. */
const number = 4242424242424

async function answerTo(query: string, variables: Record<string, unknown> = {}) {
  const { data, errors = [] } = await engine.run(engine.prepare({ query, variables }), () => ({}))
  expect(JSON.stringify({ data, errors })).not.toMatch(/SECR|4242424/)
  return errors
}

const types: Record<string, string> = {
  in: 'In',
  text: 'String',
  number: 'Int',
  ratio: 'Float',
  flag: 'Boolean',
  id: 'ID',
  size: 'Size',
  texts: '[String!]',
  strict: 'Strict',
}

const deep = { text: 'a', inner: { text: 'b', inner: { text: { [secret]: secret } } } }

test.each<[argument: string, value: unknown, message: string]>([
  ['text', number, 'String cannot represent a non string value.'],
  ['text', { token: secret }, 'String cannot represent a non string value.'],
  ['text', [secret], 'String cannot represent a non string value.'],
  ['text', true, 'String cannot represent a non string value.'],
  ['number', secret, 'Int cannot represent non-integer value.'],
  ['number', { a: secret }, 'Int cannot represent non-integer value.'],
  ['number', number + 0.5, 'Int cannot represent non-integer value.'],
  ['number', number, 'Int cannot represent non 32-bit signed integer value.'],
  ['ratio', secret, 'Float cannot represent non numeric value.'],
  ['flag', secret, 'Boolean cannot represent a non boolean value.'],
  ['id', { a: secret }, 'ID cannot represent value.'],
  ['id', number + 0.5, 'ID cannot represent value.'],
  ['size', secret, 'The value does not exist in "Size" enum.'],
  ['size', `x" does not exist in "${secret}`, 'The value does not exist in "Size" enum.'],
  ['size', number, 'Enum "Size" cannot represent non-string value.'],
  ['size', { a: secret }, 'Enum "Size" cannot represent non-string value.'],
  ['strict', secret, 'Strict takes nothing.'],
  ['in', secret, 'Expected type "In" to be an object.'],
  ['in', [secret], 'Expected type "In" to be an object.'],
  ['in', { text: secret, number: secret }, ' at "in.number". Int cannot represent non-integer value.'],
  ['in', { id: secret }, 'Field "text" of required type "String!" was not provided.'],
  ['in', { text: null, id: secret }, ' at "in.text". Expected non-nullable type "String!" not to be null.'],
  ['in', { text: secret, texte: secret }, 'Field "texte" is not defined by type "In". Did you mean "text" or "texts"?'],
  [
    'in',
    { text: secret, size: 'small' },
    ' at "in.size". The value does not exist in "Size" enum. Did you mean the enum value "SMALL"?',
  ],
  ['in', { text: secret, texts: [secret, number] }, ' at "in.texts[1]". String cannot represent a non string value.'],
  ['in', deep, ' at "in.inner.inner.text". String cannot represent a non string value.'],
  [
    'in',
    { text: `${secret}; " at "${secret}"`, number: `${secret} at "${secret}"` },
    ' at "in.number". Int cannot represent non-integer value.',
  ],
  ['texts', [secret, null], ' at "texts[1]". Expected non-nullable type "String!" not to be null.'],
  ['texts', { a: secret }, 'String cannot represent a non string value.'],
])('The error for the variable %s with the value %j does not repeat it.', async (argument, value, message) => {
  const document = `query ($${argument}: ${types[argument]}) { ask(${argument}: $${argument}) }`
  const [first, ...others] = (await answerTo(document, { [argument]: value })).map((it) => it.message)
  const place = message.startsWith(' at ') ? message : `. ${message}`
  expect(first).toBe(`Variable "$${argument}" has an invalid value${place}`)
  for (const other of others) expect(other).toMatch(/^Variable "\$in" has an invalid value/)
})

test('A missing variable and a null have different messages.', async () => {
  const document = 'query ($a: String!, $b: String!) { a: must(text: $a) b: must(text: $b) }'
  expect((await answerTo(document, { a: secret, b: null })).map(({ message }) => message)).toEqual([
    'Variable "$b" of non-null type "String!" must not be null.',
  ])
  expect((await answerTo(document, { a: secret })).map(({ message }) => message)).toEqual([
    'Variable "$b" of required type "String!" was not provided.',
  ])
})

const unnamed = 'A member whose name is not a GraphQL name is not defined by type "In".'

test.each([
  ['EAAB-SECRET', unnamed],
  ['SECRET token', unnamed],
  [`${number}`, unnamed],
  ['SECR\u00c9T', unnamed],
  ['SECRET\n', unnamed],
  ['\nSECRET', unnamed],
  ['SECRET" is not defined by type "In".', unnamed],
  ['texte" is not defined by type "SECRET', unnamed],
  ['"SECRET". Did you mean "text"?', unnamed],
  ['', unnamed],
  ['-', unnamed],
  ['text-', `${unnamed} Did you mean "text" or "texts"?`],
  ['texte', 'Field "texte" is not defined by type "In". Did you mean "text" or "texts"?'],
  ['__proto', 'Field "__proto" is not defined by type "In".'],
  ['a'.repeat(60), `Field "${'a'.repeat(40)}…" is not defined by type "In".`],
])('A member named %j is repeated only if that is a GraphQL name.', async (name, message) => {
  const document = 'query ($in: In) { ask(in: $in) }'
  for (const value of [
    { text: 'a', [name]: 1 },
    { text: 'a', inner: { text: 'b', [name]: 1 } },
  ]) {
    const place = 'inner' in value ? ' at "in.inner"' : ''
    expect((await answerTo(document, { in: value })).map((it) => it.message)).toEqual([
      `Variable "$in" has an invalid value${place}. ${message}`,
    ])
  }
})

test.each<[literal: string, message: string]>([
  [`text: ${number}`, 'String cannot represent a non string value.'],
  [`text: ${secret}`, 'String cannot represent a non string value.'],
  [`text: { token: "${secret}" }`, 'String cannot represent a non string value.'],
  [`text: ["${secret}"]`, 'String cannot represent a non string value.'],
  [`number: "${secret}"`, 'Int cannot represent non-integer value.'],
  [`number: """${secret}\n: ${secret}"""`, 'Int cannot represent non-integer value.'],
  [`number: ${number}`, 'Int cannot represent non 32-bit signed integer value.'],
  [`ratio: "${secret}"`, 'Float cannot represent non numeric value.'],
  [`flag: "${secret}"`, 'Boolean cannot represent a non boolean value.'],
  [`flag: ${secret}`, 'Boolean cannot represent a non boolean value.'],
  [`id: ${secret}`, 'ID cannot represent a non-string and non-integer value.'],
  [`id: { a: "${secret}" }`, 'ID cannot represent a non-string and non-integer value.'],
  [`size: ${secret}`, 'The value does not exist in "Size" enum.'],
  ['size: SMALLER', 'The value does not exist in "Size" enum. Did you mean the enum value "SMALL"?'],
  [`size: "${secret}"`, 'Enum "Size" cannot represent non-enum value.'],
  [`size: "SMALL"`, 'Enum "Size" cannot represent non-enum value. Did you mean the enum value "SMALL"?'],
  [`size: "Did you mean the enum value \\"${secret}\\"?"`, 'Enum "Size" cannot represent non-enum value.'],
  [`size: { a: "${secret}" }`, 'Enum "Size" cannot represent non-enum value.'],
  [`in: "${secret}"`, 'Expected value of type "In".'],
  [`in: ["${secret}"]`, 'Expected value of type "In".'],
  [`in: { number: 1, id: "${secret}" }`, 'Field "In.text" of required type "String!" was not provided.'],
  [`in: { text: null, id: "${secret}" }`, 'Expected value of type "String!".'],
  [
    `in: { text: "${secret}", texte: "${secret}" }`,
    'Field "texte" is not defined by type "In". Did you mean "text" or "texts"?',
  ],
  [`in: { text: "a", inner: { text: { a: "${secret}" } } }`, 'String cannot represent a non string value.'],
  [`texts: ["${secret}", ${number}]`, 'String cannot represent a non string value.'],
  [`texts: ["${secret}", null]`, 'Expected value of type "String!".'],
])('The error for the literal in %j does not repeat it.', async (literal, message) => {
  const errors = await answerTo(`{ ask(${literal}) }`)
  expect(errors.map((it) => it.message)).toEqual([message])
  expect(errors[0]?.locations).toHaveLength(1)
})

test.each([
  [
    'createStore(node: { name: "a", slug: "a", lang: "SECRET!" }) { store { id } }',
    'Lang takes a language code such as "en" or "pt-BR".',
  ],
  [
    'createStore(node: { name: "a", slug: "a", lang: 42 }) { store { id } }',
    'Lang takes a language code such as "en" or "pt-BR".',
  ],
  ['updateCustomer(id: "x", node: { custom: "SECRET" }) { id }', 'CustomFields takes an object that JSON can carry.'],
])('The error of a custom scalar does not repeat the literal: %s', async (field, message) => {
  const { errors } = await createMock().execute({ query: `mutation { ${field} }` })
  expect(errors).toMatchObject([{ message, locations: [{ line: 1 }] }])
})

test('The error for a default value does not repeat it.', async () => {
  const errors = await answerTo(`query ($n: Int = "${secret}") { ask(number: $n) }`)
  expect(errors.map(({ message }) => message)).toEqual(['Int cannot represent non-integer value.'])
})

test('The error for an argument that is invalid at execution does not repeat it.', async () => {
  const errors = await answerTo(`query ($text: String = "a") { ask(texts: ["${secret}", $text]) }`, { text: null })
  expect(errors).toMatchObject([{ message: 'Argument "texts" has an invalid value.', path: ['ask'] }])
})

test.each<[document: string, message: string]>([
  [`{ ask(text: "${secret}" "${secret}") }`, 'Syntax Error: Expected Name, found String.'],
  [`{ ask("${secret}") }`, 'Syntax Error: Expected Name, found String.'],
  [`{ "${secret}" }`, 'Syntax Error: Expected Name, found String.'],
  [`{ ask(text "${secret}") }`, 'Syntax Error: Expected ":", found String.'],
  [`{ ask(text """${secret}\n${secret}""") }`, 'Syntax Error: Expected ":", found BlockString.'],
  [`{ ask(text "String \\"a\\". ${secret} String \\"b\\"") }`, 'Syntax Error: Expected ":", found String.'],
  [`{ ask(number ${number}) }`, 'Syntax Error: Expected ":", found Int.'],
  [`{ ask(number ${number}.5) }`, 'Syntax Error: Expected ":", found Float.'],
  [`{ ask(text: "${secret}`, 'Syntax Error: Unterminated string.'],
  [`{ ask(text: "\\u${secret}") }`, 'Syntax Error: Invalid Unicode escape sequence.'],
  [`{ ask(text: "\\u{${secret}}") }`, 'Syntax Error: Invalid Unicode escape sequence.'],
  [`"${secret}" { ask }`, 'Syntax Error: Unexpected description, descriptions are not supported on shorthand queries.'],
  [`{ ask(text: "${secret}") `, 'Syntax Error: Expected Name, found <EOF>.'],
  [`{ ask(text: "${secret}") { `, 'Syntax Error: Expected Name, found <EOF>.'],
])('The syntax error in %j does not repeat the value.', async (document, message) => {
  const errors = await answerTo(document)
  expect(errors.map((it) => it.message)).toEqual([message])
  expect(errors[0]?.locations).toHaveLength(1)
})

test.each([
  ['{ asks }', 'Cannot query field "asks" on type "Query". Did you mean "ask"?'],
  ['{ ask(texte: "a") }', 'Unknown argument "texte" on field "Query.ask". Did you mean "text" or "texts"?'],
  ['query ($a: Inn) { ask(in: $a) }', 'Unknown type "Inn". Did you mean "In", "Int", or "ID"?'],
  ['query ($a: String) { ask(number: $a) }', 'Variable "$a" of type "String" used in position expecting type "Int".'],
  ['{ must }', 'Field "must" argument "text" of type "String!" is required, but it was not provided.'],
  ['{ ask', 'Syntax Error: Expected Name, found <EOF>.'],
  ['ask', 'Syntax Error: Unexpected Name "ask".'],
])('Names stay in messages: %s', async (document, message) => {
  const { errors = [] } = await engine.run(engine.prepare({ query: document }), () => ({}))
  expect(errors.map((it) => it.message)).toContain(message)
})

test('Without a cause, the message about a variable contains its name only.', () => {
  expect(redactedMessage(new GraphQLError(`Variable "$a" got invalid value "${secret}" at "a.b"; Nonsense.`))).toBe(
    'Variable "$a" has an invalid value.',
  )
})

test('Messages of the service are not changed.', () => {
  for (const message of ['There is no store with the id "7".', 'The query has no key "a". Its keys: b.']) {
    expect(redactedMessage(new GraphQLError(message))).toBe(message)
  }
})
