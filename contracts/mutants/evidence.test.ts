/** The evidence of a finding after a write: the mutation, then the answer that contradicts it. */
import { expect, test } from 'vitest'
import { writeMutants } from './write-mutants.js'
import { runDisguised } from './writing.testkit.js'

const some = ['segment-not-in-list', 'segment-update-not-kept', 'segment-another-deleted-too', 'store-update-empties']

test.each(some)('%s', async (id) => {
  const mutant = writeMutants.find((it) => it.id === id)
  if (!mutant) throw new Error(`There is no mutant ${id}.`)
  const { report } = await runDisguised(mutant)
  const ids = [...mutant.fails, ...(mutant.notices ?? [])]
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
