/** A seeding that is killed, at any moment, and then run again has made everything once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedCli, seedHere, startSeedServer } from './seed.testkit.js'

type Moment = 'before the mock was asked' | 'once the mock has done it' | 'a little later'

/** Enough for several blocks of the ledger. */
const plan = ['--customers', '140', '--segments', '9', '--stores', '3']

/** Primes spread over the mutations of a run, of which there are some 200. */
const moments = Array.from({ length: 20 }, (_, i): [number, Moment] => [
  1 + ((i * 67) % 190),
  (['before the mock was asked', 'once the mock has done it', 'a little later'] as const)[i % 3] as Moment,
])

test.concurrent.each(moments)('Killed at mutation %i, %s', async (at, moment) => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-seed-kill-'))
  const server = await startSeedServer()
  let kill = () => {}
  server.faults = {
    before: (n) => {
      if (n === at && moment === 'before the mock was asked') kill()
      if (n === at && moment === 'a little later') setTimeout(kill, 7)
      return false
    },
    after: (n) => (n === at && moment === 'once the mock has done it' && kill(), false),
  }
  const words = [
    '--base-url',
    server.url,
    ...plan,
    '--consistency-timeout',
    '100ms',
    '--ledger',
    join(folder, 'ledger.jsonl'),
  ]
  try {
    const killed = await seedCli(words, {
      meanwhile: (child) => (kill = () => child.kill('SIGKILL')),
    })
    expect(killed.code).toBe(null)
    server.faults = {}
    const { code, stderr } = await seedHere(words, {})
    expect([code, stderr]).toEqual([0, ''])
    const emails = await server.emails()
    const { stores, segments } = await server.names()
    expect([emails.length, new Set(emails).size]).toEqual([140, 140])
    expect([stores.length, new Set(stores).size, segments.length, new Set(segments).size]).toEqual([3, 3, 9, 9])
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})
