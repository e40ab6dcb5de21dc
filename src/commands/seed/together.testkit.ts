/** Two runs of `seed` that are started together, killed at random moments, and run again until they end by themselves. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ran } from '../cli.testkit.js'
import { createRng } from '../../world/rng.js'
import { seedCli, startSeedServer } from './seed.testkit.js'

const counts = { customers: 40, segments: 6, stores: 2 }
const total = 48

/** Returns how often a run was killed, how the last ones ended, and what the server has twice or not at all. */
export async function twoTogether(round: number) {
  const rng = createRng()
  rng.seek(round * 7919)
  const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-together-'))
  const server = await startSeedServer()
  // In every fourth round, the server still works when the next run begins.
  server.latency = () => (round % 4 === 0 ? rng.between(300, 450) : rng.between(0, 40))
  const words = Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)])
  const paths = ['--base-url', server.url, '--consistency-timeout', '500ms', ...words]
  const kills = new Map<string, () => void>()
  /** The mutations at which one of the runs is killed, the first one often. */
  const moments = new Set(Array.from({ length: 3 }, () => (rng.chance(0.3) ? 1 : rng.between(1, total))))
  let killed = 0
  server.faults = {
    before: (n) => {
      if (moments.has(n)) kills.get(rng.pick(['one', 'two']))?.()
      return false
    },
  }
  const run = async (name: string): Promise<Ran> => {
    const cwd = join(folder, name)
    mkdirSync(cwd, { recursive: true })
    const meanwhile = (child: { kill(signal: NodeJS.Signals): void }) =>
      void kills.set(name, () => child.kill('SIGKILL'))
    const ran = await seedCli(paths, { cwd, meanwhile })
    const { code } = ran
    if (code === null) killed += 1
    return code === null ? run(name) : ran
  }
  try {
    const ended = await Promise.all(['one', 'two'].map(run))
    const [emails, { stores, segments }] = [await server.emails(), await server.names()]
    return {
      killed,
      codes: ended.map(({ code }) => code).toSorted(),
      unexpected: ended
        .map(({ stderr }) => stderr)
        .filter((it) => it !== '' && !/Waiting for another run|exists already/.test(it)),
      distinct: [emails, segments, stores].map((it) => [it.length, new Set(it).size]),
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

export const everyRowOnce = Object.values(counts).map((it) => [it, it])
