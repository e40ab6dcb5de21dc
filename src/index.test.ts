import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as door from './index.js'

const sourceOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')

/** Every export of the package, with the file that declares it. */
const exported = [...sourceOf('index.ts').matchAll(/^export (type )?\{ (.+) \} from '(.+)\.js'$/gm)].flatMap(
  ([, type, names = '', path]) =>
    names.split(', ').map((it) => ({ name: it.replace(/ as .*/, ''), path: `${path}.ts`, isType: type !== undefined })),
)

test.each(exported)('$name has TSDoc, with an example if it is not a type', ({ name, path, isType }) => {
  const declaration = `export (?:async )?(?:function|const|class|interface|type) ${name}\\b`
  const [, comment = ''] = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n${declaration}`).exec(sourceOf(path)) ?? []
  expect(comment).toMatch(isType ? /\w/ : /\w[^]*@example/)
})

test('a mock has what its type says, and every value of the package is exported', () => {
  const { world: _, faultFile: __, ...mock } = door.createMock()
  expect({ values: Object.keys(door).sort(), mock: Object.keys(mock).sort() }).toMatchInlineSnapshot(`
    {
      "mock": [
        "clock",
        "close",
        "coverage",
        "create",
        "execute",
        "faults",
        "fetch",
        "fork",
        "get",
        "list",
        "listen",
        "profile",
        "remove",
        "requests",
        "reset",
        "restore",
        "rewind",
        "schema",
        "session",
        "set",
        "snapshot",
      ],
      "values": [
        "TargetError",
        "assumed",
        "contractChecks",
        "createMock",
        "disputed",
        "documented",
        "fail",
        "inconclusive",
        "operation",
        "runContracts",
        "skip",
        "withVariables",
      ],
    }
  `)
})

test('createMock is synchronous, opens nothing, and a mock can be disposed of', async () => {
  const before = process.getActiveResourcesInfo().filter((it) => it.includes('Server')).length
  const mock = door.createMock()
  expect(mock).not.toBeInstanceOf(Promise)
  expect(process.getActiveResourcesInfo().filter((it) => it.includes('Server'))).toHaveLength(before)
  await using other = door.createMock()
  const { url } = await other.listen({ port: 0 })
  expect((await fetch(url)).status).toBe(200)
  await other[Symbol.asyncDispose]()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('fetch can be handed to a client by itself', async () => {
  const { fetch } = door.createMock()
  const answer = await fetch('http://anywhere/api/v2', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ account { stores { name } } }' }),
  })
  expect(await answer.json()).toMatchObject({ data: { account: { stores: [{}, {}, {}] } } })
})

test.each([
  [{ seed: 0.5 }, 'The seed must be a whole number, not 0.5.'],
  [{ counts: { customers: -1 } }, 'The number of customers must be a whole number from 0 to 5000000, not -1.'],
  [{ counts: { people: 1 } as never }, 'There is no count "people". Choose one of: customers, segments, '],
  [
    { now: 'soon' },
    'Cannot read the instant "soon". Write it as 2026-01-31T12:00:00Z, in the years 1000 to 9999, or "real" for the',
  ],
  [{ now: new Date(NaN) }, 'Cannot read the instant null.'],
  [{ profile: { same_slug: 'no' } as never }, 'The profile entry "same_slug" takes "error" or "allow".'],
  [{ token: '' }, 'The token must be at least one visible ASCII character'],
  [{ schema: 'type Query {' }, 'Syntax Error'],
])('createMock(%j) says what is wrong', (options, message) => {
  expect(() => door.createMock(options)).toThrow(message)
})

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z'],
  ['2026-01-31 12:30:15', '2026-01-31T12:30:15.000Z'],
  ['2026-01-31T12:30:15.5Z', '2026-01-31T12:30:15.500Z'],
  ['2026-01-31T12:30:15+02:00', '2026-01-31T10:30:15.000Z'],
  ['2026-01-31T12:30-0730', '2026-01-31T20:00:00.000Z'],
])('now: %s is %s', (now, instant) => {
  expect(new Date(door.createMock({ now, freeze: true }).clock.now()).toISOString()).toBe(instant)
})

test('now: real follows the wall clock, also after a reset', () => {
  const mock = door.createMock({ now: 'real' })
  const close = () => Math.abs(mock.clock.now() - Date.now()) < 1000
  expect(close()).toBe(true)
  mock.clock.advance(86_400_000)
  expect(close()).toBe(false)
  mock.reset()
  expect(close()).toBe(true)
})
