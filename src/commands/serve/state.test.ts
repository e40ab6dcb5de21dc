/** `serve --state`: killed, with a full disk, in another time zone, twice at once. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, expect, test } from 'vitest'
import { createMock } from '../../index.js'
import { dump, sendTo } from '../../mock/dump.testkit.js'
import { startBinary } from '../binary.testkit.js'
import { ask, killedOften, nothingWrong, segmentNames } from './killed.testkit.js'

const folders = mkdtempSync(join(tmpdir(), 'commerce-mock-state-'))
afterAll(() => rmSync(folders, { recursive: true }))
const newFolder = () => mkdtempSync(join(folders, 'state-'))

const small = ['--customers', '3', '--segments', '2', '--stores', '1', '--quiet']
const create = (name: string) => `mutation { createSegment(node: { name: "${name}" }) { id } }`

test('Killed three times under load, it has all that was answered, nothing half and nothing twice.', async () => {
  const state = newFolder()
  const { wrong, answered } = await killedOften(3, ['--state', state, ...small])
  expect(wrong).toEqual(nothingWrong)
  // It was compacted meanwhile.
  expect(readFileSync(join(state, 'log.jsonl'), 'utf8')).toContain('{"elapsed":')
  expect(answered).toBeGreaterThan(100)
})

test('A folder is for one process; a colleague with another time zone and language is served the same bytes from a copy.', async () => {
  const state = newFolder()
  const copy = newFolder()
  const dumpOf = async ({ url }: { url: string }) => (await dump(sendTo(url))).replaceAll(new URL(url).host, 'HOST')
  await using first = await startBinary([
    '--state',
    state,
    ...small,
    '--seed',
    '5',
    '--now',
    '2026-03-29T00:30:00Z',
    '--freeze',
  ])
  await ask(first.url, create('Ünï'))
  expect(() => createMock({ state })).toThrow(`The state folder ${state} is in use by process ${first.pid}, since`)
  cpSync(join(state, 'log.jsonl'), join(copy, 'log.jsonl'))
  const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  await using second = await startBinary(['--state', copy], { env })
  expect(second.banner).toMatch(/^ *Seed +5$/m)
  expect(await dumpOf(second)).toBe(await dumpOf(first))
})

test('If the disk is full, mutations answer with an error and change nothing, until there is room again.', async () => {
  const state = newFolder()
  await using binary = await startBinary(['--state', state, ...small, '--log', 'text'])
  const limit = (bytes: string) => promisify(execFile)('prlimit', ['--pid', String(binary.pid), `--fsize=${bytes}:`])
  await ask(binary.url, create('before'))
  const { length } = readFileSync(join(state, 'log.jsonl'))
  // Room for a part of the next line.
  await limit(String(length + 50))
  const { data, errors } = await ask(binary.url, create('full'))
  expect(data).toEqual({ createSegment: null })
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(
        /^The log \S+ cannot be written: files may not be larger\. Nothing was changed\.$/,
      ) as string,
      extensions: { code: 'LOG_NOT_WRITABLE' },
    },
  ])
  expect(readFileSync(join(state, 'log.jsonl')).length).toBe(length)
  const reset = await fetch(`${binary.origin}/_mock/reset`, { method: 'POST' })
  expect([reset.status, await reset.json()]).toMatchObject([507, { errors: [{ message: errors?.[0]?.message }] }])
  expect((await segmentNames(binary.url)).slice(2)).toEqual(['before'])
  await limit('unlimited')
  await ask(binary.url, create('after'))
  expect((await segmentNames(binary.url)).slice(2)).toEqual(['before', 'after'])
  const log = join(state, 'log.jsonl')
  renameSync(log, `${log}.saved`)
  cpSync(`${log}.saved`, log)
  rmSync(`${log}.saved`)
  const lost = await ask(binary.url, create('lost'))
  expect(lost.errors?.[0]?.message).toMatch(
    /^The log \S+ cannot be written: there is no such file\. Nothing was changed\.$/,
  )
  await binary.stop()
  await using again = createMock({ state })
  expect(
    again
      .list('Segment')
      .map(({ name }) => name)
      .slice(2),
  ).toEqual(['before', 'after'])
})
