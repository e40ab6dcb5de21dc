/** `commerce-mock/vitest`, run by Vitest as a user runs it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageFolder } from '../shared/package.js'
import { usersFolder } from './users-folder.testkit.js'

const spec = `
import { describe, expect } from 'vitest'
import { test } from 'commerce-mock/vitest'

const names = new Set()
for (const name of ['a', 'b', 'c']) {
  test.concurrent(name, async ({ mock, expect }) => {
    const before = mock.list('Segment').length
    const start = mock.clock.now()
    mock.create('Segment', { name })
    mock.clock.advance('3h')
    const { url } = await mock.listen({ port: 0 })
    names.add(url)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(mock.clock.now()).toBe(start + 3 * 3_600_000)
    expect(mock.list('Segment')).toHaveLength(before + 1)
  })
}

test('servers end with their test', async () => {
  expect(names.size).toBe(3)
  for (const url of names) await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('requests are asserted on', async ({ mock }) => {
  await mock.execute({ query: 'query Segments { segments(query: "") { edges { cursor } } }' })
  expect(mock).toHaveReceived('Segments', { kind: 'query', variables: expect.any(Object) })
  expect(mock).not.toHaveReceived('Customers')
  expect(mock.session('a')).not.toHaveReceived('Segments')
  expect(() => expect(mock).toHaveReceived('Segment')).toThrow('Did you mean Segments?')
  expect(() => expect(mock).not.toHaveReceived('Segments')).toThrow('not to receive Segments')
})

const inEmptyShop = test.extend({ mockOptions: { world: 'empty-shop', freeze: false } })
describe('another world', () => {
  inEmptyShop('is empty', ({ mock }) => void mock.create('Customer', { full_name: 'Ada Lovelace' }))
  inEmptyShop('is still empty', async ({ mock }) => {
    expect(mock.list('Customer')).toEqual([])
    const start = mock.clock.now()
    await expect.poll(() => mock.clock.now()).toBeGreaterThan(start)
  })
})`

test('Each test has a mock of its own with a frozen clock.', async () => {
  const vitest = join(packageFolder(), 'node_modules/vitest')
  using folder = usersFolder({ vitest })
  folder.write('shop.test.js', spec)
  const args = [join(vitest, 'vitest.mjs'), 'run', '--root', folder.path, '--no-color']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.path }).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }),
  )
  expect(stdout).toMatch(/Tests +7 passed \(7\)/)
})
