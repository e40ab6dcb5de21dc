/** Changes that other people make to pixel lists during a run stay, accuse nobody, and are reported. */
import type { Data } from '../src/contract/check.js'
import { expect, test } from 'vitest'
import { plainTarget } from './mutants/write-run.js'
import type { Ledger } from '../src/writing/ledger.js'
import { ledgerInMemory } from '../src/writing/memory-ledger.testkit.js'
import { createContext } from '../src/contract/context.js'
import { cleanUp } from '../src/writing/cleanup.js'
import { TargetError, type Answer, type GraphqlRequest, type Target } from '../src/client/target.js'
import { defaultProfile } from '../src/profile.js'
import { pixels, updateAccount } from './account.js'
import type { PixelChange } from './pixels.js'
import { mutating, sending } from './mutants/mutation-rules.js'
import { mockOf, runWriting, shapes } from './mutants/writing.testkit.js'
import { writeResources } from './resources.js'

type Lists = Record<PixelChange['list'], readonly Data[]>

const small = { counts: { customers: 2, segments: 2, stores: 1, integrations: 1, pixels: 2, products: 1 } }

const listsOf = async (target: Target): Promise<Lists> => {
  const { data } = (await target.send({ query: pixels.document })).body
  const { id: _, ...lists } = (data as { readonly account: Lists & { readonly id: string } }).account
  return lists
}
const put = (target: Target, node: Partial<Lists>) =>
  target.send({ query: updateAccount.document, variables: { node } })

const isUpdate = ({ query }: GraphqlRequest) => query === updateAccount.document
const isAlone = (request: GraphqlRequest) =>
  isUpdate(request) && Object.keys(request.variables?.['node'] as Data).length === 1

/** A target at which something happens right after a request is done, which may change its answer. */
function when(
  target: Target,
  picks: (request: GraphqlRequest) => boolean,
  then: (answer: Answer, request: GraphqlRequest) => Promise<unknown>,
): Target {
  return {
    ...target,
    async send(request, options) {
      const answer = await target.send(request, options)
      if (picks(request)) await then(answer, request)
      return answer
    },
  }
}

/** Once is enough. */
const nth = (n: number, picks: (request: GraphqlRequest) => boolean) => {
  let seen = 0
  return (request: GraphqlRequest) => picks(request) && (seen += 1) === n
}

/** A target that nobody reaches any more, once it was sent a list alone: before its answer comes, or after. */
function dying(target: Target, { answers }: { readonly answers: boolean }): Target {
  let dead = false
  return {
    ...target,
    async send(request, options) {
      if (dead) throw new TargetError('Nobody is there.', { permanent: true })
      const answer = await target.send(request, options)
      dead = isAlone(request)
      if (dead && !answers) throw new TargetError('Nobody is there.', { permanent: true })
      return answer
    },
  }
}

/** What a cleanup reports, apart from our pixels that somebody took out. */
async function remove(target: Target, ledger: Ledger) {
  const limits = { maxRequests: Infinity, signal: new AbortController().signal }
  const context = createContext({ target, shapes, expected: defaultProfile, limits, shared: new Map() })
  const { unconfirmed } = await cleanUp({ ledger, resources: writeResources, context, consistencyTimeout: 0 })
  return unconfirmed.filter((it) => !it.includes('is not visible'))
}

const writing = (target: Target, mock: ReturnType<typeof mockOf>, ledger = ledgerInMemory()) =>
  runWriting({ target, mock, ledger, allowed: ['pixels'] })

test.each([{ answers: false }, { answers: true }])(
  'A list that somebody empties after a run died stays empty, and is named each time: %j',
  async (dies) => {
    const mock = mockOf(small)
    const target = plainTarget(mock)
    const before = await listsOf(target)
    const ledger = ledgerInMemory()
    await writing(dying(target, dies), mock, ledger)
    await put(target, { snapchat_pixels: [] })
    for (const _ of ['once', 'again']) {
      expect(await remove(target, ledger)).toEqual([
        `snapchat_pixels is empty. It had ${JSON.stringify(before.snapchat_pixels)} before this run sent another list. Check who emptied it, and restore manually what is missing.`,
      ])
      expect(await listsOf(target)).toEqual({ ...before, snapchat_pixels: [] })
    }
  },
)

