import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './apps/cli/test/support/longest-first.ts'
import { isWholeRun } from './apps/cli/test/support/whole-run.ts'

// Each worker imports the same files: one strips them of their types and compiles them for all, and for the next run.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/tests')

/** Ends a test that would wait for ever, ms; on a machine busy with other work none comes near it. */
const limit = 60_000

/** What a whole `pnpm test` leaves to `pnpm test:all`, beside all that needs a browser or PostgreSQL. */
const leftToAll = [
  // The installed package, attacked, killed, and on broken disks: tens of seconds of waiting for processes.
  ...['package', 'attack', 'durability', 'fault-table', 'faults', 'files', 'full-disk', 'watchdog', '*-crash'],
  // Boards that are large, drawn by chance or moved by the dozen, and readers on a megabyte: each fills a core for long.
  ...['agent-cost', 'board-removal', 'copied-boards', 'drawn-analytics', 'free-ids'],
  ...['import-into-board', 'import-judging', 'linear-readers', 'prototypes', 'round-trips'],
  // What is true of the sources, whatever they do: `pnpm check` looks at it first.
  ...['citations', 'distribution', 'docs', 'expressions', 'house', 'imports', 'links', 'paths-from-outside'],
].map(name => `test/${name}.test.ts`)

const project = (name: string, root: string, isQuick: boolean) => ({
  test: {
    name,
    root,
    include: ['{src,test,node,lab}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isQuick && isWholeRun() ? leftToAll : [])],
    env: { SPECBOARD_TESTS: isQuick ? 'quick' : 'all' },
    // Files share what they import, which took a fifth of the time: no test may leave anything behind in a module.
    isolate: false,
    // Node imports the files itself: making and loading them with Vite took a sixth of the time.
    experimental: { viteModuleRunner: false },
    testTimeout: limit,
    hookTimeout: limit,
    expect: { poll: { timeout: limit - 15_000, interval: 5 } },
  },
})

const projects = {
  contract: './packages/contract',
  storage: './packages/storage',
  cypher: './packages/cypher',
  importers: './packages/importers',
  domain: './packages/domain',
  client: './packages/client',
  http: './apps/http',
  mcp: './apps/mcp',
  web: './apps/web',
  cli: './apps/cli',
  tools: './tools',
}

/** `pnpm test` runs in the mode `quick`, without a browser and PostgreSQL; every other mode runs everything. */
export default defineConfig(({ mode }) => {
  const isQuick = mode === 'quick'
  return {
    test: {
      // Tests wait a third of their time, for other processes and for intervals of the service: two more keep all cores busy.
      maxWorkers: availableParallelism() + 2,
      globalSetup: ['run-folder', 'built-package', 'postgres-server'].map(name => `./apps/cli/test/support/${name}.ts`),
      sequence: { sequencer: LongestFirst },
      reporters: isQuick && isWholeRun() ? ['default', './apps/cli/test/support/left-out.ts'] : ['default'],
      projects: Object.entries(projects).map(([name, root]) => project(name, root, isQuick)),
    },
  }
})
