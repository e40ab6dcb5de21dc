/** A log that is read again gives the same bytes, whatever was done, and however often it was compacted meanwhile. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { node } from '../mock/create-mock.js'
import { createMockOn } from '../mock/mock.js'
import { dumpOf } from '../mock/dump.testkit.js'
import type { Mock, MockOptions } from '../index.js'
import { isForUser } from '../shared/mistakes.js'

const folders = mkdtempSync(join(tmpdir(), 'commerce-mock-replay-'))
afterAll(() => rmSync(folders, { recursive: true }))

const counts = { customers: 3, segments: 2, stores: 1, products: 2, integrations: 1 }
const words = ['Ada', 'Ünï', '日本', '\u2028', '"\\', '💚']

type Act = (mock: Mock, name: string | undefined, n: number) => unknown

const sessionOf = (mock: Mock, name: string | undefined) => (name === undefined ? mock : mock.session(name))
const word = (n: number) => words[n % words.length] as string
/** The id of one of the records of a type. */
const idOf = (mock: Mock, name: string | undefined, type: string, n: number) => {
  const all = sessionOf(mock, name).list(type)
  return all[n % all.length]?.id ?? 'none'
}
const send = (mock: Mock, name: string | undefined, query: string, variables: object) =>
  sessionOf(mock, name).execute({ query, variables: variables as Record<string, unknown> })
