/** A failure has the same identity in each run, and no other failure has it. */
import * as fc from 'fast-check'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import type { Target } from '../client/target.js'
import { defaultProfile } from '../profile.js'
import { assumed, CheckFailure, documented, type Check, type Finding } from './check.js'
import { keyOf } from './identity.js'
import { operation } from './operation.js'
import { runChecks } from './runner.js'
import { createShapes } from './shape.js'

const definitions = parse(/* GraphQL */ `
  type Query {
    letters: [Letter!]!
  }
  type Letter {
    id: ID
    name: String
    pages: Int!
    stamp: Stamp
  }
  type Stamp {
    price: Float
  }
`)
const shapes = createShapes({ definitions })

/** Two servers that differ in everything that must not matter. */
interface Server {
  readonly host: string
  /** Makes ids and values of small numbers. */
  readonly value: (n: number) => string
  /** The order of everything that is listed. */
  readonly ordered: <Item>(items: readonly Item[]) => readonly Item[]
}

const servers: readonly Server[] = [
  { host: 'https://one.example/api/v2', value: (n) => `letter_${n}`, ordered: (items) => items },
  { host: 'http://10.0.0.7:4000', value: (n) => String(977 * n + 31), ordered: (items) => items.toReversed() },
]

const targetOf = (host: string, data: Readonly<Record<string, unknown>>): Target => ({
  name: host,
  redact: (text) => text,
  send: async ({ query }) => ({
    status: 200,
    body: { data: query === '{ __typename }' ? { __typename: 'Query' } : data },
    retries: 0,
    ms: 1,
  }),
  close: async () => {},
})

const basis = documented('Letters, 1.')

async function keysIn(checks: readonly Check[], target: Target): Promise<readonly string[]> {
  const report = await runChecks({ checks, target, shapes, expected: defaultProfile })
  const keys = report.results.flatMap(({ id, findings }) => findings.map((it) => keyOf({ check: id, ...it })))
  expect(new Set(keys).size).toBe(keys.length)
  return keys.toSorted()
}

// Few words, so that many findings agree, and some that a careless joining would confuse.
const word = fc.constantFrom('a', 'b', 'a,b', '","', '] [', ' > ')
const place = fc.record({ code: word, at: word, order: word }, { requiredKeys: [] })

test('Findings have as many identities as they have places, on every server.', async () => {
  const sets = fc.uniqueArray(fc.record({ id: fc.constantFrom('x', 'y', 'x-y'), places: fc.array(place) }), {
    selector: ({ id }) => id,
  })
  await fc.assert(
    fc.asyncProperty(sets, fc.nat(), async (checks, salt) => {
      const on = ({ host, value, ordered }: Server) => {
        const made = checks.map(({ id, places }): Check => ({
          id,
          title: `${id} holds.`,
          basis,
          async run() {
            const findings = ordered(
              places.map((it, n): Finding => ({
                ...it,
                sentence: `${value(n + salt)} of ${host} is ${value(n)}.`,
                basis: n % 3 === 0 ? assumed('Not shown.') : undefined,
              })),
            )
            if (findings.length > 0) throw new CheckFailure(findings)
          },
        }))
        return keysIn(ordered(made), targetOf(host, {}))
      }
      const expected = new Set(
        checks.flatMap(({ id, places }) =>
          places.map(({ code = id, at = id, order }) => JSON.stringify([id, code, at, order])),
        ),
      )
      const [one, two] = await Promise.all(servers.map(on))
      expect(one).toEqual(two)
      expect(one?.length).toBe(expected.size)
    }),
    { numRuns: 100 },
  )
})

/** What is wrong with a letter, and the identity that shows it. */
const faults = {
  fine: { row: {}, at: undefined },
  'no name': { row: { name: undefined }, at: ['missing-field', 'Letter.name'] },
  'no number of pages': { row: { pages: null }, at: ['null-value', 'Letter.pages'] },
  'pages in words': { row: { pages: 'three' }, at: ['wrong-type', 'Letter.pages'] },
  'a stamp in words': { row: { stamp: 'red' }, at: ['wrong-type', 'Letter.stamp'] },
  'a free stamp': { row: { stamp: { price: 'free' } }, at: ['wrong-type', 'Stamp.price'] },
  'a secret': { row: { secret: 1 }, at: ['unexpected-field', 'Letter.secret'] },
} as const
type Fault = keyof typeof faults

test('Answers with the same faults have the same identities, whichever elements have them.', async () => {
  const asked = operation('{ letters { id name pages stamp { price } } }')
  const check: Check = {
    id: 'letters',
    title: 'Letters have their shape.',
    basis,
    run: async (context) => void (await context.ask(asked)),
  }
  const rows = fc.array(fc.constantFrom(...(Object.keys(faults) as Fault[])), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(), async (chosen, salt) => {
      const on = ({ host, value, ordered }: Server) => {
        const letters = ordered(
          chosen.map((fault, n) => ({
            id: value(n + salt),
            name: value(n),
            pages: n,
            stamp: { price: n / 2 },
            ...faults[fault].row,
            // A server that sends an id as a key.
            ...(fault === 'a secret' && { [value(n)]: 1 }),
          })),
        )
        return keysIn([check], targetOf(host, { letters: JSON.parse(JSON.stringify(letters)) as object }))
      }
      const expected = new Set(chosen.flatMap((it) => (faults[it].at ? [JSON.stringify(faults[it].at)] : [])))
      if (chosen.includes('a secret')) expected.add(JSON.stringify(['unexpected-field', 'Letter']))
      const [one, two] = await Promise.all(servers.map(on))
      expect(one).toEqual(two)
      const short = one?.map((key) => JSON.stringify((JSON.parse(key) as string[]).slice(1, 3)))
      expect(new Set(short)).toEqual(expected)
    }),
    { numRuns: 100 },
  )
})
