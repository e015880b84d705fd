import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const project = (name: string, root: string) => ({
  test: { name, root, include: ['{src,test}/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 30_000 },
})

export default defineConfig({
  test: {
    // All cores: one less, the runner's own choice, halves the speed of two.
    maxWorkers: availableParallelism(),
    projects: [
      project('contract', './packages/contract'),
      project('storage', './packages/storage'),
      project('cypher', './packages/cypher'),
      project('domain', './packages/domain'),
      project('client', './packages/client'),
      project('http', './apps/http'),
      project('mcp', './apps/mcp'),
      project('cli', './apps/cli'),
    ],
  },
})
