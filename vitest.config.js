import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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
    // Without this, a machine of two cores would use one.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
