/** The HAR file of a run, written from attempts as a target reports them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Target } from '../../client/target.js'
import { createExchangeFile } from './exchanges.js'
import { readHar } from './har.testkit.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-har-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The entry of a request with these variables by GET, and this response. */
async function recorded(variables: string, body: string) {
  const path = join(root, 'run.har')
  const file = createExchangeFile(path)
  const url = `http://localhost/api/v2?${new URLSearchParams({ query: '{ it }', variables }).toString()}`
  const target: Target = {
    name: 'letters',
    redact: (text) => text,
    close: async () => {},
    async send(_, options) {
      const response = { status: 200, statusText: 'OK', headers: {}, body: Buffer.from(body) }
      options?.onAttempt?.({ startedAt: 0, ms: 1, request: { method: 'GET', url, headers: {} }, response })
      return { status: 200, body: {}, ms: 1 }
    },
  }
  await file.recorded(target).send({ query: '{ it }' })
  expect([file.close(), file.close()]).toEqual([undefined, 'The file is closed.'])
  return readHar(path)[0]
}

test.each([
  ['{"api_key": "x7", "name": "Ada"}', '{"api_key":"[secret]","name":"Ada"}'],
  ['{"pin_token": 1234}', '{"pin_token":"[secret]"}'],
  ['{"tokens": ["x7", {"a": 7}, null, true]}', '{"tokens":["[secret]",{"a":"[secret]"},null,true]}'],
  ['[{"a": {"password": "x\\"7"}}]', '[{"a":{"password":"[secret]"}}]'],
  ['{"cut off": 1, "token": "x7", "secret": 7.5e3, "a', '{"cut off": 1, "token": "[secret]", "secret": "[secret]", "a'],
  ['{ "name":  1.0 }', '{ "name":  1.0 }'],
])('%s is written as %s, in the response, the address and its parameters.', async (text, shown) => {
  const { request, response } = (await recorded(text, text)) ?? {}
  expect(response?.content.text).toBe(shown)
  expect(request?.queryString).toContainEqual({ name: 'variables', value: shown })
  expect(new URL(request?.url ?? '').searchParams.get('variables')).toBe(shown)
})
