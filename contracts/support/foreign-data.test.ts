/** Foreign data is read before the first write and after cleanup; a difference is reported and accuses nobody. */
import { expect, test } from 'vitest'
import type { Target } from '../../src/client/target.js'
import type { Report } from '../../src/contract/report.js'
import { mutationsIn } from '../mutants/mutation-rules.js'
import { plainTarget } from '../mutants/write-run.js'
import { writeMutants } from '../mutants/write-mutants.js'
import { mockOf, runWriting, shapes } from '../mutants/writing.testkit.js'

const of = ({ results }: Report, id: string) => results.find((it) => it.id === id)

/** Somebody else changes the account after the first mutation of the run. */
function changedOnce(target: Target, change: (ask: (query: string) => Promise<unknown>) => Promise<unknown>): Target {
  let isDone = false
  return {
    ...target,
    async send(request, options) {
      const answer = await target.send(request, options)
      if (!isDone && mutationsIn(request.query).length > 0) {
        isDone = true
        await change(async (query) => (await target.send({ query })).body.data)
      }
      return answer
    },
  }
}

const firstStore = async (ask: (query: string) => Promise<unknown>) =>
  ((await ask('{ account { stores { id } } }')) as { account: { stores: { id: string }[] } }).account.stores[0]?.id

test.each([
  ['nothing', async () => {}, 'pass', /^\d+ objects are unchanged\.$/],
  [
    'a slug',
    async (ask: (query: string) => Promise<unknown>) =>
      ask(`mutation { updateStore(id: "${await firstStore(ask)}", node: { slug: "moved" }) { id } }`),
    'inconclusive',
    /^slug of Store \S+ was ".+" before the run and is "moved" after it\.$/,
  ],
  [
    'a store that is deleted',
    async (ask: (query: string) => Promise<unknown>) =>
      ask(`mutation { deleteStore(items: ["${await firstStore(ask)}"]) { id } }`),
    'inconclusive',
    /^Store \S+ was \{.*\} before the run and is gone after it\.$/,
  ],
])('Somebody else changes %s.', async (_, change, outcome, sentence) => {
  const mock = mockOf()
  const report = await runWriting({ target: changedOnce(plainTarget(mock), change), mock, allowed: ['segments'] })
  expect(of(report, 'foreign-data')).toMatchObject({ outcome, sentence: expect.stringMatching(sentence) })
  expect(report.verdict.endsWith('Note: foreign-data is inconclusive.')).toBe(outcome === 'inconclusive')
  expect(report.results.filter((it) => it.outcome === 'fail' || it.outcome === 'error')).toEqual([])
  expect(report.exitCode).toBe(0)
})

test('A server that rejects the reading makes the comparison inconclusive.', async () => {
  const mock = mockOf()
  const plain = plainTarget(mock)
  const target: Target = {
    ...plain,
    send: async (request, options) =>
      request.query.includes('query ForeignData')
        ? { status: 200, retries: 0, ms: 0, body: { errors: [{ message: 'Too complex.' }] } }
        : plain.send(request, options),
  }
  const report = await runWriting({ target, mock, allowed: ['segments'] })
  expect(of(report, 'foreign-data')).toMatchObject({
    outcome: 'inconclusive',
    sentence: 'Foreign data cannot be read: Too complex.',
  })
  expect(report.exitCode).toBe(0)
})

test('No server is accused of what another run may have done.', async () => {
  const mock = mockOf()
  const { wrap } = writeMutants.find(({ id }) => id === 'store-update-of-another-too')!
  const node = '{ name: "cm-zzzzzz-1 Shop", slug: "cm-zzzzzz-1", lang: "en" }'
  const target = changedOnce(plainTarget(mock), (ask) =>
    ask(`mutation { createStore(node: ${node}) { store { id } } }`),
  )
  const report = await runWriting({ target: wrap(target, shapes), mock, allowed: ['stores'] })
  expect(of(report, 'update-store-rest')).toMatchObject({
    outcome: 'inconclusive',
    sentence: expect.stringContaining('Another run was writing (tag cm-zzzzzz-1) and may have caused this.'),
  })
  expect(report.results.filter(({ outcome }) => outcome === 'fail')).toEqual([])
})
