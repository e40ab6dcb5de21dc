/** The file of known failures: its mistakes, its form for editors, and what a run writes into it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { assumed, documented } from '../../contract/check.js'
import { keyOf } from '../../contract/identity.js'
import { applyWaivers, type KnownFailure } from '../../contract/known.js'
import { reportOf, resultOf } from '../../contract/reports/report.testkit.js'
import type { ReportedFinding, Result } from '../../contract/report.js'
import { formatted } from '../../shared/format.testkit.js'
import { packageFolder } from '../../shared/package.js'
import { contractChecks } from './run-contracts.js'
import { entriesToSave, knownFile, knownText, readKnown } from './known-file.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-known-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'known.yaml')
const ids = ['letters-first', 'letters-after', 'stamps-shape', 'known-failures']

function read(text: string) {
  writeFileSync(path, text)
  return readKnown(path, ids)
}

function mistakesIn(text: string): string {
  try {
    read(text)
    return ''
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
}

const entry = '- check: letters-first\n  code: too-many\n  at: Query.letters\n  reason: Ticket 7.\n'

test.each([
  ['', ''],
  ['# nothing yet\n', ''],
  [entry, ''],
  [
    `${entry}  owner: Ada\n  until: 2026-02-28\n- {check: letters-*, severity: off}\n- {check: document-x, severity: notice}`,
    '',
  ],
  ['known: []', 'known.yaml:1: must be a list of entries.'],
  ['- letters-first', 'known.yaml:1 [0]: must be an entry with check, code, at and reason.'],
  [entry.replace('too-many', '7'), 'known.yaml:2 [0].code: must be a string, not a number.'],
  [entry.replace('reason: Ticket 7.', 'reason: ""'), 'known.yaml:4 [0].reason: must not be empty.'],
  [
    entry.replace('reason', 'raeson'),
    'known.yaml:1 [0].reason: is missing.\nknown.yaml:4 [0].raeson: is unknown. Did you mean reason?',
  ],
  [`${entry}  until: 2026-02-30`, 'known.yaml:5 [0].until: must be a day such as 2026-12-31.'],
  [`${entry}  until: tomorrow`, 'known.yaml:5 [0].until: must be a day such as 2026-12-31.'],
  [
    `${entry.replace('code', 'cod').replace(/ +reason.*\n/, '')}  until: 2026-12-31`,
    'known.yaml:1 [0].code: is missing.\nknown.yaml:1 [0].reason: is missing.\nknown.yaml:2 [0].cod: is unknown. Did you mean code?',
  ],
  ['- {check: letters-first, severity: off, resaon: no}', 'known.yaml:1 [0].resaon: is unknown. Did you mean reason?'],
  ['- check: letters-first\n  severity: low', 'known.yaml:2 [0].severity: must be failure or notice or off.'],
  [
    entry + entry.replace('letters-first', 'letters-frist'),
    'known.yaml:5 [1].check: is unknown. Did you mean letters-first?',
  ],
  [
    entry.replace('letters-first', 'letters-*'),
    'known.yaml:1 [0].check: is unknown. Choose one of: letters-first, letters-after, stamps-shape, known-failures.',
  ],
  [
    '- {check: "(*", severity: off}',
    'known.yaml:1 [0].check: is unknown. Choose one of: letters-first, letters-after, stamps-shape, known-failures.',
  ],
  [
    '- {check: "word*", severity: off}',
    'known.yaml:1 [0].check: is unknown. Choose one of: letters-first, letters-after, stamps-shape, known-failures.',
  ],
  [
    `${entry}- {check: letters-*, severity: off}\n${entry}`,
    'known.yaml:6 [2]: lists the same failure as [0]. Delete one.',
  ],
  ['- [', '--known: known.yaml:1: Flow sequence in block collection must be sufficiently indented and end with a ].'],
])('%j', (text, expected) => {
  expect(mistakesIn(text)).toBe(expected)
})

test('Entries can be given as data, too.', () => {
  const known: KnownFailure = { check: 'letters-first', code: 'a', at: 'b', reason: 'c' }
  expect(readKnown([known, { check: 'letters-*', severity: 'notice' }], ids)).toEqual({
    known: [{ ...known, place: 'known' }],
    severity: [{ check: 'letters-*', severity: 'notice' }],
  })
  expect(() => readKnown([{ ...known, check: 'x' }], ids)).toThrow('known [0].check: is unknown.')
})

// To update the file: npx vitest run src/commands/check/known-file -u
test('known.schema.json is generated from the definition.', async () => {
  const file = join(packageFolder(), 'fixtures/known.schema.json')
  const schema = {
    $id: 'https://commerce-mock.invalid/known.schema.json',
    title: 'Known failures of a server',
    description: 'For check --known: failures that do not fail a run, and the severity of checks.',
    ...z.toJSONSchema(knownFile, { target: 'draft-7', io: 'input' }),
  }
  await expect(await formatted(file, JSON.stringify(schema))).toMatchFileSnapshot(file)
})

test('The file in the docs is valid.', () => {
  const docs = readFileSync(join(packageFolder(), 'docs/check.md'), 'utf8')
  const [, text = ''] = /```yaml\n(# yaml-language-server: [^`]*known\.schema[^`]*)```/.exec(docs) ?? []
  writeFileSync(path, text)
  const all = contractChecks.map(({ id }) => id)
  expect(readKnown(path, all)).toEqual({
    known: [expect.any(Object)],
    severity: [{ check: '*-text', severity: 'off' }],
  })
})

/** A set of failures of a server, by check. Texts that YAML could take for something else. */
const word = fc.constantFrom(
  'a',
  'no',
  '1.5',
  '2026-01-31',
  'a: b',
  '# a',
  '- a',
  "'",
  '"',
  'x > y',
  '*a',
  '~',
  'é\u2028',
)
const place = fc.record({ code: word, at: word, order: fc.option(word, { nil: undefined }), assumed: fc.boolean() })
const servers = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('letters-first', 'letters-after', 'stamps-shape'),
    places: fc.uniqueArray(place, {
      selector: ({ code, at, order }) => JSON.stringify([code, at, order]),
      maxLength: 5,
    }),
  }),
  { selector: ({ id }) => id },
)
interface Place extends Pick<KnownFailure, 'code' | 'at' | 'order'> {
  readonly assumed: boolean
}
type Server = readonly { readonly id: string; readonly places: readonly Place[] }[]