const wiping = (target: Target) =>
  mutating({
    updateAccount: sending(({ node }) => ({
      node: { facebook_pixels: [], snapchat_pixels: [], tiktok_pixels: [], ...(node as Data) },
    })),
  })(target, shapes)

test('What the answer showed to be emptied comes back, also where the run died right after it.', async () => {
  const mock = mockOf(small)
  const target = wiping(plainTarget(mock))
  const before = await listsOf(target)
  const ledger = ledgerInMemory()
  await writing(dying(target, { answers: true }), mock, ledger)
  expect(await listsOf(target)).toMatchObject({ snapchat_pixels: [], tiktok_pixels: [] })
  expect(await remove(target, ledger)).toEqual([])
  expect(await listsOf(target)).toEqual(before)
})

test('Where nobody saw what an update emptied, it does not come back, and is named.', async () => {
  const mock = mockOf(small)
  const target = wiping(plainTarget(mock))
  const ledger = ledgerInMemory()
  await writing(dying(target, { answers: false }), mock, ledger)
  expect((await remove(target, ledger)).map((it) => it.slice(0, 26))).toEqual([
    'snapchat_pixels is empty. ',
    'tiktok_pixels is empty. It',
  ])
})

test('A list that somebody empties during a run stays empty, and nobody is said to have done it.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  const emptying = when(target, isAlone, () => put(target, { tiktok_pixels: [] }))
  const { results, exitCode } = await writing(emptying, mock)
  expect(results.find(({ id }) => id === 'update-account-rest')?.outcome).toBe('inconclusive')
  expect(exitCode).toBe(2)
  expect(results.at(-1)?.sentence).toContain('tiktok_pixels is empty. It had [{')
  expect((await listsOf(target)).tiktok_pixels).toEqual([])
})

const withoutFirst = async (target: Target) => {
  const { facebook_pixels } = await listsOf(target)
  await put(target, { facebook_pixels: facebook_pixels.slice(1) })
}

test('A foreign pixel that its owner removes right after a write fails nothing, and shows in the comparison.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  const { results, exitCode, verdict } = await writing(
    when(target, nth(1, isUpdate), () => withoutFirst(target)),
    mock,
  )
  expect(results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')).toEqual([])
  expect(results.find(({ id }) => id === 'foreign-data')).toMatchObject({
    outcome: 'inconclusive',
    sentence: expect.stringMatching(
      /^facebook_pixels \{.*\} was in the account before the run and is gone after it\.$/,
    ),
  })
  expect(verdict).toMatch(/Note: foreign-data is inconclusive\.$/)
  expect(exitCode).toBe(0)
})

test('Who takes a pixel of the run out right after a write, is the server as far as anybody can tell.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  const own = when(target, nth(1, isUpdate), async () => {
    const { facebook_pixels } = await listsOf(target)
    await put(target, { facebook_pixels: facebook_pixels.slice(0, -1) })
  })
  const { results } = await writing(own, mock)
  expect(results.find(({ id }) => id === 'update-account')?.outcome).toBe('fail')
})

const undoing = 6

test('What is missing after our pixels were taken out is named, and the run ends with 2.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  const lost = (await listsOf(target)).facebook_pixels.slice(0, 1)
  const { results, exitCode } = await writing(
    when(target, nth(undoing, isUpdate), () => withoutFirst(target)),
    mock,
  )
  expect(exitCode).toBe(2)
  expect(results.at(-1)?.sentence).toContain(
    `facebook_pixels was sent back with ${JSON.stringify(lost)}, which the server no longer shows.`,
  )
})
