/** `--token-file` is read again when the server no longer takes the token: by `seed` and `check` alike. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock } from '../mock/create-mock.js'
import { bodyOf } from './body.testkit.js'
import { runInProcess } from './in-process.testkit.js'

const mock = createMock({ freeze: true, counts: { customers: 0, segments: 0, stores: 0 } })
const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-token-'))
const file = join(folder, 'token')
let requests = 0
/** The token changes every few requests. */
const tokenNow = () => `token-of-request-${Math.floor(requests / 15)}`
let isWrong = false
let rejection = { status: 401, body: '{}' }

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  const json = { 'content-type': 'application/json' }
  if (request.headers.authorization !== `Bearer ${tokenNow()}`) {
    if (!isWrong) writeFileSync(file, `${tokenNow()}\n`)
    response.writeHead(rejection.status, json).end(rejection.body)
    return
  }
  requests += 1
  const answer = await mock.fetch('http://localhost/api/v2', { method: 'POST', headers: json, body })
  response.writeHead(answer.status, json).end((await answer.text()).replace('seg_', tokenNow()))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test('The token is replaced during a run, nothing is sent twice, and no token is shown.', async () => {
  const words = (name: string) => [
    '--base-url',
    url,
    '--token-file',
    file,
    '--name',
    name,
    '--ledger',
    join(folder, name),
  ]
  const counts = ['--customers', '30', '--segments', '3', '--stores', '0']
  for (const [name, status, body] of [
    ['status', 401, '{}'],
    ['error', 200, '{"data":null,"errors":[{"message":"Expired.","extensions":{"code":"UNAUTHENTICATED"}}]}'],
  ] as const) {
    mock.reset()
    rejection = { status, body }
    writeFileSync(file, tokenNow())
    const { code, stdout, stderr } = await runInProcess(['seed', ...words(name), ...counts])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Created 33 in')
    expect(stdout + stderr).not.toContain('token-of')
  }
  const checked = await runInProcess([
    'check',
    '--base-url',
    url,
    '--token-file',
    file,
    '--only',
    'customers-shape,segments-shape',
  ])
  expect(checked.stdout).not.toContain('(401)')
  expect(checked.stdout).not.toContain('token-of')
  isWrong = true
  writeFileSync(file, 'wrong')
  rejection = { status: 401, body: '{}' }
  const refused = await runInProcess(['seed', ...words('wrong'), ...counts])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('rejected the token (401)')])
})
