/** The requests that a finding shows prove it. */
import { expect, test } from 'vitest'
import { checks } from '../checks.js'
import { mutants } from './mutants.js'
import { createBench } from './read-run.js'
import { writeMutants } from './write-mutants.js'
import { runDisguised } from './writing.testkit.js'

const some = ['segment-not-in-list', 'segment-update-not-kept', 'segment-another-deleted-too', 'store-update-empties']

test.each(some)('%s: the mutation, then the answer that contradicts it.', async (id) => {
  const mutant = writeMutants.find((it) => it.id === id)
  if (!mutant) throw new Error(`There is no mutant ${id}.`)
  const { report } = await runDisguised(mutant)
  const ids = [...mutant.killedBy, ...(mutant.notices ?? [])]
  const found = report.results.filter((it) => ids.includes(it.id) && it.findings.length > 0)
  expect(found.length).toBeGreaterThan(0)
  for (const { findings } of found) {
    for (const { sentence, exchanges } of findings) {
      const [write, ...reads] = exchanges.map(({ request }) => request.query.split(' ', 1)[0])
      expect([sentence, write, new Set(reads)]).toEqual([sentence, 'mutation', new Set(reads.map(() => 'query'))])
      expect(exchanges[0]?.request.variables).not.toEqual({})
    }
  }
})

test('`hasNextPage: true` at the end of a list: the page, then the empty one after it.', async () => {
  const mutant = mutants.find(({ id }) => id === 'customers-has-next-page-always-true')
  if (!mutant) throw new Error('The mutant is gone.')
  const ofList = checks.filter(({ serialGroup }) => serialGroup === 'customers')
  const { results } = await createBench(checks).mutant(mutant, ofList)
  const [finding] = results.find(({ id }) => id === 'customers-walk')?.findings ?? []
  expect(finding?.code).toBe('wrong-has-next-page')
  expect(finding?.exchanges.at(-1)?.answer).toContain('"edges":[]')
})
