/** `runContracts` as a library function that may write. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock } from '../../mock/create-mock.js'
import { mockTarget } from '../../mock/mock-target.js'
import { contractChecks, runContracts } from './run-contracts.js'

const small = { counts: { customers: 4, segments: 4, stores: 2, integrations: 1, products: 5 } }
const only = ['create-segment*', 'update-segment*', 'delete-segments']

test('write: a list of names is enough.', async () => {
  const lines: string[] = []
  const report = await runContracts({
    target: createMock(small),
    write: ['segments'],
    only,
    onWarning: (line) => lines.push(line),
  })
  expect([report.exitCode, report.verdict]).toEqual([0, expect.stringMatching(/^No promise is broken/)])
  expect(report.results.map(({ id, outcome }) => `${outcome} ${id}`)).toEqual([
    'pass target-answers',
    'pass create-segment',
    'pass create-segment-node',
    'pass create-segment-list',
    'pass update-segment-rest',
    'pass update-segment',
    'pass delete-segments',
    'pass foreign-data',
    'pass leaves-no-trace',
  ])
  expect(lines[1]).toBe('  segments: a few are created, updated and deleted.')
})

test('write: with options, the ledger is where it is wanted, and is deleted once everything is gone.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-contracts-'))
  const ledger = join(folder, 'ledger.jsonl')
  const target = mockTarget(createMock(small))
  let listed = ''
  const watching: typeof target = {
    ...target,
    send(request, options) {
      if (request.query.includes('createSegment')) listed = readFileSync(ledger, 'utf8')
      return target.send(request, options)
    },
  }
  const write = { resources: ['segments'], ledger, consistencyTimeout: 0 }
  const { exitCode } = await runContracts({ target: watching, write, only })
  expect([exitCode, listed.includes('"kind":"segments"'), existsSync(ledger)]).toEqual([0, true, false])
  rmSync(folder, { recursive: true })
})

test('write: another host must be confirmed.', async () => {
  const target = 'http://staging.test/api/v2'
  await expect(runContracts({ target, write: ['segments'] })).rejects.toThrow('--write would write to staging.test.')
  const write = { resources: ['segments'], confirmHost: 'staging' }
  await expect(runContracts({ target, write })).rejects.toThrow('Both must be equal, including the port.')
})

test('write: an unknown resource is an error.', async () => {
  await expect(runContracts({ write: ['letters'] })).rejects.toThrow(
    'write: "letters" cannot be written. Choose from segments, stores, ',
  )
})

test('Without write no mutation is sent, and no check that writes runs.', async () => {
  const target = mockTarget(createMock(small))
  const sent: string[] = []
  const { results } = await runContracts({
    target: { ...target, send: (request, options) => (sent.push(request.query), target.send(request, options)) },
  })
  expect(sent.filter((it) => it.includes('mutation'))).toEqual([])
  const writing = contractChecks.filter(({ writes }) => writes !== undefined).map(({ id }) => id)
  expect(results.filter(({ id }) => writing.includes(id))).toEqual([])
})
