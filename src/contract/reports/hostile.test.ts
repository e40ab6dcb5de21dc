/** Text of a hostile server cannot control a terminal or a CI service, or become XML or Markdown markup. */
import { execFileSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { annotations } from './annotations.js'
import { htmlReport } from './html.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { markdownReport } from './markdown.js'
import { hostile } from './report.testkit.js'
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

test('JUnit is well-formed XML 1.0.', () => {
  const xml = junitReport(hostile)
  expect(xml).not.toMatch(/[\ufffe\uffff]/)
  // Remove the tags; what is left must hold no markup.
  const open: string[] = []
  const rest = xml
    .replace(/^<\?xml [^>]*\?>/, '')
    .replace(/<(\/?)([\w-]+)((?: \w+="[^"<>]*")*)(\/?)>/g, (_, end, name: string, _values, empty) => {
      if (end) expect(open.pop()).toBe(name)
      else if (!empty) open.push(name)
      return ''
    })
  expect(open).toEqual([])
  expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#10;|#35;)/)
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
    expect(text).not.toMatch(/\]\(|https?:\/\/|www\.|@|gh-\d|[`~$[\]\\]/i)
    expect(text).not.toMatch(/&#(?:35|64);(?!&#8203;)|&(?!#\d+;)/)
    expect(text.split('\n').filter((it) => it.startsWith('#'))).toEqual(
      outside.filter((it) => /^(?:## Contracts: broken|### \w+: )$/.test(it)),
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
