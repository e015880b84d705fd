import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@specboard/client'
import { build, type OutputChunk, type OutputOptions, type Plugin } from 'rolldown'
import { fileNames } from './chunks.ts'
import { entries } from './entries.ts'
import { featureEntries, lazyFeatures } from './lazy-features.ts'
import { root } from './root.ts'
import { asciiSources, oneLocale } from './small-sources.ts'

/** Modules that are not bundled: native code, and optional dependencies of libraries. */
const external = ['better-sqlite3', 'pg-native', 'pg-cloudflare', '@napi-rs/nice']

const routesTable: Plugin = {
  name: 'specboard-routes',
  resolveId: id => (id === 'virtual:routes' ? `\0${id}` : undefined),
  load: id => (id === '\0virtual:routes' ? `export default ${JSON.stringify(routes())}` : undefined),
}

const commandLine = join(root, 'apps/cli/src')

const clientOfCommandLine: Plugin = {
  name: 'specboard-client-of-command-line',
  resolveId: (id, importer) =>
    id === '@specboard/client' && importer?.startsWith(commandLine)
      ? join(root, 'tools/package/cli-client.ts')
      : undefined,
}

/**
 * Bundles the service, the command line and the client into one flat folder, in which each file finds the others next
 * to it.
 * @returns the files of all modules that went into it
 */
export async function bundle(folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true })
  const name = fileNames(await built(), Object.keys(entries()))
  const chunks = await built({
    write: true,
    dir: folder,
    codeSplitting: { groups: [{ debugName: 'start', name, includeDependenciesRecursively: false }] },
  })
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

/** Bundles, with further options of the output; without them nothing is written. */
async function built({ write = false, ...options }: OutputOptions & { readonly write?: boolean } = {}) {
  const { output } = await build({
    cwd: root,
    write,
    input: { ...entries(), ...featureEntries() },
    platform: 'node',
    external,
    plugins: [routesTable, clientOfCommandLine, lazyFeatures, oneLocale, asciiSources],
    // A UMD main requires its parts by a name that no bundler sees; the module next to it does not.
    resolve: { mainFields: ['module', 'main'] },
    transform: { define: { __dirname: 'import.meta.dirname', 'process.env.NODE_ENV': '"production"' } },
    // An export that only other files of the package use does not make a process load its module; removing `__proto__`
    // from all objects is a side effect that every file needs (walls 2, rule 2).
    treeshake: {
      moduleSideEffects: [
        { test: /\/packages\/storage\/src\/prototypes\.ts$/, sideEffects: true },
        { test: /\/(?:packages|apps)\/\w+\/src\//, sideEffects: false },
      ],
    },
    preserveEntrySignatures: 'allow-extension',
    output: {
      format: 'esm',
      chunkFileNames: '[name]-[hash].js',
      // Functions and classes keep their names, so that a stack trace can be read. V8 keeps the text of all that is
      // loaded, in each thread; with short names of variables it is a fifth shorter.
      minify: { compress: true, mangle: { keepNames: true }, codegen: true },
      ...options,
    },
    onLog: (level, log, report) => report(level === 'warn' ? 'error' : level, log),
  })
  return output.filter((part): part is OutputChunk => part.type === 'chunk')
}