const call = (mock: Mock, method: string, path: string, body?: object) =>
  mock.fetch(path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

/** Each changes a session, or fails and changes nothing. */
const acts: Readonly<Record<string, Act>> = {
  createSegment: (mock, name, n) =>
    send(mock, name, 'mutation ($node: SegmentInput!) { createSegment(node: $node) { id } }', {
      node: { name: word(n), settings: { include: { operator: 'ANY', tags: [word(n + 1)] } } },
    }),
  deleteSegments: (mock, name, n) =>
    send(mock, name, 'mutation ($items: [ID!]!) { deleteSegments(items: $items) }', {
      items: [idOf(mock, name, 'Segment', n), idOf(mock, name, 'Segment', n + 1)],
    }),
  createCustomer: (mock, name, n) =>
    send(mock, name, 'mutation ($node: InputCustomer!) { createCustomer(node: $node) { id } }', {
      node: { email: `c${n}-${mock.list('Customer').length}@example.com`, first_name: word(n) },
    }),
  updateCustomer: (mock, name, n) =>
    send(
      mock,
      name,
      'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }',
      {
        id: idOf(mock, name, 'Customer', n),
        node: { last_name: word(n), tags: [word(n)], custom: { n, list: [word(n), null, -0, 1e21] } },
      },
    ),
  updateAccount: (mock, name, n) =>
    send(mock, name, 'mutation ($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }', {
      node: { fb_pixels: [{ id: String(n), label: word(n) }] },
    }),
  twoFields: (mock, name, n) =>
    send(
      mock,
      name,
      'mutation ($a: SegmentInput!) { a: createSegment(node: $a) { id } b: createSegment(node: $a) { id } }',
      {
        a: { name: word(n) },
      },
    ),
  set: (mock, name, n) =>
    sessionOf(mock, name).set('Customer', idOf(mock, name, 'Customer', n), {
      ...(n % 2 ? { full_name: `${word(n)} ${word(n + 1)}` } : { expenses: n * 1.1, orders_count: n }),
      created_at: n % 3 ? '3 days ago' : null,
    }),
  create: (mock, name, n) => sessionOf(mock, name).create(n % 2 ? 'Store' : 'Product', {}),
  remove: (mock, name, n) => {
    const type = ['Segment', 'Store', 'Integration', 'Customer'][n % 4] as string
    return sessionOf(mock, name).remove(type, idOf(mock, name, type, n))
  },
  createAndRemove: (mock, name) => {
    const session = sessionOf(mock, name)
    session.remove('Segment', session.create('Segment', {}).id)
  },
  advance: (mock, name, n) => sessionOf(mock, name).clock.advance(`${n}h`),
  run: (mock, name) => sessionOf(mock, name).clock.run(),
  freeze: (mock, name) => sessionOf(mock, name).clock.freeze(),
  reset: (mock, name) => sessionOf(mock, name).reset(),
  resetAnew: (mock, name, n) =>
    sessionOf(mock, name).reset(
      [{ seed: n }, { now: 'real' as const }, { world: { customers: [{ email: 'a@b.c' }] } }][n % 3],
    ),
  snapshot: (mock, name, n) => sessionOf(mock, name).snapshot(`s${n % 2}`),
  restore: (mock, name, n) => sessionOf(mock, name).restore(`s${n % 2}`),
  drop: (mock, _, n) => call(mock, 'DELETE', `/_mock/snapshots/s${n % 2}`),
  undo: (mock, name, n) => sessionOf(mock, name).rewind({ last: 1 + (n % 3) }),
  end: (mock, name) => call(mock, 'DELETE', `/_mock/sessions/${name}`),
  fork: (mock, name, n) =>
    call(mock, 'POST', '/_mock/sessions', {
      name: `fork${n % 3}`,
      from: n % 2 && name !== undefined ? { session: name } : { snapshot: `s${n % 2}` },
    }),
}

const step = fc.record({
  act: fc.constantFrom(...Object.keys(acts)),
  name: fc.constantFrom(undefined, 'a', 'b', 'fork0'),
  n: fc.nat(11),
})

/** Every session, also as it is after going back to where its log begins, and after a reset. */
async function allOf(mock: Mock): Promise<string[]> {
  const listed = (await (await call(mock, 'GET', '/_mock/sessions')).json()) as { sessions: { name: string }[] }
  const names = [undefined, ...listed.sessions.map(({ name }) => name).sort()]
  const texts: string[] = []
  for (const name of names) {
    const session = sessionOf(mock, name)
    const path = `${name === undefined ? '' : `/s/${name}`}/_mock`
    session.clock.freeze()
    // Where a running clock stops is chance.
    session.clock.set('2026-06-01')
    texts.push(await dumpOf(mock, name))
    const refused = (await (await call(mock, 'POST', `${path}/rewind`, { to: 1e9 })).json()) as object
    texts.push(JSON.stringify(refused))
    session.rewind({ to: Number(/positions (\d+)/.exec(JSON.stringify(refused))?.[1]) })
    session.clock.freeze()
    session.clock.set('2026-06-02')
    texts.push(await dumpOf(mock, name))
    session.reset()
    session.clock.freeze()
    session.clock.set('2026-06-03')
    texts.push(await dumpOf(mock, name))
  }
  return [...texts, await (await call(mock, 'GET', '/_mock/snapshots')).text()]
}

const runs = process.env['SOAK'] ? 300 : 12

test(
  'A log that is read again, compacted or not, gives the same sessions to the byte.',
  { timeout: 600_000 },
  async () => {
    let compactions = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80 }),
        fc.constantFrom(1500, 20_000, undefined),
        async (steps, minGrowth) => {
          const state = mkdtempSync(join(folders, 'state-'))
          const open = (state: string, options: MockOptions) =>
            createMockOn({ ...node, minGrowth }, { ...options, state })
          const before = open(state, { counts, freeze: true, now: '2026-03-01' })
          for (const { act, name, n } of steps) {
            try {
              await acts[act]?.(before, name, n)
            } catch (error) {
              // There is no such record, snapshot or position.
              if (!isForUser(error)) throw error
            }
            await setImmediate()
          }
          const copy = mkdtempSync(join(folders, 'copy-'))
          cpSync(join(state, 'log.jsonl'), join(copy, 'log.jsonl'))
          if (readFileSync(join(copy, 'log.jsonl')).includes('"elapsed":')) compactions += 1
          const after = open(copy, {})
          expect(await allOf(after)).toEqual(await allOf(before))
          await after.close()
          await before.close()
        },
      ),
      { numRuns: runs },
    )
    expect(compactions).toBeGreaterThan(0)
  },
)
