/** Fifty kills of `serve --state` under load: nothing that was answered is lost. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killedOften, nothingWrong } from './killed.testkit.js'

test('Killed fifty times, and compacted meanwhile', { timeout: 600_000 }, async () => {
  const state = mkdtempSync(join(tmpdir(), 'commerce-mock-killed-'))
  try {
    const { wrong, answered } = await killedOften(50, ['--state', state, '--customers', '3', '--limit', 'rows=1000000'])
    expect(wrong).toEqual(nothingWrong)
    expect(answered).toBeGreaterThan(1000)
    expect(readFileSync(join(state, 'log.jsonl')).includes('{"elapsed":')).toBe(true)
  } finally {
    rmSync(state, { recursive: true })
  }
})
