/** The kinds that only a world file holds: integrations and pixels are made once, found again, and taken away. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRefusal, isTooMany, pixelRow, seedKinds } from '../../../contracts/seeding.js'
import { TargetError, type Target } from '../../client/target.js'
import { apply } from '../../seeding/apply.js'
import { readPlanInputs } from '../../seeding/inputs.js'
import { shownMarks } from '../../seeding/look.js'
import { createPace, type Pace } from '../../seeding/pace.js'
import type { Plan } from '../../seeding/plan.js'
import { remove } from '../../seeding/remove.js'
import { createSender } from '../../seeding/send.js'
import type { Tally } from '../../seeding/tally.js'
import { continueLedger, readSeedLedger } from '../../seeding/ledger.js'
import { contractShapes } from '../check/contract-shapes.js'
import { createMock, type Mock } from '../../mock/create-mock.js'
import { mockTarget } from '../../mock/mock-target.js'
import { openSeeding, readEarlier } from './ledger.js'
import { readingSession } from './context.js'
import { planFrom } from './world.js'
import { ourInputs } from '../check/writing.js'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'commerce-mock-seed-kinds-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const lists = ['facebook_pixels', 'tiktok_pixels', 'facebook_pixels'] as const
const rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  Integration: [
    { platform: 'facebook', label: 'Sales', details: { pixels: ['1', '2'] } },
    { platform: 'facebook', label: 'Sales', details: { pixels: ['3'] } },
  ],
  Pixel: lists.map((list, i) => pixelRow(list, { label: `Autumn ${i % 2}`, value: `1000${i}` })),
}
const plan: Plan = planFrom({
  name: 'autumn',
  origin: rows,
  count: (type) => rows[type]?.length ?? 0,
  row: (type, index) => rows[type]?.[index] ?? {},
})

const url = new URL('http://localhost/api/v2')
const secrets = { facebookToken: 'canary-of-facebook' }

async function seedInto(target: Target, pace: Pace = createPace({}), onProgress: (tally: Tally) => void = () => {}) {
  const { signal } = new AbortController()
  const path = join(folder, 'ledger.jsonl')
  const context = readingSession({ target, includeAssumed: true, signal })
  const marks = await shownMarks(seedKinds, context)
  const ours = ourInputs(contractShapes(), true)
  const inputs = await readPlanInputs({ plan, types: async () => ours, advice: '', secrets })
  const earlier = readEarlier(path, plan, url)
  const seeding = await openSeeding({
    path,
    earlier,
    plan,
    url,
    marks,
    context,
    adopt: false,
    settleMs: 1,
    signal,
    onWarning: () => {},
  })
  const tally = await apply({
    ...seeding,
    plan,
    context,
    send: createSender({ target, context, inputs, secrets, pace, signal, isTooMany, isRefusal }),
    concurrency: 8,
    keepGoing: false,
    settleMs: 1,
    signal,
    onProgress,
  })
  seeding.ledger.close()
  return tally.kinds.map((it) => [it.kind.name, it.made, it.before, it.doubtful])
}

const state = async (mock: Mock) =>
  (
    await mock.execute({
      query: '{ account { integrations { label details } facebook_pixels { label } tiktok_pixels { label value } } }',
    })
  ).data as unknown

const shown = {
  account: {
    integrations: [
      { label: 'Facebook Conversions API', details: expect.anything() },
      { label: 'Sales', details: { pixels: ['1', '2'] } },
      { label: 'Sales', details: { pixels: ['3'] } },
    ],
    facebook_pixels: [
      { label: 'Main shop' },
      { label: 'Spring campaign' },
      { label: 'Autumn 0' },
      { label: 'Autumn 0' },
    ],
    tiktok_pixels: [expect.anything(), expect.anything(), { label: 'Autumn 1', value: '10001' }],
  },
}

test('They are added to what is there, once, and the token stands nowhere.', async () => {
  const mock = createMock({ freeze: true })
  const before = await state(mock)
  expect(await seedInto(mockTarget(mock))).toEqual([
    ['integrations', 2, 0, 0],
    ['pixels', 3, 0, 0],
  ])
  expect(await state(mock)).toEqual(shown)
  expect(await seedInto(mockTarget(mock))).toEqual([
    ['integrations', 0, 2, 0],
    ['pixels', 0, 3, 0],
  ])
  const path = join(folder, 'ledger.jsonl')
  expect(readFileSync(path, 'utf8')).not.toContain(secrets.facebookToken)
  const target = mockTarget(mock)
  const { signal } = new AbortController()
  const context = readingSession({ target, includeAssumed: true, signal })
  const ledger = continueLedger(path, readSeedLedger(path))
  const removed = await remove({
    ledger,
    kinds: seedKinds,
    marks: await shownMarks(seedKinds, context),
    context,
    signal,
    send: ({ document, variables }) => target.send({ query: document, variables }),
  })
  ledger.close()
  expect([[...removed.removed], removed.doubt]).toEqual([
    [
      ['pixels', 3],
      ['integrations', 2],
    ],
    [],
  ])
  expect(await state(mock)).toEqual(before)
})

test('An answer that is lost makes none of them twice, though two bear one label.', async () => {
  const mock = createMock({ freeze: true })
  const honest = mockTarget(mock)
  let mutations = 0
  const target: Target = {
    ...honest,
    async send(request, options) {
      const answer = await honest.send(request, options)
      if (!request.query.includes('mutation')) return answer
      mutations += 1
      if (mutations % 2 === 0) throw new TargetError('The answer was lost.')
      return answer
    },
  }
  expect(await seedInto(target)).toEqual([
    ['integrations', 2, 0, 0],
    ['pixels', 3, 0, 0],
  ])
  expect(mutations).toBe(5)
  expect(await state(mock)).toMatchObject({
    account: { integrations: { length: 3 }, facebook_pixels: { length: 4 }, tiktok_pixels: { length: 3 } },
  })
})

test('A target that takes nothing for a minute is hopeless, unless it takes something meanwhile.', async () => {
  const pace = createPace({ patienceMs: 30 })
  const refuse = (times: number) => {
    for (let i = 0; i < times; i += 1) pace.slow(performance.now(), undefined)
  }
  refuse(12)
  expect(pace.hopeless).toBe(false)
  await wait(40)
  expect(pace.hopeless).toBe(true)
  pace.answered()
  refuse(11)
  await wait(40)
  expect(pace.hopeless).toBe(false)
})

test('A run that is told “too many” for ever ends, and what it had not sent is sent by the next.', async () => {
  const mock = createMock({ freeze: true })
  const honest = mockTarget(mock)
  let refused = 0
  const target: Target = {
    ...honest,
    async send(request, options) {
      if (!request.query.includes('mutation')) return honest.send(request, options)
      refused += 1
      throw new TargetError('HTTP 429.', { status: 429 })
    },
  }
  const pace: Pace = {
    turn: async () => 0,
    answered: () => {},
    slow: () => {},
    slowed: 0,
    get hopeless() {
      return refused >= 3
    },
  }
  let words = ''
  await seedInto(target, pace, (tally) => (words = tally.stopped?.words ?? ''))
  expect(words).toBe('The server takes nothing any more, after a minute and a dozen tries at the least: HTTP 429.')
  expect(refused).toBeLessThan(6)
  expect(await seedInto(honest)).toEqual([
    ['integrations', 2, 0, 0],
    ['pixels', 3, 0, 0],
  ])
})

test('While a run waits, it goes on telling how far it is.', async () => {
  const honest = mockTarget(createMock({ freeze: true }))
  const seen: number[] = []
  const held = wait(1200)
  const target: Target = {
    ...honest,
    async send(request, options) {
      if (request.query.includes('mutation')) await held
      return honest.send(request, options)
    },
  }
  await seedInto(target, createPace({}), ({ done }) => void seen.push(done))
  expect([seen[0], seen.at(-1)]).toEqual([0, 5])
})
