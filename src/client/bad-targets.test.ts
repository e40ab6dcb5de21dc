import { expect, test } from 'vitest'
import { badTargets, canary, deadlineMs, maxBytes } from './bad-targets.testkit.js'
import { createHttpTarget } from './http-target.js'
import { TargetError } from './target.js'

const token = { name: 'Authorization', value: `Bearer ${canary}` }
/** More than the deadline of a request, because machines may be slow. */
const maxMs = 1000

test.each(badTargets)('$name', async ({ serve, at = (url) => url, message, permanent = false }) => {
  await using server = await serve()
  const target = createHttpTarget({
    baseUrl: at(server.baseUrl),
    secrets: [token],
    timeoutMs: deadlineMs,
    maxBytes,
    retries: 0,
  })
  const start = performance.now()
  const error = await target.send({ query: '{ it }' }).then(
    (response) => new Error(`It responded: ${JSON.stringify(response)}`),
    (thrown: unknown) => thrown as Error,
  )
  const ms = performance.now() - start
  await target.close()

  expect(error.message.replaceAll(`:${server.port}`, ':PORT')).toBe(message)
  expect(error).toBeInstanceOf(TargetError)
  expect((error as TargetError).permanent).toBe(permanent)
  expect(ms).toBeLessThan(maxMs)
  expect(error.message).toMatch(/^[^\p{Cc}]+$/u)
  expect(error.message).not.toContain('canary')
})
