/** Every form of a report as a snapshot, and the rules that they share. */
import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumed, disputed, documented } from '../check.js'
import { keyOf } from '../identity.js'
import { outcomes, type Report, type Result } from '../report.js'
import { annotations } from './annotations.js'
import { detailOf } from './detail.js'
import { htmlReport } from './html.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { markdownReport } from './markdown.js'
import { redactReport } from './redact.js'
import { exchangeOf, failing, reportOf, resultOf, sample } from './report.testkit.js'
import { textReport } from './text.js'

const plainly = { verbose: false, color: false }
const onGithub = { GITHUB_ACTIONS: 'true' }

describe('The whole report', () => {
  test('as text', () => expect(textReport(sample, plainly)).toMatchSnapshot())
  test('as text, verbose', () => expect(textReport(sample, { ...plainly, verbose: true })).toMatchSnapshot())
  test('as JSON', () => expect(jsonReport(sample)).toMatchSnapshot())
  test('as JUnit XML', () => expect(junitReport(sample)).toMatchSnapshot())
  test('as Markdown', () => expect(markdownReport(sample)).toMatchSnapshot())
  test('as annotations', () => expect(annotations(sample, onGithub)).toMatchSnapshot())
})

test.each([0, 1, 2, 130])('With exit code %i, the last line of the text is the verdict.', (exitCode) => {
  const openings = {
    0: /^No promise is broken/,
    1: /broken|failed/,
    2: /error|not judged|Too few/,
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
      const lines = textReport(it, { verbose, color: false }).split('\n')
      expect(lines.at(-1)).toBe('')
      expect(lines.at(-2)).toBe(it.verdict)
      expect(lines.at(-2)).toMatch(openings[exitCode as keyof typeof openings])
    }),
    { numRuns: 20 },
  )
})

