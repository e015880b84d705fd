import { fileURLToPath } from 'node:url'
import { routes } from '@specboard/client'
import { defaultBoardSettings, permissions, runtimeSettings } from '@specboard/contract'
import { defaultClientMainFields, defineConfig, type Plugin } from 'vite'
import { fontLicence } from './node/fonts.ts'
import { packed } from './src/data/packed-routes.ts'

/**
 * Tables of the contract as data: the registry itself brings every schema and zod with it, four times what all else of
 * the first load takes.
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

/** Whether a module is for many pages. Texts of some pages and the filters of tables are shared by as many, not by the first ones. */
const isForMany = (id: string): boolean =>
  /[\\/]src[\\/](?:components|data|messages)[\\/]/.test(id) &&
  !/[\\/](?:(?:activity|analytics|architecture|now|templates|verdicts|viewer)\.ts|filters[\\/](?:fields|filters)\.tsx?)$/.test(
    id,
  )

/**
 * What comes in one script. Left alone, each piece that two pages share is a script of its own: 58 for the board. What
 * every visitor loads stands alone, then what every page needs, then what many do; the rest is put together by the pages
 * that need it. A group takes what its pieces import, unless one before it has it.
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
  // What drags cards is also there without what browsers of 2015 need.
  resolve: {
    mainFields: ['module:es2019', ...defaultClientMainFields],
    alias: { 'elkjs/lib/elk.bundled.js': fileURLToPath(new URL('src/components/mermaid/elk.ts', import.meta.url)) },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  // The page names its files from the root, where the service puts its base path before them; these find each other.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    target: 'es2024',
    // Without lightningcss, which is 10 MB; compressed, the difference is small.
    cssMinify: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Each page takes the texts that it names: that they are put into another language is no reason to take all.
      treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]messages[\\/](?:en|messages)\b/, sideEffects: false }] },
      output: {
        codeSplitting: { groups: scripts },
        // The builder names what pages share after all of them.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
      },
    },
    license: { fileName: 'licenses.json' },
  },
  server: { proxy: { '/api': proxied, '/web': proxied } },
})
