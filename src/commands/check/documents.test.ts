/** `check --documents`, as front ends write their documents. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMock } from '../../mock/create-mock.js'
import { ownPackage } from '../../shared/package.js'
import { bodyOf } from '../body.testkit.js'
import { runInProcess } from '../in-process.testkit.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-documents-'))
let server: Server
let url: string
let sent: string[] = []
let folder: string

beforeAll(async () => {
  // The server knows more than the specification.
  const schema = ownPackage().schema.replace(
    'type Account implements Node {',
    'directive @fresh on FIELD\ntype Gift implements Node { id: ID! number: String }\nenum Unit { DAY }\ntype Quota { left: Int }\ntype Account implements Node {\n  plan: String\n  quota(of: String, in: Unit): Quota',
  )
  const mock = createMock({ freeze: true, schema })
  server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    sent.push((JSON.parse(body) as { query: string }).query)
    const headers = { 'content-type': 'application/json' }
    const answer = await mock.fetch('http://localhost/api/v2', { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'))
  sent = []
})

/** Runs the document checks of some files. */
async function judge(files: Readonly<Record<string, string>>, pattern = '**/*.{graphql,ts,tsx}') {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const words = ['check', '--base-url', url, '--documents', pattern, '--only', 'document-*', '--verbose']
  const { code, stdout, stderr } = await runInProcess(words, { cwd: folder })
  return {
    code,
    results: stdout.match(/^ *(?:pass|FAIL|skip|\?|error) +document-.*(?:\n .*)*/gm) ?? [],
    stdout,
    stderr,
  }
}

const customers = (selection: string) => `{ customers(query: "", first: 2) { edges { node { ${selection} } } } }`

test('They are judged with their variables, and mutations are never sent.', async () => {
  const { code, stdout } = await judge({
    'good.graphql': 'query Good($n: Int!) { customers(query: "", first: $n) { edges { node { ...Who } } } }',
    'good.graphql.variables.json': '{ "n": 2 }',
    'who.graphql': 'fragment Who on Customer { id full_name }',
    'wrong.graphql': 'query Wrong {\n  customers(query: 3) { edges { cursor } }\n}',
    'lacking.graphql': 'query Lacking($id: ID!) { node(id: $id) { id } }',
    'writing.graphql': 'mutation Writing { deleteStore(items: []) { id } }',
  })
  expect(code).toBe(1)
  expect(stdout).toMatch(/pass +document-good/)
  expect(stdout).toMatch(/FAIL +document-wrong[^]*Wrong in wrong.graphql is not valid, line 2: String cannot represent/)
  expect(stdout).toContain('There is no value for $id. Write it into lacking.graphql.variables.json.')
  expect(stdout).toContain('It is a mutation, which is never sent.')
  expect(sent.filter((it) => it.includes('mutation'))).toEqual([])
})

test('What only the server knows – fields, arguments, types, directives – is for the server to judge.', async () => {
  const { code, stdout } = await judge({
    'more.graphql': 'query More($of: String, $in: Unit) { account { id plan quota(of: $of, in: $in) { left } } }',
    'only.graphql': 'query Only { account { plan quota(of: "a") { left } } }',
    'shared.graphql':
      'query Shared { node(id: "x") { ... on Customer { label: full_name } ... on Gift { label: number } } }',
    'fresh.graphql': 'query Fresh { account { id @fresh } }',
    'conflict.graphql': 'mutation Conflict { deleteStore(items: []) { id: name id } }',
    'typo.graphql': 'query Typo {\n  account { id planet }\n}',
  })
  expect(stdout).toMatch(/pass +document-more/)
  expect(stdout).toMatch(/pass +document-only/)
  expect(stdout).toMatch(/pass +document-shared/)
  expect(stdout).toMatch(/pass +document-fresh/)
  expect(stdout).toMatch(/FAIL +document-conflict/)
  expect(stdout).toMatch(
    /FAIL +document-typo[^]*Typo in typo.graphql is not valid, line 2: Cannot query field "planet" on type "Account"\. [^]*The server rejects/,
  )
  expect(code).toBe(1)
})

