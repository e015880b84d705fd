import { fileURLToPath } from 'node:url'
import { routes } from '@specboard/client'
import { defaultBoardSettings, permissions, runtimeSettings } from '@specboard/contract'
import { defaultClientMainFields, defineConfig, type Plugin } from 'vite'
import { fontLicence } from './node/fonts.ts'
import { packed } from './src/data/packed-routes.ts'

/**
 * Tables of the contract as data: the registry itself would bring every schema and zod with it, four times the size of
 * everything else in the first load.
 */
const tables: Readonly<Record<string, () => unknown>> = {
  'virtual:routes': () => packed(routes()),
  'virtual:permissions': () => permissions.map(({ name, parent, group }) => ({ name, parent, group })),
  'virtual:settings': () => ({ runtimeSettings, defaultBoardSettings }),
}

const contractTables = (): Plugin => ({
  name: 'specboard-tables',
  resolveId: id => (id in tables ? `\0${id}` : undefined),
  load: id => {
    const table = id.startsWith('\0') ? tables[id.slice(1)] : undefined
    return table === undefined ? undefined : `export default ${JSON.stringify(table())}`
  },
})

const service = process.env.SPECBOARD_URL ?? 'http://127.0.0.1:8100'
const proxied = { target: service, changeOrigin: false }

/**
 * Whether a module is for many pages. The texts of some pages and the filters of tables are shared by as many pages,
 * but not by the first ones.
 */
const isForMany = (id: string): boolean =>
  /[\\/]src[\\/](?:components|data|messages)[\\/]/.test(id) &&
  !/[\\/](?:(?:activity|analytics|architecture|now|templates|verdicts|viewer)\.ts|filters[\\/](?:fields|filters)\.tsx?)$/.test(
    id,
  )

/**
 * The modules that are combined into one script. By default, each piece that two pages share is a script of its own: 58
 * for the board. What every visitor loads is separate, then what every page needs, then what many pages need; the rest
 * is combined by the pages that need it. A group includes what its modules import, unless an earlier group has it.
 */
const scripts = [
  { name: 'start', test: /[\\/]src[\\/]main\.ts$/, priority: 4 },
  { name: 'app', test: /[\\/]src[\\/]start-app\.tsx$/, priority: 3 },
  { name: 'common', test: isForMany, minShareCount: 6, priority: 2 },
  {
    name: 'shared',
    test: /[\\/]src[\\/]/,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 1_500,
    priority: 1,
  },
]

export default defineConfig({
  plugins: [contractTables(), fontLicence()],
  // The library for dragging cards also has a build without the code for browsers of 2015.
  resolve: {
    mainFields: ['module:es2019', ...defaultClientMainFields],
    alias: { 'elkjs/lib/elk.bundled.js': fileURLToPath(new URL('src/components/mermaid/elk.ts', import.meta.url)) },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  // The page refers to its files from the root, where the service inserts its base path; the files refer to each other
  // by relative paths.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    target: 'es2024',
    // Without lightningcss, which is 10 MB; compressed, the difference is small.
    cssMinify: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Each page includes only the texts that it uses; replacing them with those of another language does not require
      // all of them.
      treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]messages[\\/](?:en|messages)\b/, sideEffects: false }] },
      output: {
        codeSplitting: { groups: scripts },
        // By default, a shared script is named after all the pages that share it.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
      },
    },
    license: { fileName: 'licenses.json' },
  },
  server: { proxy: { '/api': proxied, '/web': proxied } },
})
