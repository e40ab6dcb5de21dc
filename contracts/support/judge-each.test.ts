/** A known failure of a check hides no other failure of that check. */
import { expect, test } from 'vitest'
import { CheckFailure, fail, inconclusive, type Context } from '../../src/contract/check.js'
import { TargetError } from '../../src/client/target.js'
import { layered, type Wrap } from '../mutants/mutant.js'
import { mutants } from '../mutants/mutants.js'
import { createBench } from '../mutants/read-run.js'
import { writeMutants } from '../mutants/write-mutants.js'
import { createWritingBench } from '../mutants/write-run.js'
import { checks } from '../checks.js'
import { writeChecks } from '../write-checks.js'
import type { Report } from '../../src/contract/report.js'
import { keyOf } from '../../src/contract/identity.js'

import { judgeAll, judgeWrites, seenTwice } from './judge-each.js'

const reading = createBench(checks)
const writing = createWritingBench()

const wrapOf = (id: string): Wrap => {
  const wrap = [...mutants, ...writeMutants].find((it) => it.id === id)?.wrap
  if (!wrap) throw new Error(`There is no mutant ${id}.`)
  return wrap
}

/** The checks of a resource share their objects, and those of a list what they read. */
function runOf(id: string, wrap: Wrap): Promise<Report> {
  const written = writeChecks.find((it) => it.id === id)?.writes
  const group = checks.find((it) => it.id === id)?.serialGroup
  if (written === undefined)
    return reading.mutant(
      { id, about: '', killedBy: [], wrap },
      checks.filter((it) => it.id === id || (group !== undefined && it.serialGroup === group)),
    )
  const some = writeChecks.filter((it) => it.writes === written)
  return writing.run({ ...writing.disguised({ wrap }), checks: some, allowed: [written] })
}

async function findingsOf(check: string, wrap: Wrap): Promise<readonly string[]> {
  const { results } = await runOf(check, wrap)
  return results.flatMap((it) => (it.id === check ? it.findings.map((found) => keyOf({ check, ...found })) : []))
}

test.each([
  ['store-products-shape', 'product-cursor-always-null', 'product-title-always-null'],
  ['customer-shape', 'customer-expenses-rounded-under-node', 'customer-created-at-other-under-node'],
  ['create-customer', 'createCustomer-ignores-first-name', 'customer-created-in-9-hours'],
  ['create-integration', 'integration-label-ignored', 'integration-shows-token'],
  ['update-customer', 'customer-update-answers-instant', 'customer-update-adds-one'],
  ['update-account', 'pixels-of-another-account', 'facebook-pixels-dropped'],
  ['delete-store', 'delete-store-ids', 'store-another-deleted-too'],
  ['delete-segments', 'delete-segments-count', 'segment-next-deleted-too'],
])('%s: %s does not hide %s.', async (check, known, other) => {
  const before = await findingsOf(check, wrapOf(known))
  expect(before).not.toEqual([])
  const both = await findingsOf(check, layered(wrapOf(known), wrapOf(other)))
  expect(both.filter((it) => !before.includes(it))).not.toEqual([])
})

test.each([
  ['customer-created-at', 'customer-created-at-date'],
  ['customers-orders', 'customers-has-next-page-false-in-an-order'],
])('%s judges, although a field of the list has a wrong type.', async (check, other) => {
  const both = layered(wrapOf('customer-expenses-of-another-kind'), wrapOf(other))
  expect(await findingsOf(check, both)).not.toEqual([])
})

const context = { last: () => [] } as unknown as Context

test.each([
  ['inconclusive', () => inconclusive('It is late.'), 'It is late.'],
  [
    'lost',
    () => {
      throw new TargetError('No answer.')
    },
    'No answer.',
  ],
])('After a step that is %s, also within another step, no mutation is sent.', async (_, open, message) => {
  const sent: string[] = []
  const judging = judgeWrites(context, [
    () => judgeAll(context, () => fail('It is b.'), open),
    () => void sent.push('the next mutation'),
  ])
  const error = await judging.catch((it: unknown) => it)
  expect(error).toBeInstanceOf(CheckFailure)
  expect(error).toMatchObject({ message: 'It is b.', cause: { message } })
  expect(sent).toEqual([])
})

test('Of two judgments, only what both found counts.', () => {
  const [known, edited] = [
    { sentence: 'created_at differs.', at: 'Letter.created_at' },
    { sentence: 'name differs.', at: 'Letter.name' },
  ]
  const again = { ...known, sentence: 'created_at differs by 2 s.' }
  expect(seenTwice(new CheckFailure([known]), new CheckFailure([again, edited]))?.findings).toEqual([again])
  expect(seenTwice(new CheckFailure([known]), new CheckFailure([edited]))).toBeUndefined()
})
