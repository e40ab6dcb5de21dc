/** Sessions against a model, and what becomes of idle ones. */
import * as fc from 'fast-check'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { createClock } from '../world/clock.js'
import { define } from '../world/definition.js'
import { pageNow } from '../world/page.testkit.js'
import { tallyOf } from '../world/tally.testkit.js'
import { createWorld, type World } from '../world/world.js'
import { Faults } from './faults/faults.js'
import { Journal } from './requests/journal.js'
import type { Session } from './session.js'
import { Sessions, type Line } from './sessions.js'

interface Letter {
  char: string
}

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: { char: (rng) => rng.pick([...'abc']) },
  keys: { char: { value: (row) => row.char } },
  group: (row) => row.char,
})

const letters = (count: number): World =>
  createWorld({
    definitions: [letter],
    randomSeed: 1,
    start: 0,
    counts: { Letter: count },
    clock: createClock({ start: 1000 }),
  })

function sessionsOf({ elapsed = () => 0, append }: { elapsed?: () => number; append?: (line: Line) => void } = {}) {
  const recreate = (beginning: object) => letters((beginning as { count: number }).count)
  const begin = (beginning: object) => ({ beginning, world: recreate(beginning) })
  const first = begin({ count: 3 })
  const schema = buildSchema('type Query { a: Int }')
  const faults = () => new Faults(schema)
  const journals = { max: 0, schema, provenance: () => new Map(), elapsed }
  const journal = (now: () => number) =>
    new Journal({ ...journals, factsOf: () => undefined, timer: () => () => {} }, now)
  return new Sessions({ first, begin, recreate, maxSessions: 100, ttl: 1000, elapsed, journal, faults, append })
}

/** All that can be seen of a world. */
const seen = ({ world }: Pick<Session, 'world'>) => ({
  now: world.clock.now(),
  rows: Array.from(world.all(letter), ({ id, char }) => `${id} ${char}`),
  sorted: pageNow(world, letter, { key: 'char', dir: 'asc' }, { first: 100 }).items.map(({ id }) => id),
  groups: tallyOf(world, letter),
  next: world.counters(),
})

const names = [undefined, 'a', 'b'] as const
const step = fc.record({
  on: fc.constantFrom(...names),
  from: fc.constantFrom(...names),
  action: fc.constantFrom(
    'create',
    'patch',
    'remove',
    'churn',
    'advance',
    'reset',
    'begin',
    'undo',
    'take',
    'restore',
    'end',
    'fork',
    'compact',
  ),
  index: fc.nat(6),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What a session is, told without a log: its present, its past since the last reset, and its start. */
interface Model {
  readonly states: ReturnType<typeof seen>[]
  start: ReturnType<typeof seen>
}

function act(sessions: Sessions, models: Map<string | undefined, Model>, taken: Map<string, Model['start']>, it: Step) {
  const { on, action, index } = it
  const known = sessions.find(on)
  const session = sessions.use(on)
  if (!known) {
    const now = seen(sessions.base)
    models.set(on, { states: [now], start: now })
  }
  const model = models.get(on) as Model
  const { world } = session
  if (action === 'create') world.create(letter, { char: `n${index}` })
  if (action === 'patch' && world.at(letter, index))
    world.patch(letter, index, { char: `p${index}${seen(session).rows.length}` })
  if (action === 'remove') world.remove(letter, index)
  // Leaves nothing but a counter.
  if (action === 'churn') world.transact('churn', () => world.remove(letter, world.create(letter, {}).index))
  if (action === 'advance') session.moveClock((clock) => clock.moveTo(clock.now() + index + 1))
  if (action === 'reset' || action === 'begin') {
    sessions.reset(session, action === 'begin' ? { count: index } : undefined)
    if (action === 'begin') model.start = seen(session)
    expect(seen(session)).toEqual(model.start)
    model.states.splice(0, Infinity, model.start)
    return
  }
  if (action === 'undo') {
    const count = index + 1
    if (model.states.length > count) {
      session.rewind({ last: count })
      model.states.splice(-count)
    } else expect(() => session.rewind({ last: count })).toThrow(/fewer/)
    expect(seen(session)).toEqual(model.states.at(-1))
    return
  }
  if (action === 'take') {
    sessions.take('one', session)
    taken.set('one', seen(session))
    return
  }
  if (action === 'restore' && taken.has('one')) {
    session.restore('one')
    expect(seen(session)).toEqual(taken.get('one'))
    model.states.push(seen(session))
    return
  }
  if (action === 'end' && on !== undefined) {
    sessions.end(on)
    models.delete(on)
    return
  }
  if (action === 'fork' && on !== undefined && sessions.find(it.from) && it.from !== on) {
    sessions.end(on)
    const now = seen(sessions.get(it.from))
    expect(seen(sessions.create(on, { session: it.from }))).toEqual(now)
    models.set(on, { states: [now], start: now })
    return
  }
  const now = seen(session)
  if (JSON.stringify(now) !== JSON.stringify(model.states.at(-1))) model.states.push(now)
}

const asLines = (lines: Iterable<object>) => JSON.parse(JSON.stringify([...lines])) as Line[]

test('Undo, reset, restore and fork agree with a model, and the lines replayed give the same sessions, compacted or not.', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const lines: Line[] = []
      const sessions = sessionsOf({ append: (line) => lines.push(...asLines([line])) })
      const base = seen(sessions.base)
      const models = new Map<string | undefined, Model>([[undefined, { states: [base], start: base }]])
      const taken = new Map<string, Model['start']>()
      for (const it of steps) {
        if (it.action === 'compact') lines.splice(0, Infinity, ...asLines(sessions.compacted(0)))
        else act(sessions, models, taken, it)
        for (const [name, { states }] of models) expect(seen(sessions.get(name))).toEqual(states.at(-1))
      }
      const again = sessionsOf()
      for (const line of lines) again.replay(line)
      const all = (of: Sessions) => [
        ...[of.base, ...of.list()].map((it) => [it.name, it.last, it.history.first, seen(it)]).sort(),
        ...of.snapshots.map(({ name, at, world }) => [name, at, seen({ world })]),
      ]
      expect(all(again)).toEqual(all(sessions))
      for (const name of names) {
        if (!sessions.find(name)) continue
        const both = [sessions, again].map((it) => it.get(name))
        const same = (change: (session: Session) => void) => {
          const [one, other] = both.map((it) => [change(it), seen(it)])
          expect(other).toEqual(one)
        }
        for (const n of [0, 1, 2]) same((it) => it.rewind({ to: Math.min(it.history.first + n, it.last) }))
        same((it) => it.reset())
      }
    }),
    { numRuns: process.env['SOAK'] ? 100 : 40 },
  )
})

