/** Long repetitions, run before an issue is closed: `npm run soak`. */
import { defineConfig } from 'vitest/config'
import config from './vitest.config.js'

export default defineConfig({
  ...config,
  // With SOAK, `writer.test.ts` interrupts a run at every write instead of a sixteenth of them, and the tests of `control/` have more runs.
  test: {
    ...config.test,
    include: [
      '{src,mocks,contracts}/**/*.soak.ts',
      'src/writing/writer.test.ts',
      'src/control/replay.test.ts',
      'src/control/sessions.test.ts',
    ],
    env: { SOAK: '1' },
    // One after another: some take all processors, and some look at how long an answer takes.
    fileParallelism: false,
  },
})
