/** The ledger and its lock, with real files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLedger, openLedger, readLedger } from './ledger.js'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  path = join(folder, 'of', 'letters.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const head = { run: 'r1', baseUrl: 'http://localhost/api/v2', by: 'check' }
const letter = (n: number) => ({ kind: 'letters', key: `cm-letter-${n}` })
const open = () => openLedger(path, 'check')

/** One letter that was made, one that failed, and one in doubt. */
function written() {
  const ledger = createLedger(path, head)
  ledger.intend([letter(1)])
  ledger.record(1, 'created', 'id-a')
  ledger.intend([{ ...letter(2), keep: { before: 'x' } }, letter(3)])
  ledger.record(2, 'failed')
  ledger.close()
}

const states = () => [...readLedger(path, 'check').entries.values()].map(({ n, key, state, id }) => [n, key, state, id])

test('A ledger reads back what was written.', () => {
  written()
  expect(readLedger(path, 'check').head).toEqual(head)
  expect(states()).toEqual([
    [1, 'cm-letter-1', 'created', 'id-a'],
    [2, 'cm-letter-2', 'failed', undefined],
    [3, 'cm-letter-3', 'intended', undefined],
  ])
  expect(readLedger(path, 'check').entries.get(2)?.keep).toEqual({ before: 'x' })
})

test('The format on disk is the one of version 0.1.0.', () => {
  written()
  expect(readFileSync(path, 'utf8')).toMatchInlineSnapshot(`
    "{"ledger":1,"run":"r1","baseUrl":"http://localhost/api/v2","by":"check"}
    {"n":1,"kind":"letters","mark":"cm-letter-1"}
    {"n":1,"state":"made","id":"id-a"}
    {"n":2,"kind":"letters","mark":"cm-letter-2","keep":{"before":"x"}}
    {"n":3,"kind":"letters","mark":"cm-letter-3"}
    {"n":2,"state":"failed"}
    "
  `)
})

test('A note replaces what cleanup has to know, and keeps the state.', () => {
  written()
  const again = open()
  again.note(1, { before: 'y' })
  again.note(2, { before: 'z' })
  again.close()
  expect([...readLedger(path, 'check').entries.values()].map(({ state, keep }) => [state, keep])).toEqual([
    ['created', { before: 'y' }],
    ['failed', { before: 'z' }],
    ['intended', undefined],
  ])
})

test('An intent is in the file when `intend` returns.', () => {
  const ledger = createLedger(path, head)
  ledger.intend([letter(1)])
  expect(states()).toEqual([[1, 'cm-letter-1', 'intended', undefined]])
  ledger.close()
})

test('An intent can have a number of its own, and be repeated.', () => {
  const ledger = createLedger(path, head)
  ledger.intend([{ ...letter(7), n: 7 }])
  ledger.record(7, 'absent', 'id-a')
  ledger.intend([{ ...letter(7), n: 7 }])
  expect(ledger.entry(7)).toEqual({ ...letter(7), n: 7, state: 'intended' })
  expect(ledger.intend([letter(8)])[0]?.n).toBe(8)
  ledger.close()
})

