/** Text of a hostile server cannot control a terminal or a CI service, or become XML or Markdown markup. */
import { execFileSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { parse as parseJunit, type TestSuites } from 'junit2json'
import { mergeToString } from 'junit-report-merger'
import { describe, expect, test } from 'vitest'
import { annotations } from './annotations.js'
import { htmlReport } from './html.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { markdownReport } from './markdown.js'
import { hostile, sample } from './report.testkit.js'
import { textReport } from './text.js'

const forms: readonly (readonly [string, string])[] = [
  ['text', textReport(hostile, { verbose: true, color: false })],
  ['JSON', jsonReport(hostile)],
  ['JUnit', junitReport(hostile)],
  ['Markdown', markdownReport(hostile)],
  ['HTML', htmlReport(hostile)],
  ['annotations', annotations(hostile, { GITHUB_ACTIONS: 'true' })],
]

describe.each(forms)('As %s', (name, text) => {
  test('it has no control or invisible character.', () => {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
  })

  test('no line is a command to a CI service, except ours.', () => {
    const lines = text.split('\n')
    const commands = lines.filter((it) => /^\s*::|##\w*\[/.test(it))
    expect(commands).toEqual(name === 'annotations' ? lines.slice(0, -1) : [])
    if (name === 'annotations')
      for (const it of commands) expect(it).toMatch(/^::(?:error|warning) title=contract \w+::/)
  })

  // The context of a check has cut the answers in JSON.
  test.skipIf(name === 'JSON')('an answer of megabytes is cut.', () => expect(text.length).toBeLessThan(60_000))
})

test('Colors are the only escape sequences.', () => {
  const colored = textReport(hostile, { verbose: true, color: true })
  // Escapes of the server are shown as numbers, so this strips only ours.
  expect(stripVTControlCharacters(colored)).toBe(forms[0]?.[1])
})

test('JSON has no lone surrogate, not even escaped.', () => {
  const again = JSON.stringify(JSON.parse(jsonReport(hostile)))
  expect(again).toContain('\ufffd')
  expect(again).not.toMatch(/(?<!\\)\\ud[89a-f]/i)
})

/** The elements of the JUnit schema of Jenkins (junit-10.xsd of its xUnit plugin): their attributes and children. */
const junitSchema: Readonly<Record<string, readonly [attributes: string, children: string]>> = {
  '': ['', 'testsuites'],
  testsuites: ['name time tests failures errors', 'testsuite'],
  testsuite: [
    'name time tests failures errors skipped timestamp hostname id package',
    'testcase system-out system-err',
  ],
  testcase: ['name time classname group', 'skipped error failure system-out system-err'],
  failure: ['type message', ''],
  error: ['type message', ''],
  skipped: ['type message', ''],
  'system-out': ['', ''],
}
const listed = (words: string | undefined, word: string) => words?.split(' ').includes(word)

test.each([hostile, sample])(
  'JUnit is well-formed XML 1.0, and has the form that Jenkins and GitLab read.',
  (report) => {
    const xml = junitReport(report)
    expect(xml).not.toMatch(/[\ufffe\uffff]/)
    // Remove the tags; what is left must hold no markup.
    const open: string[] = []
    const rest = xml
      .replace(/^<\?xml [^>]*\?>/, '')
      .replace(/<(\/?)([\w-]+)((?: \w+="[^"<>]*")*)(\/?)>/g, (_, end, name: string, values: string, empty) => {
        if (!end) expect(listed(junitSchema[open.at(-1) ?? '']?.[1], name), name).toBe(true)
        for (const [, it = ''] of values.matchAll(/ (\w+)="[^"]*"/g))
          expect(listed(junitSchema[name]?.[0], it), it).toBe(true)
        if (end) expect(open.pop()).toBe(name)
        else if (!empty) open.push(name)
        return ''
      })
    expect(open).toEqual([])
    expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#10;|#35;)/)
    // GitLab compares tests by class and name.
    const cases = xml.match(/<testcase [^>]*? name="[^"]*"/g) ?? []
    expect([cases.length, new Set(cases).size]).toEqual([report.results.length, report.results.length])
  },
)

test('Programs that read JUnit count what we count, also in two reports that are merged.', async () => {
  for (const report of [hostile, sample]) {
    const { fail, error } = report.totals
    const xml = junitReport(report)
    const { tests = 0, ...read } = (await parseJunit(xml)) as TestSuites
    const [suite] = read.testsuite ?? []
    expect([tests, read.failures, suite?.testcase?.length]).toEqual([report.results.length, fail, tests])
    const having = (element: 'failure' | 'error' | 'skipped') => suite?.testcase?.filter((it) => it[element]).length
    expect([having('failure'), having('error'), having('skipped')]).toEqual([fail, read.errors, suite?.skipped])
    expect(read.errors).toBeLessThanOrEqual(error)
    const merged = (await parseJunit(await mergeToString([xml, xml], { sumTime: true }))) as TestSuites
    const cases = merged.testsuite?.flatMap(({ testcase = [] }) => testcase)
    expect([merged.tests, merged.failures, cases?.length]).toEqual([2 * tests, 2 * fail, 2 * tests])
  }
})

describe('In Markdown', () => {
  const outside: string[] = []
  let fence: string | undefined
  for (const it of markdownReport(hostile).split('\n')) {
    const run = /^`{3,}/.exec(it)?.[0]
    if (fence === undefined && run) fence = run
    else if (fence !== undefined && it === fence) fence = undefined
    else if (fence === undefined) outside.push(it.replace(/`[^`]+`/g, ''))
  }
  const text = outside.join('\n')

  test('every fence is closed.', () => expect(fence).toBeUndefined())

  test('there is no HTML except ours.', () => {
    expect(text.replace(/<\/?(?:details|summary)>/g, '')).not.toContain('<')
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length)
  })

  test('there is no link, mention, image or entity of the server.', () => {
    expect(text).not.toMatch(/\][([:]|\\[!-/:-@[-`{-~]|https?:\/\/|www\.|@|gh-\d|[`~$]|\w_(?![\p{L}\p{N}])/iu)
    expect(text).not.toMatch(/&#(?:35|64);(?!&#8203;)|&(?!#\d+;)/)
    expect(text.split('\n').filter((it) => it.startsWith('#'))).toEqual(
      outside.filter((it) => /^(?:## Contracts: broken|### (?:\w+: |Since the run of [\d :-]+))$/.test(it)),
    )
  })
})

test('A curl line of a hostile request runs no command but curl.', () => {
  const lines = textReport(hostile, { verbose: false, color: false })
    .split('\n')
    .filter((it) => /^ *curl /.test(it))
  expect(lines.length).toBeGreaterThan(0)
  const script = `curl() { printf 'curl\\n'; }; PATH=; ${lines.join('\n')}`
  const out = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  expect(out).toBe('curl\n'.repeat(lines.length))
})