test('A file that imports a fragment gets that one, although another file has one of the same name.', async () => {
  const { code, stdout } = await judge(
    {
      'a/list.graphql': `#import "../shared/row.graphql"\nquery Imported ${customers('...Row')}`,
      'a/row.graphql': 'fragment Row on Customer { id avatar }',
      'shared/row.graphql':
        'fragment Row on Customer { id full_name ...Money }\nfragment Money on Customer { expenses }',
      'b/own.graphql': `query Own ${customers('...Row')}\nfragment Row on Customer { created_at }`,
      'c/which.graphql': `query Which ${customers('...Row')}`,
    },
    '{a,b,c}/*.graphql',
  )
  expect(code).toBe(0)
  expect(sent.some((it) => /query Imported[^]*fragment Row on Customer \{\s+id\s+full_name[^]*expenses/.test(it))).toBe(
    true,
  )
  expect(sent.some((it) => /query Own[^]*fragment Row on Customer \{\s+created_at/.test(it))).toBe(true)
  expect(stdout).toContain('The fragment Row is in a/row.graphql and b/own.graphql and shared/row.graphql.')
})

test('Directives and fields for the client alone are not sent.', async () => {
  const { code, stdout } = await judge({
    'apollo.graphql': `query Apollo($on: Boolean!) {
      customers(query: "", first: 2) @connection(key: "all") { edges { node { id selected @client shown @client(always: true) @include(if: $on) } } }
      ui @client { theme }
    }`,
    'local.graphql': 'query Local { ui @client { theme } }',
    'relay.graphql': `query Relay ${customers('...Relay_row @relay(mask: false)')}
      fragment Relay_row on Customer @argumentDefinitions(n: { type: "Int" }) { id }`,
    'required.graphql': `query Required ${customers('full_name @required(action: LOG)')}`,
    'apollo.graphql.variables.json': '{ "on": true }',
  })
  expect(stdout).toMatch(/pass +document-apollo/)
  expect(stdout).toMatch(/pass +document-required/)
  expect(stdout).toContain('All its fields are local to the client.')
  expect(stdout).toContain("It uses @argumentDefinitions, which Relay's compiler replaces.")
  expect(sent.join('\n')).not.toMatch(/client|@connection|@required|theme|\$on/)
  expect(code).toBe(0)
})

test('A file with only a comment has nothing to judge.', async () => {
  const { code, stdout } = await judge({ 'later.graphql': '# TODO\n', 'now.graphql': 'query Now { account { id } }' })
  expect([code, stdout.match(/document-\S+/g)]).toEqual([0, ['document-now']])
})

test('Documents in gql and graphql tags of code are read, and their errors have the line of the file.', async () => {
  const { code, stdout } = await judge({
    'rows.tsx': `import { gql } from '@apollo/client'
const row = gql\`fragment Row on Customer { id full_name }\`
export const rows = gql\`
  query Rows ${customers('...Row')}
  \${row}
\`
export const Page = () => <p title={\`\${rows}\`}>{rows.definitions.length satisfies number}</p>
`,
    'wrong.ts': `const a: number = 1
const wrong = graphql(\`
  query Wrong {
    customers { edges { cursor } }
  }
\`)`,
  })
  expect(stdout).toMatch(/pass +document-rows/)
  expect(stdout).toMatch(/FAIL +document-wrong[^]*Wrong in wrong.ts is not valid, line 4:/)
  expect(code).toBe(1)
})

test.each([
  ['broken.graphql', 'query {', '--documents: broken.graphql, line 1 cannot be read: Syntax Error'],
  ['broken.ts', 'const = 3', '--documents: broken.ts cannot be read'],
])('%s is named with its option', async (name, text, message) => {
  const { code, stderr } = await judge({ [name]: text })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(sent).toEqual([])
})

test('What a front end cannot know of skip, include and defaults is judged.', async () => {
  const { code, stdout } = await judge({
    'if.graphql': `query If($no: Boolean = false, $yes: Boolean!) { account { id @include(if: $yes) stores @include(if: $no) { id } } }`,
    'if.graphql.variables.json': '{ "yes": true }',
  })
  expect(stdout).toMatch(/pass +document-if/)
  expect(code).toBe(0)
})
