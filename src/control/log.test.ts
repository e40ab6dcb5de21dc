/** The log in a folder: what a later mock has, and what is refused. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../index.js'
import { everything } from '../mock/state.testkit.js'

const folders = mkdtempSync(join(tmpdir(), 'commerce-mock-log-'))
afterAll(() => rmSync(folders, { recursive: true }))

const newFolder = () => mkdtempSync(join(folders, 'state-'))
const small: MockOptions = {
  freeze: true,
  now: '2026-03-01',
  counts: { customers: 5, segments: 3, stores: 1, products: 4 },
}
const logIn = (folder: string) => join(folder, 'log.jsonl')

test('A later mock with the same folder goes on: base, sessions, snapshots, clocks.', async () => {
  const state = newFolder()
  const first = createMock({ ...small, state })
  first.create('Customer', { first_name: 'Ada' })
  first.session('a').clock.advance('3h')
  first.snapshot('one')
  first.remove('Customer', first.create('Customer', {}).id)
  const before = [await everything(first), first.session('a').clock.now()]
  await first.close()
  const second = createMock({ state })
  expect([await everything(second), second.session('a').clock.now()]).toEqual(before)
  await second.close()
})
