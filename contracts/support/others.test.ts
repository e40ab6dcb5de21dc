/** What is told of others in the account, where it moves while a run writes: by the server, by somebody else, or nobody knows. */
import { expect, test } from 'vitest'
import { ledgerInMemory } from '../../src/writing/memory-ledger.js'
import { removeTraces } from '../../src/contract/runner.js'
import type { Report } from '../../src/contract/report.js'
import type { Target } from '../../src/client/target.js'
import { plainTarget } from '../mutants/write-run.js'
import { defaultProfile } from '../../src/profile.js'
import { others } from './others.js'
import { mutantsOfOthers } from '../mutants/others-mutants.js'
import { writeSaboteurs } from '../mutants/write-mutants.js'
import { mutationsIn } from '../mutants/mutation-rules.js'
import { mockOf, recording, runWriting, shapes } from '../mutants/writing.testkit.js'
import { writeKinds } from '../writes.js'
import { writeChecks } from '../write-checks.js'

const of = ({ results }: Report, id: string) => results.find((it) => it.id === id)

/** Somebody renames a store once, at the nth mutation that the run sends. */
function renamedOnce(target: Target, at: number): Target {
  let writes = 0
  return {
    ...target,
    async send(request, options) {
      const answer = await target.send(request, options)
      if (mutationsIn(request.query).length > 0 && (writes += 1) === at) {
        const { data } = (await target.send({ query: '{ account { stores { id } } }' })).body
        const id = (data as { account: { stores: { id: string }[] } }).account.stores[0]?.id
        const query = 'mutation R($id: ID!) { updateStore(id: $id, node: { slug: "moved" }) { id } }'
        await target.send({ query, variables: { id } })
      }
      return answer
    },
  }
}

test('What moved once right after a write accuses nobody and passes nothing: the run ends with 2.', async () => {
  const mock = mockOf()
  const report = await runWriting({ target: renamedOnce(plainTarget(mock), 1), mock, allowed: ['segments'] })
  expect(of(report, 'segments-spare-others')).toMatchObject({
    outcome: 'error',
    sentence: expect.stringMatching(
      /^Right after CreateSegment slug of Store \S+ had gone from ".+" to "moved"\. Nobody asked for that\. Look whether/,
    ),
  })
  expect(report.exitCode).toBe(2)
})

test('An integration that somebody removes beside one of ours fails no removal.', async () => {
  const mock = mockOf()
  const plain = plainTarget(mock)
  let removals = 0
  const target: Target = {
    ...plain,
    async send(request, options) {
      if (request.query.includes('removeIntegration') && (removals += 1) === 1) {
        const { data } = (await plain.send({ query: '{ account { integrations { id } } }' })).body
        const [theirs] = (data as { account: { integrations: { id: string }[] } }).account.integrations
        await plain.send({ query: 'mutation R($id: ID!) { removeIntegration(id: $id) { id } }', variables: theirs })
      }
      return plain.send(request, options)
    },
  }
  const report = await runWriting({ target, mock, allowed: ['integrations'] })
  expect(of(report, 'remove-integration')).toMatchObject({
    outcome: 'pass',
    remarks: [expect.stringMatching(/^int_\S+ was gone after a removal too, and somebody may have removed it\.$/)],
  })
  expect(of(report, 'integrations-spare-others')?.outcome).toBe('error')
})

test('No server is accused of what another run may have done, whose store came meanwhile.', async () => {
  const mock = mockOf()
  const plain = plainTarget(mock)
  const { wrap } = writeSaboteurs.find(({ id }) => id === 'store-update-of-another-too')!
  let writes = 0
  const theirs: Target = {
    ...plain,
    async send(request, options) {
      const node = { name: 'cm-zzzzzz-1 Shop', slug: 'cm-zzzzzz-1', lang: 'en' }
      const query = 'mutation C($node: StoreInput!) { createStore(node: $node) { store { id } } }'
      if (mutationsIn(request.query).length > 0 && (writes += 1) === 2) await plain.send({ query, variables: { node } })
      return plain.send(request, options)
    },
  }
  const report = await runWriting({ target: wrap(theirs, shapes), mock, allowed: ['stores'] })
  expect(of(report, 'update-store-rest')).toMatchObject({
    outcome: 'inconclusive',
    sentence: expect.stringMatching(/nobody sent that\. Another run was writing, which made Store \S+ and may have/),
  })
  expect(report.results.filter(({ outcome }) => outcome === 'fail')).toEqual([])
})

test('What harms others is known to the ledger, and is not sent by who removes what it lists.', async () => {
  const mock = mockOf()
  const { wrap } = mutantsOfOthers.find(({ id }) => id === 'others-segment-deleted')!
  const { recorder, mutations } = recording(wrap(plainTarget(mock), shapes))
  const ledger = ledgerInMemory()
  await runWriting({ target: recorder, mock, ledger, allowed: ['segments'] })
  const sent = mutations.length
  const options = { kinds: writeKinds, others, shapes, expected: defaultProfile, settleMs: 0 }
  const { doubt } = await removeTraces({ target: recorder, ledger, ...options })
  expect(mutations.length).toBe(sent)
  expect(doubt.join(' ')).toContain('DeleteSegments is not sent any more, because it does harm')
})

