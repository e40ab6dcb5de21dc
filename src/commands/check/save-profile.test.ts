/** `--save-profile`: a server that does everything in another way is what the next run expects. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serveHttp } from '../../client/bad-server.testkit.js'
import { createMock } from '../../mock/create-mock.js'
import { bodyOf } from '../body.testkit.js'
import { runInProcess } from '../in-process.testkit.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-profile-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const profile = {
  order_keys: { customers: ['id', 'created_at'], segments: ['name'] },
  default_order: 'order_by:id order_dir:desc',
  unknown_filter: 'error',
  first_negative: 'empty',
  first_cap: 50,
  first_above_cap: 'cap',
  bad_cursor: 'start_over',
  product_page_size: 5,
  unknown_node: 'error',
  error_form: 'keyed',
  error_status: 422,
  http_get: 'queries',
} as const

test('What a server does today is saved, and the next run reports no difference.', async () => {
  const mock = createMock({ freeze: true, profile, counts: { customers: 120, segments: 30, stores: 2, products: 30 } })
  await using server = await serveHttp(async (request, response) => {
    const body = await bodyOf(request)
    const { url = '', method = 'POST', headers } = request
    const init = { method, headers: { 'content-type': 'application/json', accept: headers.accept ?? '*/*' } }
    const answer = await mock.fetch(`http://localhost${url}`, method === 'GET' ? init : { ...init, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const file = join(root, 'new/profile.json')
  const given = join(root, 'given.json')
  writeFileSync(given, '{"same_slug": "allow", "first_cap": 7}')
  const words = ['check', '--base-url', server.baseUrl.href, '--only', 'observe-*,first-*,bad-cursor', '--strict']
  const first = await runInProcess([...words, '--profile', given, '--save-profile', file])
  expect(first.code).toBe(1)
  expect(first.stderr).toContain(
    `Wrote 12 profile entries to ${file}. Pass it with --profile ${file}. It has no value for unknown_delete, same_email.`,
  )
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...profile, same_slug: 'allow' })
  const again = await runInProcess([...words, '--profile', file])
  expect([again.code, again.stdout.includes('differs:')]).toEqual([0, false])
})
