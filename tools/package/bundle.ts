import { rmSync } from 'node:fs'
import { routes } from '@specboard/client'
import { build, type Plugin } from 'rolldown'
import { entries } from './entries.ts'
import { root } from './root.ts'

/** What is installed beside the package: native code, and what a library uses only where somebody installed it. */
const external = ['better-sqlite3', 'pg-native', 'pg-cloudflare', '@napi-rs/nice']

const routesTable: Plugin = {
  name: 'specboard-routes',
  resolveId: id => (id === 'virtual:routes' ? `\0${id}` : undefined),
  load: id => (id === '\0virtual:routes' ? `export default ${JSON.stringify(routes())}` : undefined),
}

/**
 * Bundles the service, the command line and the client into one flat folder, in which each file finds the others
 * beside it.
 * @returns the files of all modules that went into it
 */
export async function bundle(folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true })
  const { output } = await build({
    cwd: root,
    input: entries(),
    platform: 'node',
    external,
    plugins: [routesTable],
    transform: { define: { __dirname: 'import.meta.dirname', 'process.env.NODE_ENV': '"production"' } },
    output: {
      dir: folder,
      format: 'esm',
      chunkFileNames: '[name]-[hash].js',
      // Names stay as they are, so that a stack trace can be read.
      minify: { compress: true, mangle: false, codegen: true },
    },
    onLog: (level, log, report) => report(level === 'warn' ? 'error' : level, log),
  })
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []))
}
