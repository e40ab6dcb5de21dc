/** The ledger: what was sent is known after a crash, and nothing else is believed. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLedger, openLedger, readLedger } from './ledger.js'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  path = join(folder, 'of', 'letters.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const head = { run: 'r1', baseUrl: 'http://localhost/api/v2', by: 'check' }

/** A ledger with one letter made, one that failed and one of which nothing is known. */
function written() {
  const ledger = createLedger(path, head)
  ledger.intend([{ kind: 'letters', mark: 'cm-letter-1' }])
  ledger.settle(1, 'made', 'id-a')
  ledger.intend([
    { kind: 'letters', mark: 'cm-letter-2', keep: { before: 'x' } },
    { kind: 'letters', mark: 'cm-letter-3' },
  ])
  ledger.settle(2, 'failed')
  ledger.close()
}

const states = () => readLedger(path).entries.map(({ n, mark, state, id }) => [n, mark, state, id])

test('What was written is read again.', () => {
  written()
  expect(readLedger(path).head).toEqual(head)
  expect(states()).toEqual([
    [1, 'cm-letter-1', 'made', 'id-a'],
    [2, 'cm-letter-2', 'failed', undefined],
    [3, 'cm-letter-3', 'intended', undefined],
  ])
  expect(readLedger(path).entries[1]?.keep).toEqual({ before: 'x' })
})

test('What is noted later of how to undo it goes over what was known before, and changes no state.', () => {
  written()
  const again = openLedger(path)
  again.note(1, { before: 'y' })
  again.note(2, { before: 'z' })
  again.close()
  expect(readLedger(path).entries.map(({ state, keep }) => [state, keep])).toEqual([
    ['made', { before: 'y' }],
    ['failed', { before: 'z' }],
    ['intended', undefined],
  ])
})

test('An intent is in the file before anything is sent.', () => {
  const ledger = createLedger(path, head)
  ledger.intend([{ kind: 'letters', mark: 'cm-letter-1' }])
  expect(states()).toEqual([[1, 'cm-letter-1', 'intended', undefined]])
  ledger.close()
})

test('What an editor puts around the lines is passed over.', () => {
  written()
  const before = states()
  writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}\n  \n`)
  expect(states()).toEqual(before)
})

test('A ledger that is opened again goes on where it ended.', () => {
  written()
  const again = openLedger(path)
  again.settle(3, 'made', 'id-c')
  again.intend([{ kind: 'letters', mark: 'cm-letter-4' }])
  again.settle(1, 'undone')
  again.close()
  expect(states()).toEqual([
    [1, 'cm-letter-1', 'undone', 'id-a'],
    [2, 'cm-letter-2', 'failed', undefined],
    [3, 'cm-letter-3', 'made', 'id-c'],
    [4, 'cm-letter-4', 'intended', undefined],
  ])
})

test('What does harm is known to whoever opens it again.', () => {
  written()
  const ledger = openLedger(path)
  ledger.bar('DeleteLetters', 'letter z was gone.')
  ledger.close()
  const again = openLedger(path)
  expect([...again.barred()]).toEqual([['DeleteLetters', 'letter z was gone.']])
  again.close()
  expect(states().length).toBe(3)
})

test('Torn at any byte, it still says what was sent, and goes on.', () => {
  written()
  const whole = readFileSync(path)
  const firstLine = whole.indexOf('\n') + 1
  for (let length = firstLine; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length))
    const before = states()
    const again = openLedger(path)
    again.intend([{ kind: 'letters', mark: 'cm-letter-9' }])
    again.close()
    expect(states().slice(0, -1)).toEqual(before)
    expect(states().at(-1)?.[1]).toBe('cm-letter-9')
  }
})

describe('What is no ledger of ours is refused in one line', () => {
  test('when there is none', () => {
    expect(() => readLedger(path)).toThrow(`The ledger ${path} does not exist.`)
  })

  test('when there is one already', () => {
    written()
    expect(() => createLedger(path, head)).toThrow(`The ledger ${path} cannot be made: it is there already.`)
  })

  test.each([
    ['', 'is no ledger of commerce-mock.'],
    ['{"a":1}\n', 'is no ledger of commerce-mock.'],
    ['nonsense\n', 'is no ledger of commerce-mock.'],
    ['{"ledger":2,"run":"r1"}\n', 'was written by another version of commerce-mock. Use that one.'],
  ])('when it holds %j', (text, complaint) => {
    written()
    writeFileSync(path, text)
    expect(() => openLedger(path)).toThrow(complaint)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test.each(['nonsense\n', '{}\n', '{"n":9,"state":"made"}\n', '[1]\n'])('when a line is %j', (line) => {
    written()
    appendFileSync(path, line)
    expect(() => openLedger(path)).toThrow(/is damaged in line 7\. Mend that line/)
  })

  test.each(['Summer', 'cm-letter-1 and more', 'CM-LETTER-1', 7])('when a mark is %j, which no run writes', (mark) => {
    written()
    appendFileSync(path, `${JSON.stringify({ n: 9, kind: 'letters', mark })}\n`)
    expect(() => openLedger(path)).toThrow(/is damaged in line 7\. Mend that line/)
  })

  test('when a byte in the middle was lost', () => {
    written()
    const text = readFileSync(path, 'utf8')
    truncateSync(path, 0)
    writeFileSync(path, text.replace('"mark":"', '"mark:"'))
    expect(() => readLedger(path)).toThrow('is damaged in line 2.')
  })
})
