import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

/** The files that take longest. Vitest begins with the largest ones, and would wait for one of these at the end. */
const longest = [
  'contracts/mutants/variants/variants.test.ts',
  'src/commands/seed/seed.test.ts',
  'src/server/hostile.test.ts',
  'src/commands/package.test.ts',
  'contracts/writing.test.ts',
  'src/docs.test.ts',
  'src/helpers/playwright.test.ts',
  'src/commands/check/reports.test.ts',
]

class LongestFirst extends BaseSequencer {
  async sort(files) {
    const rankOf = ({ moduleId }) => longest.findIndex((it) => moduleId.endsWith(it)) + 1 || 99
    // Stable, so that the others stay in their order.
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}

export default defineConfig({
  resolve: {
    // Vitest would load the ES module of graphql beside the CommonJS one that Node gives to our dependencies,
    // and two copies do not know each other's types.
    alias: [
      { find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) },
    ],
  },
  test: {
    include: ['{src,mocks,contracts}/**/*.test.ts'],
    // The files of a worker share the modules that it has loaded: loading them again for each file took half of the time.
    // So a test changes nothing outside of its own objects, or restores it.
    isolate: false,
    // Many tests wait for a process or a timer.
    maxWorkers: availableParallelism() + 1,
    // Fewer garbage collections, and graphql-js does not look for a second copy of itself at every type, as in the command.
    execArgv: ['--max-semi-space-size=32'],
    env: { NODE_ENV: 'production' },
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
