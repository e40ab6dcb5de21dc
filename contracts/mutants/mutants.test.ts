/** Each mutant is killed by the checks it names. That no other check fails is what `npm run mutants` shows. */
import { expect, test } from 'vitest'
import { checks } from '../checks.js'
import { mutants } from './mutants.js'
import { createBench } from './read-run.js'
import { namedBy, placelessIn, scoreMutants, type MutantRun } from './score.js'

const bench = createBench(checks)
const runs: MutantRun[] = []

test.each(mutants.map((mutant) => ({ ...mutant, mutant })))('$id: $about', async ({ mutant }) => {
  const run = { mutant, report: await bench.mutant(mutant, namedBy(mutant, checks)) }
  runs.push(run)
  const [result] = scoreMutants([run], checks).mutants
  expect(result).toMatchObject({ killedBy: result?.expected, errors: [] })
  expect(result?.expected).not.toEqual([])
})

test('Each documented check kills a mutant, and no two checks kill the same ones.', () => {
  const { idle, twins } = scoreMutants(runs, checks)
  expect({ idle, twins }).toEqual({ idle: [], twins: [] })
})

test('Each finding says where it was seen.', () => {
  expect(placelessIn(runs)).toEqual([])
})

test('Each mutant has an id of its own.', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})
