/** Which part of an answer a finding shows. */
import { expect, test } from 'vitest'
import { cutAround, evidenceFor, focusIn, noteSource, seenIn } from './evidence.js'
import { exchangeOf } from './reports/report.testkit.js'

const letters = Array.from({ length: 100 }, (_, at) => ({ id: `let_${at}`, name: `Letter ${at}`, pages: at % 2 }))
const answer = JSON.stringify({ data: { letters } })

test.each([
  ['data.letters[57].pages is a whole number and must be a string.', '"pages":1},{"id":"let_58"'],
  ['data.letters[57] is an object and must be a string.', '{"id":"let_57"'],
  ['data.letters[57].author is missing.', '{"id":"let_57"'],
  ['The list returns let_57 twice.', 'let_57'],
  ['name of let_57 was sent as "x", and the list has "Letter 57".', '"Letter 57"'],
  ['The list returns "Letter 57" before "Letter 56".', '"Letter 56"'],
])('%s', (sentence, start) => {
  const shown = answer.slice(focusIn(answer, sentence) ?? 0)
  expect(shown.slice(0, start.length)).toBe(start)
})

test('A cut keeps its focus, and says where something is left out.', () => {
  const focus = focusIn(answer, 'The list returns let_57 twice.')
  const cut = cutAround({ answer, focus }, 60)
  expect(cut.answer).toMatch(/^….*let_57.*…$/)
  expect(cut.answer.slice(cut.focus)).toMatch(/^let_57/)
  expect(cutAround({ answer: 'short', focus: 2 }, 60)).toEqual({ answer: 'short', focus: 2 })
  expect(cutAround({ answer, focus: answer.length - 3 }, 60).answer).toHaveLength(61)
  expect(cutAround({ answer }, 60).answer).toMatch(/^\{"data".*…$/)
})

test('Of many pages, those that hold what the sentence names are shown.', () => {
  const pages = ['a_1', 'b_2', 'c_33', 'd_4', 'c_33'].map((id) => exchangeOf({ answer: `{"data":{"id":"${id}"}}` }))
  expect(evidenceFor('The list returns c_33 twice.', pages, undefined).map(({ focus }) => focus)).toEqual([15, 15])
  expect(evidenceFor('It is not the reverse.', pages, undefined)).toHaveLength(5)
})

test('An object knows the request that returned it.', () => {
  const [one, two] = [exchangeOf({ status: 201 }), exchangeOf({ status: 202 })]
  const data = { a: { b: [{ c: 1 }] } }
  noteSource(data, one)
  noteSource(letters, two)
  expect(seenIn(data.a.b[0], null, letters[3])).toEqual([one, two])
  expect(seenIn({}, undefined)).toBeUndefined()
})

test('The last write comes first, unless another write is shown.', () => {
  const write = exchangeOf({ request: { query: 'mutation A { a }' } })
  const [read, other] = [exchangeOf(), exchangeOf({ request: { query: 'mutation B { b }' } })]
  const documents = (...given: Parameters<typeof evidenceFor>) => evidenceFor(...given).map((it) => it.request.query)
  expect(documents('', [read, read], write)).toEqual([write.request.query, read.request.query])
  expect(documents('', [read, other], write)).toEqual([read.request.query, other.request.query])
  expect(documents('', [read], undefined)).toEqual([read.request.query])
})
