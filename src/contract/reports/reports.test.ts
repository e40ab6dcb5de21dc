/** Every form of a report as a whole, so that a change of wording is a visible change; and what they have in common. */
import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumed, documented } from '../check.js'
import { outcomes } from '../report.js'
import { annotations } from './annotations.js'
import { detailOf } from './detail.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { markdownReport } from './markdown.js'
import { redactReport } from './redact.js'
import { exchangeOf, failing, reportOf, resultOf, sample } from './report.testkit.js'
import { textReport } from './text.js'

const plainly = { verbose: false, colour: false }
const onGithub = { GITHUB_ACTIONS: 'true' }

describe('The whole report', () => {
  test('as text', () => expect(textReport(sample, plainly)).toMatchSnapshot())
  test('as text, verbose', () => expect(textReport(sample, { ...plainly, verbose: true })).toMatchSnapshot())
  test('as JSON', () => expect(jsonReport(sample)).toMatchSnapshot())
  test('as JUnit XML', () => expect(junitReport(sample)).toMatchSnapshot())
  test('as Markdown', () => expect(markdownReport(sample)).toMatchSnapshot())
  test('as annotations', () => expect(annotations(sample, onGithub)).toMatchSnapshot())
})

test.each([0, 1, 2, 130])('The last line of the text is the verdict, where the exit code is %i.', (exitCode) => {
  const openings = {
    0: /^No promise is broken/,
    1: /broken|under --require/,
    2: /error|did not|Too little/,
    130: /^The run was interrupted/,
  }
  const result = fc
    .record({
      outcome: fc.constantFrom(...outcomes),
      basis: fc.constantFrom(documented('It says so.'), assumed('Not shown.')),
      observes: fc.constantFrom(undefined, undefined, 'entry'),
      sentence: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      remarks: fc.array(fc.string({ unit: 'binary' }), { maxLength: 2 }),
    })
    .map((it) => resultOf(it))
  const report = fc
    .record({
      results: fc.array(result, { maxLength: 6 }),
      interrupted: fc.boolean(),
      strict: fc.boolean(),
      minJudged: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ results, ...options }) => reportOf(results, options))
  fc.assert(
    fc.property(report, fc.boolean(), (it, verbose) => {
      fc.pre(it.exitCode === exitCode)
      const lines = textReport(it, { verbose, colour: false }).split('\n')
      expect(lines.at(-1)).toBe('')
      expect(lines.at(-2)).toBe(it.verdict)
      expect(lines.at(-2)).toMatch(openings[exitCode as keyof typeof openings])
    }),
    { numRuns: 50 },
  )
})

describe('As text', () => {
  test('colours are there only when they are wanted, and change no word.', () => {
    const coloured = textReport(sample, { verbose: false, colour: true })
    expect(coloured).toContain('\u001b[31mFAIL')
    expect(stripVTControlCharacters(coloured)).toBe(textReport(sample, plainly))
  })

  test('requests that were sent again are always told, other remarks where something is wrong.', () => {
    const remarks = ['3 requests were sent again.', 'It took 40 ms to be seen.']
    const shown = (outcome: 'pass' | 'error', verbose = false) => {
      const text = textReport(reportOf([resultOf({ outcome, sentence: 'So it was.', remarks })]), {
        ...plainly,
        verbose,
      })
      return remarks.map((it) => text.includes(it))
    }
    expect(shown('pass')).toEqual([true, false])
    expect(shown('pass', true)).toEqual([true, true])
    expect(shown('error')).toEqual([true, true])
  })

  test('what was left behind is told to its end.', () => {
    const left = Array.from({ length: 300 }, (_, at) => `L${at} of letter stays.`).join(' ')
    for (const outcome of ['pass', 'error'] as const) {
      const report = reportOf([resultOf({ id: 'leaves-no-trace', outcome, sentence: left })])
      for (const text of [
        textReport(report, plainly),
        markdownReport(report),
        junitReport(report),
        jsonReport(report),
      ]) {
        expect(text).toContain('L299 of letter stays.')
      }
    }
  })

  test('a run without a check says so.', () => {
    expect(textReport(reportOf([]), plainly)).toMatch(/\n\nNo check ran\.\n/)
    expect(markdownReport(reportOf([]))).not.toContain('|')
  })
})

test('A finding in lines is told without a report, too, and then without a curl line.', () => {
  const [finding] = failing('It is b.', [exchangeOf({ request: { query: '{ a }' } })]).findings
  expect(finding && detailOf(finding)).toBe(
    'It is b.\ndocumented: Letters, 1: A letter has a name.\n  { a }\n  → 200 {"data":{"letters":[{"name":1}]}}',
  )
})

test('JSON holds the same value, and can be read back.', () => {
  const read = JSON.parse(jsonReport(sample)) as { version: number; totals: unknown; results: { outcome: string }[] }
  expect(read).toMatchObject({ version: 1, exitCode: 1, totals: sample.totals, verdict: sample.verdict })
  expect(read.results.map(({ outcome }) => outcome)).toEqual(sample.results.map(({ outcome }) => outcome))
})

describe('Annotations', () => {
  test('are made for GitHub alone.', () => {
    expect(annotations(sample, {})).toBe('')
    expect(annotations(sample, { GITHUB_ACTIONS: 'false' })).toBe('')
  })

  test('are ten of each at most, with GitHub’s escapes.', () => {
    const many = Array.from({ length: 12 }, (_, at) => failing('100 %: a, b\r\n::error::', [], { id: `a:${at},` }))
    const lines = annotations(reportOf(many), onGithub).trimEnd().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe('::error title=contract a%3A0%2C::100 %25: a, b\\u{d}\\u{a}::error::')
  })
})

test('Secrets are taken out of every text of a report.', () => {
  const secret = 's3cret'
  const result = failing(
    `a ${secret}`,
    [
      exchangeOf({
        request: { query: secret, variables: { [secret]: [{ a: secret, b: 1, c: null }] } },
        answer: secret,
      }),
    ],
    { remarks: [secret] },
  )
  const report = { ...reportOf([result]), target: secret, verdict: secret }
  const redacted = redactReport(report, (text) => text.replaceAll(secret, '[secret]'))
  expect(JSON.stringify(redacted)).not.toContain(secret)
  expect(redacted.results[0]?.findings[0]?.exchanges[0]?.request.variables).toEqual({
    '[secret]': [{ a: '[secret]', b: 1, c: null }],
  })
  expect(redactReport(sample, (text) => text)).toEqual(sample)
})
