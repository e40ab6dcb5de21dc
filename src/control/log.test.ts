/** The log in a folder: what a later mock has, what is refused, and what a full disk does. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { node } from '../mock/create-mock.js'
import { createMockOn } from '../mock/mock.js'
import { dumpOf } from '../mock/dump.testkit.js'
import { createMock, type Mock, type MockOptions, type MockSession } from '../index.js'

const folders = mkdtempSync(join(tmpdir(), 'commerce-mock-log-'))
afterAll(() => rmSync(folders, { recursive: true }))

const newFolder = () => mkdtempSync(join(folders, 'state-'))
const logIn = (folder: string) => join(folder, 'log.jsonl')
const linesIn = (folder: string) => readFileSync(logIn(folder), 'utf8').split('\n').slice(0, -1)
const small: MockOptions = {
  freeze: true,
  now: '2026-03-01',
  counts: { customers: 4, segments: 3, stores: 1, products: 3 },
}

const segmentNames = (mock: MockSession) => mock.list('Segment').map(({ name }) => name)

test('A later mock goes on with the log of its folder, which can be the copy of a colleague, without the options that it began with.', async () => {
  const state = newFolder()
  const first = createMock({ ...small, seed: 7, world: { segments: [{ name: 'Mine' }] }, state })
  const { id } = first.create('Customer', { first_name: 'Ada', expenses: -0, custom: { since: new Date(0) } })
  first.session('a').clock.advance('3h')
  first.snapshot('one')
  first.remove('Customer', first.create('Customer', {}).id)
  const dumps = (mock: Mock) => Promise.all([undefined, 'a'].map((name) => dumpOf(mock, name)))
  const before = await dumps(first)
  const copy = newFolder()
  cpSync(logIn(state), logIn(copy))
  await first.close()
  await using second = createMock({ state: copy })
  expect(await dumps(second)).toEqual(before)
  expect(second.get('Customer', id)).toMatchObject({ expenses: 0, custom: { since: '1970-01-01T00:00:00.000Z' } })
  second.restore('one')
  second.rewind({ last: 1 })
  expect(await dumps(second)).toEqual(before)
  second.reset({ seed: 8 })
  expect(segmentNames(second).at(-1)).toBe('Mine')
})

test('What a reset took from a world file is in the log.', async () => {
  const state = newFolder()
  const world = join(folders, 'world.json')
  writeFileSync(world, '{ "segments": [{ "name": "Before" }] }')
  const first = createMock({ ...small, state })
  first.reset({ world, now: 'real' })
  const now = first.clock.now()
  await first.close()
  writeFileSync(world, '{ "segments": [{ "name": "After" }] }')
  await using second = createMock({ state })
  expect([segmentNames(second).at(-1), second.clock.now()]).toEqual(['Before', now])
  second.reset({ world })
  expect(segmentNames(second).at(-1)).toBe('After')
})

test('A running clock goes on, and never shows less than before.', async () => {
  const state = newFolder()
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  try {
    const first = createMock({ now: '2026-03-01', state })
    first.clock.set('2026-04-01')
    const april = Date.UTC(2026, 3)
    vi.setSystemTime(1_005_000)
    first.create('Segment', { name: 'x' })
    await first.close()
    for (const [at, shown] of [
      [1_060_000, 60_000],
      [900_000, 5000],
    ] as const) {
      vi.setSystemTime(at)
      await using later = createMock({ state })
      expect(later.clock.now() - april).toBe(shown)
    }
  } finally {
    vi.useRealTimers()
  }
})

test.each<[string, (state: string) => MockOptions, string]>([
  ['another seed', () => ({ seed: 2 }), 'began with another value of seed. Leave that out'],
  [
    'other counts and another world',
    () => ({ counts: { customers: 9 }, world: 'small-shop' }),
    'began with another value of world and counts.',
  ],
  ['another time', () => ({ now: '2027-01-01', freeze: false }), 'began with another value of now and freeze.'],
  [
    'another format',
    (state) => {
      writeFileSync(logIn(state), readFileSync(logIn(state), 'utf8').replace('"log":1', '"log":2'))
      return {}
    },
    'has the format 2, and this version reads 1.',
  ],
  [
    'another file',
    (state) => {
      writeFileSync(logIn(state), '{"dependencies":{}}\n')
      return {}
    },
    'is not a log of commerce-mock.',
  ],
  [
    'damage',
    (state) => {
      writeFileSync(logIn(state), readFileSync(logIn(state), 'utf8').replace('"op":"Segment"', '"op":"Segm'))
      return {}
    },
    'is damaged in line 2: it is not JSON.',
  ],
  [
    'a line that is missing',
    (state) => {
      const [header, , ...others] = linesIn(state)
      writeFileSync(logIn(state), [header, ...others, ''].join('\n'))
      return {}
    },
    'is damaged in line 2: it has the number 2 after 0.',
  ],
])('A log with %s is refused and left untouched.', async (_, change, message) => {
  const state = newFolder()
  const first = createMock({ ...small, seed: 1, state })
  for (const name of ['one', 'two']) first.create('Segment', { name })
  await first.close()
  const options = change(state)
  const before = readFileSync(logIn(state), 'utf8')
  expect(() => createMock({ ...options, state })).toThrow(`${logIn(state)} ${message}`)
  expect(readFileSync(logIn(state), 'utf8')).toBe(before)
  const notices: string[] = []
  await using anew = createMock({ ...small, state, stateReset: true, onUnexpected: (line) => notices.push(line) })
  expect(segmentNames(anew)).not.toContain('one')
  expect(readFileSync(`${logIn(state)}.old`, 'utf8')).toBe(before)
  expect(notices).toEqual([`Started a new log. The old one is ${logIn(state)}.old.`])
})

test('A torn last line is dropped and reported.', async () => {
  const state = newFolder()
  const first = createMock({ ...small, state })
  first.create('Segment', { name: 'one' })
  await first.close()
  const before = readFileSync(logIn(state), 'utf8')
  appendFileSync(logIn(state), '{"n":2,"at":17')
  const notices: string[] = []
  const second = createMock({ state, onUnexpected: (line) => notices.push(line) })
  expect(notices).toEqual([`${logIn(state)} ends in the middle of a line, which is dropped.`])
  second.create('Segment', { name: 'two' })
  await second.close()
  expect(readFileSync(logIn(state), 'utf8').startsWith(before)).toBe(true)
  expect(linesIn(state).map((line) => (JSON.parse(line) as { n?: number }).n)).toEqual([undefined, 1, 2])
})

test('Another schema is reported; what it does not know is kept and ignored, also if the log is long.', async () => {
  const state = newFolder()
  const open = (options: MockOptions) => createMockOn({ ...node, minGrowth: 10 }, { ...options, state })
  const schema = createMock().schema
  const { printSchema } = await import('graphql')
  const sdl = printSchema(schema)
  const first = open({
    ...small,
    schema: sdl.replace('type Segment implements Node {', '$& color: String '),
    onUnexpected: () => {},
  })
  const { id } = first.create('Segment', { color: 'red' })
  await first.close()
  appendFileSync(logIn(state), '{"n":2,"at":0,"op":"createCoupon","changes":[["Coupon",3,{}]]}\n')
  const notices: string[] = []
  const second = open({ onUnexpected: (line) => notices.push(line) })
  expect(notices).toEqual([expect.stringContaining('was written with another schema.')])
  second.set('Segment', id, { name: 'new' })
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  await second.close()
  expect(linesIn(state).join()).toContain('"Coupon"')
  expect(linesIn(state).at(-1)).toContain('"color":"red"')
})

test('A folder is for one mock; a closed mock can be read but not changed.', async () => {
  const state = newFolder()
  const first = createMock({ ...small, state })
  expect(() => createMock({ state })).toThrow(`The state folder ${state} is in use by another mock of this process.`)
  await first.close()
  await first.close()
  expect(first.list('Segment').length).toBe(3)
  expect(() => first.create('Segment', {})).toThrow('The mock is closed. Nothing was changed.')
  await using _ = createMock({ state })
})
