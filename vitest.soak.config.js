/** Long repetitions, run before an issue is closed: `npm run soak`. */
import { defineConfig } from 'vitest/config'
import config from './vitest.config.js'

const { projects: _, ...test } = config.test

export default defineConfig({
  ...config,
  test: { ...test, include: ['{src,mocks,contracts}/**/*.soak.ts'], passWithNoTests: true },
})