test('A byte order mark, carriage returns and empty lines are ignored.', () => {
  written()
  const before = states()
  writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}\n  \n`)
  expect(states()).toEqual(before)
})

test('A ledger that is opened again continues.', () => {
  written()
  const again = open()
  again.record(3, 'created', 'id-c')
  again.intend([letter(4)])
  again.record(1, 'absent')
  again.close()
  expect(states()).toEqual([
    [1, 'cm-letter-1', 'absent', 'id-a'],
    [2, 'cm-letter-2', 'failed', undefined],
    [3, 'cm-letter-3', 'created', 'id-c'],
    [4, 'cm-letter-4', 'intended', undefined],
  ])
})

test('An operation that version 0.1.0 barred stays blocked.', () => {
  written()
  appendFileSync(path, '{"barred":"DeleteLetters","words":"It deleted letter z."}\n')
  const again = open()
  expect([...again.blocked]).toEqual([['DeleteLetters', 'It deleted letter z.']])
  again.close()
})

test('A ledger that is torn at any byte opens and continues.', () => {
  written()
  const whole = readFileSync(path)
  for (let length = whole.indexOf('\n') + 1; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length))
    const before = states()
    const again = open()
    again.intend([letter(9)])
    again.close()
    expect(states().slice(0, -1)).toEqual(before)
    expect(states().at(-1)?.[1]).toBe('cm-letter-9')
  }
})

test('After the ledger is closed, `intend` throws and an outcome is ignored.', () => {
  const ledger = createLedger(path, head)
  ledger.intend([letter(1)])
  ledger.close()
  const { size } = statSync(path)
  expect(() => ledger.intend([letter(2)])).toThrow(`The ledger ${path} is closed.`)
  ledger.record(1, 'created', 'late')
  expect(statSync(path).size).toBe(size)
})

describe('A file that is not a ledger of this command is refused in one line', () => {
  test('if it does not exist', () => {
    expect(open).toThrow(`The ledger ${path} does not exist.`)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('if it is a folder', () => {
    expect(() => openLedger(folder, 'check')).toThrow(`The ledger ${folder} is not a file.`)
  })

  test('if it exists already', () => {
    written()
    expect(() => createLedger(path, head)).toThrow(`The ledger ${path} cannot be created: it exists already.`)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('if its folder is a file', () => {
    writeFileSync(join(folder, 'of'), '')
    expect(() => createLedger(path, head)).toThrow(/^The folder .* cannot be created: a file is in the way\.$/)
  })

  test.each([
    ['', 'has no complete line: its run ended before it sent anything. Delete the file and run again.'],
    ['{"ledger":1,"ru', 'has no complete line'],
    ['{"a":1}\n', 'is not a ledger of commerce-mock.'],
    ['nonsense\n', 'is not a ledger of commerce-mock.'],
    ['{"ledger":2,"run":"r1"}\n', 'was written by another version of commerce-mock. Use that version.'],
    ['{"ledger":1,"by":"seed"}\n', 'is a ledger of seed, not of check. To clean it up: commerce-mock seed cleanup'],
  ])('if it holds %j', (text, message) => {
    written()
    writeFileSync(path, text)
    expect(open).toThrow(message)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test.each([
    'nonsense\n',
    '{}\n',
    '{"n":9,"state":"made"}\n',
    '{"n":1,"state":"burnt"}\n',
    '[1]\n',
    ...['Summer', 'cm-letter-1 and more', 'CM-LETTER-1', 7].map(
      (mark) => `${JSON.stringify({ n: 9, kind: 'letters', mark })}\n`,
    ),
  ])('if a line is %j', (line) => {
    written()
    appendFileSync(path, line)
    expect(open).toThrow(/is damaged at line 7; nothing was sent\. Repair the line/)
  })
})

describe('The lock', () => {
  const lock = () => `${path}.lock`

  test('refuses a second process, by name', () => {
    written()
    writeFileSync(lock(), JSON.stringify({ pid: process.ppid, host: hostname(), since: 'noon' }))
    expect(open).toThrow(
      `in use by process ${process.ppid}, since noon. Wait until it ends; if it has ended, delete ${lock()}.`,
    )
    writeFileSync(lock(), JSON.stringify({ pid: 4_000_000, host: 'elsewhere', since: 'noon' }))
    expect(open).toThrow('in use by process 4000000 on elsewhere, since noon.')
    writeFileSync(lock(), '')
    expect(open).toThrow('in use by another process.')
  })

  test.runIf(process.platform === 'linux')(
    'is taken over from a process that has ended, if its parent did not notice',
    async () => {
      written()
      // sh starts a process that ends, and becomes a program that does not wait for it.
      const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'])
      const [pid] = (await once(parent.stdout, 'data')) as [Buffer]
      await vi.waitUntil(() => readFileSync(`/proc/${Number(pid)}/stat`, 'utf8').includes(') Z '))
      writeFileSync(lock(), JSON.stringify({ pid: Number(pid), host: hostname(), since: 'noon' }))
      expect(open).not.toThrow()
      parent.kill()
    },
  )

  test.each([4_000_000, process.pid])('is taken over from process %i, which has ended, and released', (pid) => {
    written()
    writeFileSync(lock(), JSON.stringify({ pid, host: hostname(), since: 'noon' }))
    const ledger = open()
    expect(readFileSync(lock(), 'utf8')).toContain(`"pid":${process.pid},`)
    expect(readFileSync(lock(), 'utf8')).not.toContain('noon')
    ledger.close()
    expect(existsSync(lock())).toBe(false)
  })
})
