/** The HTML report as a text: its size, and how it shows JSON. How a browser shows it is tested with the command. */
import { describe, expect, test } from 'vitest'
import { excerptOf, markedJson } from './html/json.js'
import { html } from './html/markup.js'
import { htmlReport } from './html.js'
import { exchangeOf, failing, reportOf, sample } from './report.testkit.js'

test('Everything about a run is in it, once.', () => {
  const text = htmlReport(sample)
  for (const { id } of sample.results) expect(text.split(` id="check-${id}"`)).toHaveLength(2)
  for (const it of ['too-many-letters', 'Letter.stamp', 'No check sent it.', '3 retries', 'Ticket 7.']) {
    expect(text).toContain(it)
  }
  expect(text).toContain('<b class="change fixed">fixed</b>')
  expect(htmlReport(reportOf([]))).toContain('No check ran.')
})

test('Of many changes it lists some.', () => {
  const made = Array.from({ length: 300 }, (_, n) => ({ check: `c-${n}`, code: 'c', at: 'A', sentence: 'It is new.' }))
  const found = made.map((it) => ({ ...it, kind: 'failure' as const }))
  const text = htmlReport({ ...sample, comparison: { ...sample.comparison!, new: found } })
  expect(text).toContain('200 more are in the JSON report.')
})

test('Of a run in which everything is broken, it has a few hundred kilobytes and says what it leaves out.', () => {
  const exchanges = [1, 2, 3, 4].map((first) =>
    exchangeOf({ request: { query: '{ letters { name } }', variables: { first } }, answer: '<'.repeat(4000) }),
  )
  const broken = Array.from({ length: 200 }, (_, at) => {
    const [finding] = failing(`It is ${'long '.repeat(200)}`, exchanges).findings
    const findings = Array.from({ length: 60 }, (_, n) => ({ ...finding!, code: `code-${n}`, exchanges }))
    return failing('It is long.', exchanges, { id: `letter-${at}`, findings })
  })
  const text = htmlReport(reportOf(broken))
  expect(text.length).toBeGreaterThan(200_000)
  expect(text.length).toBeLessThan(600_000)
  expect(text).toContain('Left out, because the report is long: 59 more findings, requests of 1 finding.')
  expect(text).toMatch(/The report is full; \d+ more checks are in the JSON report\./)
})

describe('JSON is indented, and what matters is marked', () => {
  const shown = (text: string, ...focuses: number[]) => html`${markedJson(text, focuses)}`.text.replaceAll('&#34;', '"')
  const long = 'x'.repeat(80)

  test('if it is whole.', () => {
    const text = `{"data":{"a":[{"b":1,"c":"${long}"},{"b":[]}]}}`
    expect(shown(text, text.indexOf('"b":1'), text.lastIndexOf('b"')).split('\n')).toEqual([
      '{',
      '  "data": {',
      '    "a": [',
      '      {',
      '        <mark>"b": 1</mark>,',
      `        "c": "${long}"`,
      '      },',
      '      {<mark>"b": []</mark>}',
      '    ]',
      '  }',
      '}',
    ])
  })

  test('if it is cut inside a text.', () => {
    const text = `…x,{","b":"}"},{"b":"${long}"}]}…`
    expect(shown(text, text.indexOf(long)).split('\n')).toEqual([
      '…x,{",',
      '      "b": "}"',
      '    },',
      '    {',
      `      "b": <mark>"${long}"</mark>`,
      '    }',
      '  ]',
      '}…',
    ])
  })

  test('unless it is something else.', () => {
    expect(shown('<p class "a":>', 3)).toBe('&#60;p <mark>class</mark> "a":&#62;')
  })

  test('and an excerpt begins with an object.', () => {
    const answer = `{"a":[${`{"b":"${long}"},`.repeat(40)}{"b":2}]}`
    const { answer: part, focus } = excerptOf({ answer, focus: answer.indexOf('"b":2') }, 300)
    expect([part.startsWith('…{"b":"x'), part.slice(focus), part.length < 310]).toEqual([true, '"b":2}]}', true])
  })
})
