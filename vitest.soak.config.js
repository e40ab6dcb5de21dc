/** Long repetitions, run before an issue is closed: `npm run soak`. */
import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.js'

export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  defineConfig({ test: { include: ['{src,mocks,contracts}/**/*.soak.ts'], passWithNoTests: true } }),
)