const resultsOf = (server: Server, isComplete = false): readonly Result[] =>
  server.map(({ id, places }) => {
    const findings = places.map(({ code, at, order, assumed: isAssumed }): ReportedFinding => ({
      code,
      at,
      order,
      exchanges: [],
      sentence: `${code} of ${at}: "it's" & more`,
      basis: isAssumed ? assumed('Not shown.') : documented('Letters, 1.'),
    }))
    const isBroken = findings.some(({ basis }) => basis.kind !== 'assumed')
    return resultOf({ id, findings, isComplete, outcome: isBroken ? 'fail' : findings.length > 0 ? 'notice' : 'pass' })
  })

const today = '2026-11-29'
const outcomesIn = (results: readonly Result[]) => new Set(results.map(({ outcome }) => outcome))

test('What was saved is known in the next run; one more is new, and one less is gone.', () => {
  fc.assert(
    fc.property(servers, fc.boolean(), fc.boolean(), fc.nat(), (server, strict, isComplete, n) => {
      const results = resultsOf(server)
      const { entries: saved } = entriesToSave(reportOf(results), { strict, today })
      const { known } = read(knownText(saved))
      const next = applyWaivers(results, { known, today })
      expect(reportOf(next, { strict, minJudged: 0 }).exitCode).toBe(0)
      expect(outcomesIn(next).has('fail')).toBe(false)

      const [first, ...rest] = server
      if (!first) return
      const more = { code: 'one-more', at: 'Query.letters', order: undefined, assumed: false }
      const worse = applyWaivers(resultsOf([{ ...first, places: [...first.places, more] }, ...rest]), { known, today })
      const fresh = worse.flatMap((it) =>
        it.outcome === 'fail' ? it.findings.filter((finding) => !finding.known) : [],
      )
      // An assumption that is wrong beside it was a notice before, and is one now.
      expect(fresh.filter(({ basis }) => basis.kind !== 'assumed').map(({ code }) => code)).toEqual(['one-more'])
      expect(reportOf(worse).exitCode).toBe(1)

      const mended = known[n % known.length]
      if (!mended) return
      const isMended = (id: string, at: Place) => keyOf({ check: id, ...at }) === keyOf(mended)
      const better = applyWaivers(
        resultsOf(
          server.map(({ id, places }) => ({ id, places: places.filter((it) => !isMended(id, it)) })),
          isComplete,
        ),
        { known, today },
      )
      const gone = better.find(({ id }) => id === 'known-failures')
      // Another finding may be why it was not seen.
      const isJudged = isComplete || better.some(({ id, outcome }) => id === mended.check && outcome === 'pass')
      expect([gone?.outcome, gone?.findings.length]).toEqual(isJudged ? ['notice', 1] : ['pass', 0])
      if (isJudged) expect(gone?.findings[0]?.sentence).toContain(`Delete the entry at ${mended.place}.`)
      expect(reportOf(better, { minJudged: 0 }).exitCode).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('A failure is known on its last day, and not on the next.', () => {
  const server: Server = [{ id: 'letters-first', places: [{ code: 'a', at: 'b', order: undefined, assumed: false }] }]
  const known = [{ check: 'letters-first', code: 'a', at: 'b', reason: 'c', until: '2026-11-29', place: 'k.yaml:1' }]
  const on = (day: string) => applyWaivers(resultsOf(server), { known, today: day })[0]
  expect([on('2026-11-29')?.outcome, on('2026-11-30')?.outcome]).toEqual(['known', 'fail'])
  expect(on('2026-11-30')?.remarks).toEqual(['It was known until 2026-11-29: c (k.yaml:1)'])
})

test('An error cannot be known, and a check that was not judged is not gone.', () => {
  const known = [{ check: 'letters-first', code: 'a', at: 'b', reason: 'c', place: 'k.yaml:1' }]
  for (const outcome of ['error', 'skip', 'inconclusive'] as const) {
    const [result, gone] = applyWaivers([resultOf({ id: 'letters-first', outcome })], { known, today })
    expect([result?.outcome, gone?.outcome]).toEqual([outcome, 'pass'])
    expect(entriesToSave({ results: [resultOf({ id: 'letters-first', outcome })] }, { known, today }).entries).toEqual(
      known,
    )
  }
})
