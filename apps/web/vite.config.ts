import { routes } from '@specboard/client'
import { defineConfig, type Plugin } from 'vite'

/**
 * The routes of the operations as data: the registry itself brings every schema and zod with it, four times what all
 * else of the first load takes.
 */
const routeTable = (): Plugin => ({
  name: 'specboard-routes',
  resolveId: id => (id === 'virtual:routes' ? '\0routes' : undefined),
  load: id => (id === '\0routes' ? `export default ${JSON.stringify(routes())}` : undefined),
})

const service = process.env.SPECBOARD_URL ?? 'http://127.0.0.1:8100'
const proxied = { target: service, changeOrigin: false }

export default defineConfig({
  plugins: [routeTable()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2024',
    // Without lightningcss, which is 10 MB; compressed, the difference is small.
    cssMinify: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': proxied, '/web': proxied } },
})
