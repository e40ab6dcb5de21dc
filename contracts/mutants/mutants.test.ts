/** The suite put to the test: servers with one promise broken are caught by just the checks they name, lawful ones by none. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createBench, selfTest } from './read-run.js'
import { checks } from '../checks.js'
import type { MutantRun, SelfTestReport, VariantRun } from './score.js'
import { isJudged, selfVerdict } from './score.js'
import { mutants } from './mutants.js'
import { variants } from './variants.js'

let runs: { mutants: MutantRun[]; variants: VariantRun[] }
let whole: SelfTestReport

beforeAll(async () => {
  const bench = createBench(checks)
  const ofSaboteurs = mutants.map(async (mutant) => ({ mutant, report: await bench.mutant(mutant) }))
  const ofVariants = variants.map(async (variant) => ({ variant, report: await bench.variant(variant) }))
  runs = { mutants: await Promise.all(ofSaboteurs), variants: await Promise.all(ofVariants) }
  whole = selfVerdict(runs, checks)
}, 120_000)

test('There are many of them, each with an id of its own.', () => {
  const ids = [...mutants, ...variants].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect([mutants.length > 60, variants.length > 25]).toEqual([true, true])
})

describe('A server with one promise broken is caught by the checks it names, and by no other', () => {
  test.each(mutants.map(({ id, breaks }) => [id, breaks]))('%s: %s', (id) => {
    const verdict = whole.mutants.find((it) => it.id === id)
    expect(verdict?.actual).toEqual(verdict?.expected)
    expect(verdict?.errors).toEqual([])
  })
})

describe('A lawful server gives no false alarm', () => {
  test.each(variants.map(({ id, about }) => [id, about]))('%s: %s', (id) => {
    const verdict = whole.variants.find((it) => it.id === id)
    expect(verdict?.falseAlarms).toEqual([])
    expect(verdict?.exitCode).toBe(0)
  })
})

test('No two checks fail for the same servers, and none for nothing.', () => {
  expect([whole.twins, whole.idle]).toEqual([[], []])
})

test('Whatever is only assumed or observed has something to say of some lawful server.', () => {
  expect(whole.silent).toEqual([])
  expect(whole.sound).toBe(true)
})

test.each(checks.filter(isJudged).map(({ id }) => id))('Without %s the suite is not sound', (id) => {
  expect(selfVerdict(runs, checks, id).sound).toBe(false)
})

test('A check that fails a lawful server, and one that fails nothing, would be seen.', async () => {
  const [first, ...others] = checks
  const loud = {
    ...first!,
    run: () => Promise.reject(Object.assign(new Error('x'), { name: 'CheckFailure', findings: [] })),
  }
  const deaf = { ...first!, run: async () => {} }
  const some = { mutants: mutants.slice(0, 1), variants: variants.slice(0, 1) }
  const broken = await selfTest({ ...some, checks: [loud, ...others] })
  expect(broken.sound).toBe(false)
  const quiet = await selfTest({ ...some, checks: [deaf, ...others] })
  expect(quiet.idle).toContain(first!.id)
})
