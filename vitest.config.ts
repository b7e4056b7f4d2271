/** The tests of both workspaces, against the TypeScript sources: `lapidary` means `lapidary/src`. */
import { defineConfig } from 'vitest/config'

const conditions = ['source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['lapidary/test/**/*.test.ts', 'service/test/**/*.test.ts'],
    globalSetup: ['scripts/globalSetup.mjs'],
    pool: 'forks',
    // Vitest leaves one core to itself; most of these tests wait for sockets and processes.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
})