test('Pixels of others that are lost from a list that was sent whole are seen.', async () => {
  const mock = mockOf()
  const plain = plainTarget(mock)
  const target: Target = {
    ...plain,
    async send(request, options) {
      const answer = await plain.send(request, options)
      if (!mutationsIn(request.query).some(({ name }) => name === 'updateAccount')) return answer
      const { data } = (await plain.send({ query: '{ account { snapchat_pixels { label value } } }' })).body
      const { snapchat_pixels: there } = (data as { account: { snapchat_pixels: { label: string }[] } }).account
      const node = { snapchat_pixels: there.filter(({ label }) => label.startsWith('cm-')) }
      const query = 'mutation R($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }'
      await plain.send({ query, variables: { node } })
      return answer
    },
  }
  const report = await runWriting({ target, mock, allowed: ['pixels'] })
  expect(of(report, 'pixels-spare-others')).toMatchObject({
    outcome: 'error',
    sentence: expect.stringMatching(/^Right after UpdateAccount snapchat_pixels of Account \S+ had gone from /),
  })
  expect(report.exitCode).toBeGreaterThan(0)
})

test('A look that is refused right after harm hides none of it.', async () => {
  const mock = mockOf()
  const { wrap } = mutantsOfOthers.find(({ id }) => id === 'others-segment-renamed')!
  const harming = wrap(plainTarget(mock), shapes)
  let refuses = false
  const target: Target = {
    ...harming,
    async send(request, options) {
      if (mutationsIn(request.query).some(({ name }) => name === 'updateSegment')) refuses = true
      const isLook = request.query.includes('query Others')
      if (!isLook || !refuses) return harming.send(request, options)
      refuses = false
      return { status: 200, retries: 0, ms: 0, body: { errors: [{ message: 'Too many at once.' }] } }
    },
  }
  const report = await runWriting({ target, mock, allowed: ['segments'] })
  expect(of(report, 'segments-spare-others')?.outcome).toBe('fail')
})

test('Harm that is proven is told, also where no call is left for another look.', async () => {
  const { wrap } = mutantsOfOthers.find(({ id }) => id === 'others-segment-renamed')!
  const run = (budget: number) => {
    const mock = mockOf()
    return runWriting({ target: wrap(plainTarget(mock), shapes), mock, allowed: ['segments'], budget })
  }
  const whole = await run(120)
  const cut = await run(whole.calls - 1)
  expect([whole, cut].map((it) => of(it, 'segments-spare-others')?.outcome)).toEqual(['fail', 'fail'])
  expect(cut.calls).toBe(whole.calls - 1)
})

test('A server that shows nothing of others is said to, in its own words.', async () => {
  const mock = mockOf()
  const plain = plainTarget(mock)
  const target: Target = {
    ...plain,
    send: async (request, options) =>
      request.query.includes('query Others')
        ? { status: 200, retries: 0, ms: 0, body: { errors: [{ message: 'Too complex.' }] } }
        : plain.send(request, options),
  }
  const report = await runWriting({ target, mock, allowed: ['segments'] })
  expect(of(report, 'segments-spare-others')).toMatchObject({
    outcome: 'inconclusive',
    sentence: 'What others have cannot be looked at: “Too complex.”.',
  })
})

test('What moves with each write of the only kind that was sent is its doing.', async () => {
  const mock = mockOf()
  const { wrap } = mutantsOfOthers.find(({ id }) => id === 'others-segment-renamed')!
  const checks = writeChecks.filter(({ id }) => ['update-segment-rest', 'segments-spare-others'].includes(id))
  const report = await runWriting({ target: wrap(plainTarget(mock), shapes), mock, allowed: ['segments'], checks })
  expect(of(report, 'segments-spare-others')?.outcome).toBe('fail')
})

test('Who is at work before anything is written is known to be.', async () => {
  const mock = mockOf()
  const plain = plainTarget(mock)
  let looks = 0
  const target: Target = {
    ...plain,
    async send(request, options) {
      const answer = await plain.send(request, options)
      looks += request.query.includes('query Others') ? 1 : 0
      // After the first look, and again beside three writes.
      const moves = (looks === 1 && request.query.includes('query Others')) || mutationsIn(request.query).length > 0
      const node = { account_name: `Shop ${(names += 1)}` }
      const query = 'mutation R($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }'
      if (moves && names < 20) await plain.send({ query, variables: { node } })
      return answer
    },
  }
  let names = 0
  const report = await runWriting({ target, mock, allowed: ['segments'] })
  expect(of(report, 'segments-spare-others')).toMatchObject({ outcome: 'inconclusive' })
  expect(report.exitCode).toBe(0)
})
