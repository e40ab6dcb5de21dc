import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that change nothing outside of their own objects share the modules that a worker has loaded. */
const pure = ['src/{shared,schema,world,contract}/**/*.test.ts', '{mocks,contracts}/**/*.test.ts']

export default defineConfig({
  resolve: {
    // Vitest would load the ES module of graphql beside the CommonJS one that Node gives to our dependencies,
    // and two copies do not know each other's types.
    alias: [
      { find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) },
    ],
  },
  test: {
    // Without this, a machine of two cores would use one.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'rest', include: ['{src,mocks,contracts}/**/*.test.ts'], exclude: pure } },
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
