/** The Facebook token is a secret: no response, list or log contains it, however wrong the request is. */
import { describe, expect, test } from 'vitest'
import { integrations, removeIntegration } from '../../contracts/integrations.js'
import { createConversionApiFacebookIntegration, exampleIntegration } from '../../contracts/operations.testkit.js'
import { startBinary } from '../commands/binary.testkit.js'
import { ask, everything, recordOf, smallMock, type Json } from './state.testkit.js'

const secret = 'EAAGm0PX4ZCpsBAKs3cr3tT0k3n'
const { document } = createConversionApiFacebookIntegration
const good = { ...exampleIntegration, token: secret }

const withNode = (node: unknown) => ({ query: document, variables: { node } })
const literal = (node: string) => ({
  query: `mutation { createConversionApiFacebookIntegration(node: ${node}) { id } }`,
})

/** Wrong bodies that contain the token. */
const wrong: readonly [string, unknown][] = [
  ['a token that is an object', withNode({ ...good, token: { value: secret } })],
  ['a token that is a list', withNode({ ...good, token: [secret] })],
  ['no label', withNode({ token: secret, pixels: [] })],
  ['a label that is a number', withNode({ ...good, label: 42 })],
  ['pixels with a null', withNode({ ...good, pixels: ['1', null] })],
  ['pixels with the token in an object', withNode({ ...good, pixels: [{ token: secret }] })],
  ['a misspelt token', withNode({ tokne: secret, label: 'A', pixels: [] })],
  ['a field too many', withNode({ ...good, colour: secret })],
  ['the token for the whole node', withNode(secret)],
  ['a node one level too deep', withNode({ node: good })],
  ['variables that are the token', { query: document, variables: secret }],
  ['variables without the node', { query: document, variables: good }],
  [
    'a wrong type of the variable',
    { query: document.replace('FacebookConversionApi!', 'InputPixel!'), variables: { node: good } },
  ],
  [
    'an unknown type of the variable',
    { query: document.replace('FacebookConversionApi', 'Facebook'), variables: { node: good } },
  ],
  [
    'a list for the type of the variable',
    { query: document.replace('FacebookConversionApi!', '[FacebookConversionApi]'), variables: { node: [good] } },
  ],
  ['an operation name that is not there', { ...withNode(good), operationName: 'Other' }],
  ['a document cut short', { query: document.slice(0, 60), variables: { node: good } }],
  [
    'a directive with the token',
    { query: document.replace('(node: $node)', `(node: $node) @include(if: "${secret}")`), variables: { node: good } },
  ],
  ['an output field that is not there', { query: document.replace(/\bid\b/, 'token'), variables: { node: good } }],
  ['a persisted query', { variables: { node: good }, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }],
  ['no query at all', { variables: { node: good } }],
  ['a literal token in a list', literal(`{ token: ["${secret}"], label: "A", pixels: [] }`)],
  ['a literal token without quotes', literal(`{ token: ${secret}, label: "A", pixels: [] }`)],
  ['a misspelt literal token', literal(`{ tokne: "${secret}", label: "A", pixels: [] }`)],
  ['a literal token where pixels belong', literal(`{ token: "A", label: "A", pixels: ${secret} }`)],
  ['a literal token for the whole node', literal(`"${secret}"`)],
  ['a literal node without a label', literal(`{ token: "${secret}", pixels: [] }`)],
  ['a literal token twice', literal(`{ token: "${secret}", token: "${secret}", label: "A", pixels: [] }`)],
  ['a literal node cut short', literal(`{ token: "${secret}"`)],
  ['a literal token behind its place', literal(`{ token: "A" "${secret}", label: "A", pixels: [] }`)],
  ['a literal block token behind its place', literal(`{ token: "A" """${secret}""", label: "A", pixels: [] }`)],
  [
    'a literal token for an argument of its own',
    {
      query: `mutation { createConversionApiFacebookIntegration(token: "${secret}", label: "A", pixels: []) { id } }`,
    },
  ],
  ['a literal token for a key', literal(`{ "${secret}": "A" }`)],
  ['a literal token with a bad escape', literal(`{ token: "${secret}\\q", label: "A", pixels: [] }`)],
  [
    'the token as the default of a variable',
    {
      query: `mutation ($node: FacebookConversionApi! = { token: ["${secret}"] }) { createConversionApiFacebookIntegration(node: $node) { id } }`,
    },
  ],
  [
    'the token as the default of a variable of another type',
    {
      query: `mutation ($node: Int = "${secret}") { createConversionApiFacebookIntegration(node: $node) { id } }`,
    },
  ],
  ['a list of requests', [withNode(good)]],
]

const post = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body })

describe.each([{}, { profile: { error_form: 'keyed' } }, { lenientInputs: true }] as const)('with %j', (options) => {
  test.each(wrong)('the response to %s does not contain the token', async (_, body) => {
    const lines: string[] = []
    const mock = smallMock({ ...options, onUnexpected: (line) => lines.push(line) })
    const response = await mock.fetch('http://localhost/api/v2', post(JSON.stringify(body)))
    const text = await response.text()
    expect(text).not.toContain(secret)
    expect(JSON.parse(text).errors.length).toBeGreaterThan(0)
    expect(lines).toEqual([])
  })
})

test('the response to a truncated body does not contain the token', async () => {
  const body = JSON.stringify(withNode(good)).slice(0, -3)
  const response = await smallMock().fetch('http://localhost/api/v2', post(body))
  expect(await response.text()).not.toContain(secret)
})

test('neither the API nor the world shows the token of an integration', async () => {
  const mock = smallMock()
  const made = await ask<Record<string, { id: string }>>(mock, createConversionApiFacebookIntegration, { node: good })
  const { id } = made['createConversionApiFacebookIntegration']!
  const shown = [made, await everything(mock), await recordOf(mock, 'Integration', id), await ask(mock, integrations)]
  expect(JSON.stringify(shown)).toContain(good.label)
  expect(JSON.stringify(shown)).not.toContain(secret)
  const record = mock.world.find(id)!
  expect(
    JSON.stringify([record, (record as unknown as Json)['$row'], mock.get('Integration', id, 'details')]),
  ).not.toContain(secret)
  const { removeIntegration: after } = await ask(mock, removeIntegration, { id })
  expect(JSON.stringify(after)).not.toContain(secret)
})

const logLine = /^POST \/api\/v2 (200|400) \d+(\.\d)? ms( mutation( CreateConversionApiFacebookIntegration)?)?(: .+)?$/

test('neither a response nor the log contains the token', async () => {
  await using binary = await startBinary(['--freeze'])
  const answers = []
  for (const body of [withNode(good), ...wrong.map(([, it]) => it)]) {
    const response = await fetch(binary.url, post(JSON.stringify(body)))
    answers.push(await response.text())
  }
  expect(answers).toHaveLength(wrong.length + 1)
  expect(answers.join('\n')).not.toContain(secret)
  expect(await binary.stop()).toBe(0)
  expect(binary.output().startsWith(binary.banner)).toBe(true)
  const lines = binary.output().slice(binary.banner.length).trimEnd().split('\n')
  expect(lines).toHaveLength(answers.length)
  expect(lines.filter((it) => !logLine.test(it))).toEqual([])
})
