/** What comes in place of a GraphQL answer, and how it is told: each with its sentence, within its time, secret kept. */
import { expect, test } from 'vitest'
import { badTargets, canary, deadlineMs, maxBytes } from './bad-targets.testkit.js'
import { createHttpTarget } from './http-target.js'
import { TargetError } from './target.js'

const token = { name: 'Authorization', value: `Bearer ${canary}` }
/** Milliseconds that any of them may take, whatever it does; the deadline is most of it, the rest is for slow machines. */
const within = 1000

test.each(badTargets)('$name', async ({ serve, at = (url) => url, says, lasting = false }) => {
  await using server = await serve()
  const target = createHttpTarget({
    baseUrl: at(server.baseUrl),
    secrets: [token],
    timeoutMs: deadlineMs,
    maxBytes,
    retries: 0,
  })
  const began = performance.now()
  const error = await target.send({ query: '{ it }' }).then(
    (answer) => new Error(`It answered ${JSON.stringify(answer)}.`),
    (thrown: unknown) => thrown as Error,
  )
  const ms = performance.now() - began
  await target.close()

  expect(error.message.replaceAll(`:${server.port}`, ':PORT')).toBe(says)
  expect(error).toBeInstanceOf(TargetError)
  expect((error as TargetError).lasting).toBe(lasting)
  expect(ms).toBeLessThan(within)
  expect(error.message).toMatch(/^[^\p{Cc}]+$/u)
  expect(error.message).not.toContain('canary')
})

test('There are many of them, and no two have one name.', () => {
  expect(new Set(badTargets.map((it) => it.name)).size).toBeGreaterThan(60)
  expect(new Set(badTargets.map((it) => it.name)).size).toBe(badTargets.length)
})