test('A change that cannot be logged does not happen.', () => {
  let isFull = false
  const sessions = sessionsOf({
    append() {
      if (isFull) throw new Error('The disk is full.')
    },
  })
  const { base } = sessions
  base.world.create(letter, { char: 'x' })
  const before = seen(base)
  isFull = true
  for (const change of [
    () => base.world.create(letter, { char: 'y' }),
    () => base.world.transact('two', () => [base.world.remove(letter, 0), base.world.create(letter, {})]),
    () => base.moveClock((clock) => clock.moveTo(clock.now() + 5)),
    () => base.reset(),
    () => base.rewind({ last: 1 }),
    () => sessions.create('a'),
    () => sessions.take('one', base),
  ])
    expect(change).toThrow('The disk is full.')
  expect(seen(base)).toEqual(before)
  expect([base.last, sessions.list(), sessions.snapshots]).toEqual([1, [], []])
  isFull = false
  base.world.create(letter, { char: 'y' })
  expect(base.last).toBe(2)
})

test('An unused session ends; a used one stays.', () => {
  let now = 0
  const sessions = sessionsOf({ elapsed: () => now })
  for (const name of ['a', 'b', 'c']) sessions.create(name)
  now = 600
  sessions.use('a')
  now = 1100
  expect(sessions.list().map(({ name }) => name)).toEqual(['a'])
  now = 1700
  expect(sessions.find('a')).toBeUndefined()
})

test('A rewind goes back ten thousand entries at most.', () => {
  const { base } = sessionsOf()
  for (let n = 1; n <= 12_000; n++) base.world.patch(letter, 0, { char: String(n) })
  expect(base.history.first).toBe(2000)
  expect(() => base.rewind({ to: 1999 })).toThrow(
    'Cannot rewind to 1999. This session has the positions 2000 to 12000.',
  )
  for (const n of [2000, 2001, 5050, 11_999]) {
    base.rewind({ to: n })
    expect(base.world.at(letter, 0)?.char).toBe(String(n))
  }
})

test('A session that cannot begin, because the disk is full, is not left behind.', () => {
  const lines: Line[] = []
  const sessions = sessionsOf({
    append(line) {
      if ('begin' in line) throw new Error('The disk is full.')
      lines.push(line)
    },
  })
  expect(() => sessions.begin('alice', { count: 5 })).toThrow('The disk is full.')
  expect(sessions.list()).toEqual([])
  expect(lines).toMatchObject([{ fork: 'alice' }, { end: 'alice' }])
  expect(sessions.create('alice').last).toBe(0)
})
