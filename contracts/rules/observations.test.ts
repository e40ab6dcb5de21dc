/** A server that is down shows nothing of what it does where the specification is silent. */
import { expect, test } from 'vitest'
import { TargetError, type Target } from '../../src/client/target.js'
import { runChecks } from '../../src/contract/runner.js'
import { createMock } from '../../src/mock/create-mock.js'
import { mockTarget } from '../../src/mock/mock-target.js'
import { defaultProfile } from '../../src/profile.js'
import { contractShapes } from '../support/shapes.js'
import { observations, reliedChecks } from './observations.js'

const shapes = contractShapes()

const failing: Target['send'] = async () => ({
  status: 500,
  body: { errors: [{ message: 'Internal server error' }] },
  retries: 0,
  ms: 0,
})
const refusing: Target['send'] = async () => {
  throw new TargetError('Nothing listens there.', { unsent: true, transient: true })
}

test.each([
  ['answers every request with a server error', failing],
  ['refuses every connection', refusing],
])('Nothing is observed of a server that %s after the first one.', async (_, down) => {
  const up = mockTarget(createMock({ counts: { customers: 30 } }))
  let calls = 0
  const target: Target = { ...up, send: (...asked) => ((calls += 1) > 1 ? down : up.send)(...asked) }
  const checks = [...observations, ...reliedChecks]
  const { results } = await runChecks({ checks, target, shapes, expected: defaultProfile })
  const judged = results.filter(({ outcome }) => outcome === 'pass' || outcome === 'notice').map(({ id }) => id)
  expect(judged).toEqual(['target-answers'])
})

test('A server that fails on a strange request only is observed.', async () => {
  const up = mockTarget(createMock({ counts: { customers: 30 } }))
  const target: Target = {
    ...up,
    send: (...asked) => (asked[0].variables?.['first'] === -1 ? failing(...asked) : up.send(...asked)),
  }
  const checks = observations.filter(({ observes }) => observes === 'first_negative')
  const { results } = await runChecks({ checks, target, shapes, expected: defaultProfile })
  expect(results[1]).toMatchObject({ outcome: 'pass', sentence: 'as assumed: error' })
})
