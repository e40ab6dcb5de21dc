/** Reports of earlier runs: those of each schema version can be compared with. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compare } from '../../contract/compare.js'
import { jsonReport } from '../../contract/reports/json.js'
import { sample } from '../../contract/reports/report.testkit.js'
import { packageFolder } from '../../shared/package.js'
import { readEarlierReport } from './earlier-report.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-earlier-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(text: string) {
  const path = join(folder, 'r.json')
  writeFileSync(path, text)
  return readEarlierReport(path)
}

const kept = join(packageFolder(), 'fixtures/reports')

test.each(readdirSync(kept))('The kept report %s can be read.', (file) => {
  const { still } = compare(readEarlierReport(join(kept, file)), sample)
  expect(still.map(({ check, at }) => `${check} ${at}`)).toContain('letters-limit Query.letters')
})

test('A report of this version has nothing new against itself.', () => {
  const compared = compare(read(jsonReport(sample)), sample)
  expect([compared.new, compared.fixed, compared.inconclusive, compared.observations]).toEqual([[], [], [], []])
  expect(compared.still).toHaveLength(5)
})

const head = '"startedAt":"2026-03-01T10:00:00.000Z","calls":1,"ms":1'

test.each([
  ['{', /^--compare: the file .*r\.json is not JSON/],
  ['[]', /^--compare: .*r\.json is not a report of check\. Write one with --report json=FILE\.$/],
  [
    '{"version":1,"results":[]}',
    /is a report of an earlier version, which does not say where findings are\. Write one with --report json=FILE\.$/,
  ],
  [
    `{"schemaVersion":3,${head},"results":[]}`,
    /^--compare: .*r\.json was written by a newer commerce-mock \(schema 3\)\. Update commerce-mock, or compare with a report of this version\.$/,
  ],
  [
    `{"schemaVersion":2,${head},"results":[{"id":"a","outcome":"odd","findings":[{}]}]}`,
    /r\.json results\[0\]\.outcome: must be .*\n.* results\[0\]\.findings\[0\]\.code: /,
  ],
])('%s is refused.', (text, message) => {
  expect(() => read(text)).toThrow(message)
})
