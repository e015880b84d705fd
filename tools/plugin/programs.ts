/** The programs of the plugin, each one file without a dependency (harness 2). */
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from '../package/root.ts'

const sources = {
  'bin/hook.mjs': 'apps/cli/src/plugin/hook-program.ts',
  'bin/mcp.mjs': 'apps/cli/src/plugin/mcp-program.ts',
} as const

/** A program of the plugin, by its path in it. */
export type ProgramName = keyof typeof sources

async function built(source: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    input: join(root, source),
    platform: 'node',
    write: false,
    treeshake: { moduleSideEffects: [{ test: /\/(?:packages|apps)\/\w+\/src\//, sideEffects: false }] },
    output: { format: 'esm', codeSplitting: false, minify: { compress: true, mangle: false, codegen: true } },
  })
  if (output.length !== 1) throw new Error(`${source} is not one file.`)
  return output[0].code
}

/** The programs, as they are written into each form. */
export async function programs(): Promise<Readonly<Record<ProgramName, string>>> {
  const entries = await Promise.all(
    Object.entries(sources).map(async ([name, source]) => [name, await built(source)] as const),
  )
  return Object.fromEntries(entries) as Record<ProgramName, string>
}
