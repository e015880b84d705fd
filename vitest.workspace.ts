import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Ends a test that would wait for ever, ms; on a machine busy with other work none comes near it. */
const limit = 60_000

const project = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: ['{src,test,node}/**/*.test.ts'],
    // Files share what they import, which took a fifth of the time: no test may leave anything behind in a module.
    isolate: false,
    testTimeout: limit,
    hookTimeout: limit,
    expect: { poll: { timeout: limit - 15_000, interval: 5 } },
  },
})

export default defineConfig({
  test: {
    // All cores: one less, the runner's own choice, halves the speed of two.
    maxWorkers: availableParallelism(),
    globalSetup: ['./apps/cli/test/support/postgres-server.ts'],
    projects: [
      project('contract', './packages/contract'),
      project('storage', './packages/storage'),
      project('cypher', './packages/cypher'),
      project('importers', './packages/importers'),
      project('domain', './packages/domain'),
      project('client', './packages/client'),
      project('http', './apps/http'),
      project('mcp', './apps/mcp'),
      project('web', './apps/web'),
      project('cli', './apps/cli'),
    ],
  },
})
