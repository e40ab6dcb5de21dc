/** Integrations and pixels, which only a world file holds: created once, found again, and cleaned up. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repeating } from '../../../contracts/mutants/late-reads.js'
import { resources } from '../../../contracts/resources.js'
import { TargetError, type Target } from '../../client/target.js'
import { apply, type Tally } from '../../seeding/apply.js'
import { cleanUp } from '../../writing/cleanup.js'
import { readPlanInputs } from '../../seeding/inputs.js'
import { createPace, type Pace } from '../../seeding/pace.js'
import { createPlan } from '../../seeding/plan.js'
import { chooseKeys, finderByKey } from '../../seeding/find.js'
import { createPacedSend } from '../../seeding/send.js'
import { openLedger } from '../../writing/ledger.js'
import { contractShapes } from '../../../contracts/support/shapes.js'
import { createMock, type Mock } from '../../mock/create-mock.js'
import { mockTarget } from '../../mock/mock-target.js'
import { openEarlier, openSeedLedger } from './open-ledger.js'
import { countsOf } from './text.js'
import { readingContext } from '../reading-context.js'
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
  Pixel: lists.map((list, i) => ({ list, label: `Autumn ${i % 2}`, value: `1000${i}` })),
}
const plan = createPlan({
  name: 'autumn',
  origin: rows,
  parts: resources.map((resource) => ({
    resource,
    count: rows[resource.type]?.length ?? 0,
    row: (index) => rows[resource.type]?.[index] ?? {},
  })),
})

const url = new URL('http://localhost/api/v2')
const secrets = { facebookToken: 'canary-of-facebook' }

async function seedInto(target: Target, pace: Pace = createPace({}), onProgress: (tally: Tally) => void = () => {}) {
  const { signal } = new AbortController()
  const path = join(folder, 'ledger.jsonl')
  const context = readingContext({ target, includeAssumed: true, signal })
  const ours = ourInputs(contractShapes(), true)
  const inputs = await readPlanInputs({ plan, typeOf: async (name) => ours.get(name), advice: '', secrets })
  const earlier = openEarlier(path, plan, url, false)
  const shared = { plan, inputs, context, consistencyMs: 1, concurrency: 8, signal }
  const opened = await openSeedLedger({ ...shared, path, earlier, url, adopt: false, onWarning: () => {} })
  const send = createPacedSend(target, pace, signal)
  const tally = await apply({ ...shared, ...opened, send, keepGoing: false, onProgress })
  opened.ledger.close()
  return tally.parts.map((it) => [it.resource.name, it.created, it.existing, it.unconfirmed])
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

test('Integrations and pixels are added to the existing ones, once, and the token is in no file.', async () => {
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
  const { removed, unconfirmed } = await cleanUpBy(path, mockTarget(mock))
  expect([removed.map(({ kind }) => kind), unconfirmed]).toEqual([
    ['pixels', 'pixels', 'pixels', 'integrations', 'integrations'],
    [],
  ])
  expect(await state(mock)).toEqual(before)
})

test('Cleanup waits until the server shows what was removed.', async () => {
  const mock = createMock({ freeze: true })
  await seedInto(mockTarget(mock))
  const stale = repeating(150)(mockTarget(mock), contractShapes())
  const { unconfirmed } = await cleanUpBy(join(folder, 'ledger.jsonl'), stale, 1000)
  expect(unconfirmed).toEqual([])
})

async function cleanUpBy(path: string, target: Target, consistencyTimeout = 0) {
  const { signal } = new AbortController()
  const context = readingContext({ target, includeAssumed: true, signal })
  const ledger = openLedger(path, 'seed')
  try {
    const find = finderByKey(await chooseKeys(resources, context), context)
    return await cleanUp({ ledger, resources, consistencyTimeout, context, find })
  } finally {
    ledger.close()
  }
}

test('A lost answer creates nothing twice, even if two objects have the same label.', async () => {
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

test('A run that always gets “too many requests” ends, and the next run continues.', async () => {
  const mock = createMock({ freeze: true })
  const honest = mockTarget(mock)
  let refused = 0
  const target: Target = {
    ...honest,
    async send(request, options) {
      if (!request.query.includes('mutation')) return honest.send(request, options)
      refused += 1
      throw new TargetError('HTTP 429.', { status: 429, unsent: true })
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
  await seedInto(target, pace, (tally) => (words = tally.stopped?.message ?? ''))
  expect(words).toBe('The server has taken no request for at least a minute: HTTP 429.')
  expect(refused).toBeLessThan(6)
  expect(await seedInto(honest)).toEqual([
    ['integrations', 2, 0, 0],
    ['pixels', 3, 0, 0],
  ])
})

test('Progress is reported before the first answer, and after each.', async () => {
  const seen: number[] = []
  await seedInto(
    mockTarget(createMock({ freeze: true })),
    createPace({}),
    (it) => void seen.push(countsOf(it).sum('created')),
  )
  expect([seen[0], seen.at(-1)]).toEqual([0, 5])
})
