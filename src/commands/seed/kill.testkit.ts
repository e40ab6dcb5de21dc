/** A seeding that is killed and run again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedCli, seedHere, startSeedServer } from './seed.testkit.js'

export type Moment = 'before the server handles it' | 'after the server handled it' | 'a little later'

/** Kills a run at a mutation, runs it again, and returns what the server has then. */
export async function killedAndContinued(at: number, moment: Moment) {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-seed-kill-'))
  const server = await startSeedServer()
  let kill = () => {}
  server.faults = {
    before: (n) => {
      if (n === at && moment === 'before the server handles it') kill()
      if (n === at && moment === 'a little later') setTimeout(kill, 7)
      return false
    },
    after: (n) => (n === at && moment === 'after the server handled it' && kill(), false),
  }
  const counts = ['--customers', '140', '--segments', '9', '--stores', '3']
  const paths = ['--base-url', server.url, '--ledger', join(folder, 'ledger.jsonl')]
  const words = [...paths, ...counts, '--consistency-timeout', '100ms']
  try {
    const killed = await seedCli(words, { meanwhile: (child) => (kill = () => child.kill('SIGKILL')) })
    server.faults = {}
    const { code, stderr } = await seedHere(words, {})
    const emails = await server.emails()
    const { stores, segments } = await server.names()
    const distinct = [emails, stores, segments].map((it) => [it.length, new Set(it).size])
    return { killed: killed.code, code, stderr, distinct }
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** Everything exists once. */
export const everythingOnce = {
  killed: null,
  code: 0,
  stderr: '',
  distinct: [
    [140, 140],
    [3, 3],
    [9, 9],
  ],
}