test('What is new since an earlier run comes first in a job, and last in a terminal.', () => {
  const [old, fresh] = ['old', 'fresh'].map((id) => failing(`It is ${id}.`, [], { id })) as [Result, Result]
  const found = { ...fresh.findings[0]!, check: 'fresh', kind: 'failure' as const }
  const comparison = { ...sample.comparison!, new: [found] }
  const heads = (text: string) => text.match(/^(?:FAIL|### .*fail|::error).*/gm)
  const report = reportOf([old, fresh], { comparison })
  expect([markdownReport(report), annotations(report, onGithub), textReport(report, plainly)].map(heads)).toEqual([
    ['### new fail: `fresh`', '### fail: `old`'],
    ['::error title=contract fresh::It is fresh.', '::error title=contract old::It is old.'],
    [expect.stringMatching(/^FAIL {10}old/), expect.stringMatching(/^FAIL new {6}fresh/)],
  ])
  const text = htmlReport(report)
  expect(text.indexOf('id="check-fresh"')).toBeLessThan(text.indexOf('id="check-old"'))
})

describe('As text', () => {
  test('colors are optional and change no word.', () => {
    const colored = textReport(sample, { verbose: false, color: true })
    expect(colored).toContain('\u001b[31mFAIL')
    expect(stripVTControlCharacters(colored)).toBe(textReport(sample, plainly))
  })

  test('remarks are shown for problems only.', () => {
    const remarks = ['It was visible after 40 ms.']
    const shown = (outcome: 'pass' | 'error', verbose = false) => {
      const text = textReport(reportOf([resultOf({ outcome, sentence: 'So it was.', remarks })]), {
        ...plainly,
        verbose,
      })
      return remarks.map((it) => text.includes(it))
    }
    expect(shown('pass')).toEqual([false])
    expect(shown('pass', true)).toEqual([true])
    expect(shown('error')).toEqual([true])
  })

  test('of many findings of a check, three show their requests.', () => {
    const [finding] = failing('It is b.', []).findings
    const findings = ['a', 'b', 'c', 'd', 'e'].map((order) => {
      const request = { query: '{ letters { name } }', variables: { order } }
      return { ...finding!, order, exchanges: [exchangeOf({ request })] }
    })
    const report = reportOf([failing('It is b.', [], { findings })])
    const shown = (verbose: boolean) =>
      textReport(report, { ...plainly, verbose }).match(/variables \{"order"/g)?.length
    expect([shown(false), shown(true)]).toEqual([3, 5])
    expect(textReport(report, plainly)).toContain('    at Query.letters, e\n')
    expect(textReport(report, plainly)).toContain('--verbose shows the requests of 2 more.')
  })

  test('known failures are one line, and those that soon count again one each.', () => {
    const known = { by: '--known', reason: 'Ticket 7.', until: '2026-03-15' } as const
    const [finding] = failing('It is b.', []).findings
    const findings = [known, { ...known, until: '2026-03-16' }].map((it) => ({ ...finding!, known: it }))
    const report = reportOf([resultOf({ outcome: 'known', findings }), failing('It is c.', [], { findings })])
    expect(textReport(report, plainly)).toContain(
      [
        '4 known failures in 1 check; --verbose lists them.',
        ...['', ''].map(() => '  soon over: letter-has-name [no-name] at Query.letters: Ticket 7., until 2026-03-15'),
        '1 known, 1 fail',
      ].join('\n'),
    )
    expect(textReport(report, { ...plainly, verbose: true }).match(/known: \[no-name\]/g)).toHaveLength(4)
  })

  test('objects that were left behind are never cut off.', () => {
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

test('A finding can be shown without a report, and then has no curl line.', () => {
  const [finding] = failing('It is b.', [exchangeOf({ request: { query: '{ a }' } })]).findings
  expect(finding && detailOf(finding)).toBe(
    'It is b. [no-name]\nat Query.letters\ndocumented: Letters, 1: A letter has a name.\n  { a }\n  → 200 {"data":{"letters":[{"name":1}]}}',
  )
})

test('Findings of one request share it, each with its part of the answer.', () => {
  const answer = 'a'.repeat(2000)
  const findings = ['b', 'c'].map((it, at) => {
    const focus = 500 + at * 1000
    const exchanges = [exchangeOf({ answer: `${answer.slice(0, focus)}${it}${answer.slice(focus)}`, focus })]
    return {
      code: it,
      at: 'Query.letters',
      sentence: `It is ${it}.`,
      basis: disputed('It says two things.'),
      exchanges,
    }
  })
  const text = textReport(reportOf([resultOf({ outcome: 'fail', findings })]), plainly)
  expect(text.match(/query Letters/g)).toHaveLength(1)
  expect(text).toMatch(/It is b\. \[b\][^]*It is c\. \[c\][^]*→ 200 …a+ba+…\n.*→ 200 …a+ca+…\n/)
})

test('The headline names known failures.', () => {
  const result = failing('It is b.', [], { outcome: 'known' })
  const findings = result.findings.map((it) => ({ ...it, known: { by: '--known' as const, reason: 'Ticket 7.' } }))
  const report = reportOf([resultOf({}), { ...result, findings }])
  expect(markdownReport(report)).toMatch(/^## Contracts: kept, except 1 known failure\n/)
  expect(htmlReport(report)).toContain('<h1>Contracts: <strong>kept, except 1 known failure</strong></h1>')
})

test('What is no longer judged because an option left its check out is one line.', () => {
  const lost = ['left', 'lost', 'a'].map((check) => ({ ...sample.comparison!.notJudged[0]!, check }))
  const report = reportOf(sample.results, { comparison: { ...sample.comparison!, notJudged: lost } })
  const lines = ['no longer judged: a [e] at Query.letters', 'no longer judged, because their checks did not run: 2']
  expect(
    textReport(report, plainly)
      .match(/no longer judged.*/g)
      ?.slice(0, 2),
  ).toEqual(lines)
  expect(textReport(report, { ...plainly, verbose: true }).match(/no longer judged: l/g)).toHaveLength(2)
})

test('JSON can be read back.', () => {
  const read = JSON.parse(jsonReport(sample)) as { version: number; totals: unknown; results: { outcome: string }[] }
  expect(read).toMatchObject({
    schemaVersion: 2,
    exitCode: 1,
    totals: sample.totals,
    verdict: sample.verdict,
    headers: sample.headers,
  })
  expect(read.results.map(({ outcome }) => outcome)).toEqual(sample.results.map(({ outcome }) => outcome))
})

describe('Annotations', () => {
  test('are for GitHub only.', () => {
    expect(annotations(sample, {})).toBe('')
    expect(annotations(sample, { GITHUB_ACTIONS: 'false' })).toBe('')
  })

  test('are at most ten of each kind, with the escapes of GitHub.', () => {
    const many = Array.from({ length: 12 }, (_, at) => failing('100 %: a, b\r\n::error::', [], { id: `a:${at},` }))
    const lines = annotations(reportOf(many), onGithub).trimEnd().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe('::error title=contract a%3A0%2C::100 %25: a, b\\u{d}\\u{a}::error::')
  })

  test('are notices of GitHub for checks that an option makes a notice.', () => {
    const quiet = failing('It is b.', [], { id: 'b', outcome: 'notice', severity: 'notice' })
    expect(annotations(reportOf([quiet]), onGithub)).toBe('::notice title=contract b::It is b.\n')
  })

  test('show broken promises before errors.', () => {
    const errors = Array.from({ length: 12 }, () => resultOf({ outcome: 'error', sentence: 'No answer.' }))
    const lines = annotations(reportOf([...errors, failing('It is b.', [])]), onGithub).split('\n')
    expect(lines[0]).toMatch(/::It is b\.$/)
  })
})

describe('The headline of a failure is a broken promise, not a wrong assumption before it,', () => {
  const findings = [
    { code: 'guess', at: 'Query.letters', sentence: 'A guess is wrong.', basis: assumed('Not shown.'), exchanges: [] },
    {
      code: 'promise',
      at: 'Query.letters',
      sentence: 'A promise is broken.',
      basis: disputed('It says two things.'),
      exchanges: [],
    },
  ]
  const report = reportOf([resultOf({ outcome: 'fail', sentence: 'A guess is wrong.', findings })])

  test('as JUnit XML', () => {
    expect(junitReport(report)).toContain('<failure message="A promise is broken." type="promise">')
  })

  test('as an annotation', () => expect(annotations(report, onGithub)).toMatch(/::A promise is broken\.\n$/))

  test('even if the check has no sentence', () => {
    const bare = { ...report, results: report.results.map((it) => ({ ...it, sentence: undefined })) }
    expect(junitReport(bare)).toContain('<failure message="A promise is broken."')
  })
})

describe('As Markdown', () => {
  test.each(['---', '- a', '===', '1. a', '12) a', '    a', ' - a'])('%j starts no block.', (text) => {
    const markdown = markdownReport(reportOf([resultOf({ title: text, outcome: 'skip', sentence: text })]))
    const shown = markdownReport(reportOf([failing(text, [], { title: text, remarks: [text] })]))
    expect(`${markdown}\n${shown}`.split('\n').filter((it) => it.replace(/^- /, '').startsWith(text))).toEqual([])
  })

  test.each([
    'data.letters[24].full_name of __typename is "a/b" & \'c\' {d}: 3 > 2!',
    '--skip: 2.5 % of the checks, [no-name] at Query.letters, order_by:name order_dir:asc; \\u{1b}',
  ])('%j stays as it is.', (text) => {
    expect(markdownReport(reportOf([failing(text, [])]))).toContain(`**${text}**`)
  })

  test.each([
    ['[a](b) [c][d] [e]: f', '[a&#93;(b) [c&#93;[d] [e&#93;: f'],
    [
      '*a* _b_ ~c~ `d` $e$ <f> &gt; g\\',
      '&#42;a&#42; _b&#95; &#126;c&#126; &#96;d&#96; &#36;e&#36; &#60;f> &#38;gt; g&#92;',
    ],
    ['::error:: http://a.example', '&#58;&#8203;:error&#58;&#8203;: http&#58;&#8203;//a.example'],
    ['@a #1 gh-2 www.a.example', '&#64;&#8203;a &#35;&#8203;1 gh-&#8203;2 www&#8203;.a.example'],
    ['> a', '&#62; a'],
    ['[x] a', '&#91;x] a'],
  ])('%j becomes %j.', (text, shown) => {
    expect(markdownReport(reportOf([failing(text, [])]))).toContain(`**${shown}**`)
  })

  test('it fits into the summary of a job, and says how much is left out.', () => {
    const query = `{\n${'  name\n'.repeat(50)}}`
    const exchanges = Array.from({ length: 4 }, (_, at) => exchangeOf({ request: { query, variables: { at } } }))
    const many = Array.from({ length: 200 }, (_, at) => failing('\u001b'.repeat(300), exchanges, { id: `c-${at}` }))
    const traces = resultOf({ id: 'leaves-no-trace', outcome: 'error', sentence: 'L7 of letter stays.' })
    const markdown = markdownReport(reportOf([...many, traces], { baseUrl: 'https://letters.example/api/v2' }))
    expect(Buffer.byteLength(markdown)).toBeLessThan(1_000_000)
    expect(markdown).toContain('200 promises are broken')
    expect(markdown).toContain('### fail: `c-20`')
    expect(markdown).toContain('L7 of letter stays.')
    expect(markdown).toMatch(/\nThe summary is full; \d+ more are in the text report\.\n$/)
    expect(markdownReport(sample)).not.toContain('is full')
  })
})

test('Secrets are removed from every text of a report.', () => {
  const secret = 's3cret'
  const result = failing(
    `a ${secret}`,
    [
      exchangeOf({
        request: { query: secret, variables: { list: [{ a: secret, b: 1, c: null }] } },
        answer: secret,
      }),
    ],
    { remarks: [secret] },
  )
  const report = {
    ...reportOf([result], { baseUrl: `https://letters.example/${secret}/api/v2` }),
    headers: [
      { name: 'x-tenant', value: `a ${secret}` },
      { name: 'authorization', variable: 'TOKEN' },
    ],
    target: secret,
    verdict: secret,
  }
  const redacted = redactReport(report, (text) => text.replaceAll(secret, '[secret]'))
  expect(JSON.stringify(redacted)).not.toContain(secret)
  expect(redacted.headers).toEqual([
    { name: 'x-tenant', value: 'a [secret]' },
    { name: 'authorization', variable: 'TOKEN' },
  ])
  expect(redacted.results[0]?.findings[0]?.exchanges[0]?.request.variables).toEqual({
    list: [{ a: '[secret]', b: 1, c: null }],
  })
  expect(redactReport(sample, (text) => text)).toEqual(sample)
  // A secret that is part of our own words changes no identity.
  const keysIn = ({ results }: Report) =>
    results.flatMap(({ id, findings }) => findings.map((it) => keyOf({ check: id, ...it })))
  const short = redactReport(sample, (text) => text.replaceAll('letter', '[secret]'))
  expect(keysIn(short)).toEqual(keysIn(sample))
  expect(short.results[2]?.findings[0]?.sentence).toBe('data.[secret]s has 30 elements.')
})
