/**
 * Decides which modules share a file of the package. By default, rolldown makes a file for each set of modules that the
 * same threads, verbs and features load: a start would read 130 of them. Features are only loaded by running processes,
 * so only the modules that processes start with are distinguished: 37 files, and a tenth less processor time.
 */
import { basename } from 'node:path'
import type { OutputChunk } from 'rolldown'

/** The frequently used verbs; modules that they share with `serve` are in separate files. */
const verbs = ['serve', 'mcp', 'call', 'keys']

/** Threads load features later, from the same files. */
const isThread = (name: string): boolean => name.endsWith('-thread')

/**
 * The file name for a module that `serve` starts with; null leaves the choice to rolldown.
 * Everything that loads a module also loads its imports, so files never import each other in a circle.
 * @param chunks the chunks that rolldown makes by default
 * @param entries the names of the files that processes and threads start with
 */
export function fileNames(
  chunks: readonly OutputChunk[],
  entries: readonly string[],
): (module: string) => string | null {
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const beginnings = entries.map(name => closureOf(byFile, [`${name}.js`], isThread(name)))
  const main = byFile.get('main.js')!
  const commands = main.dynamicImports.find(file => byFile.get(file)?.facadeModuleId?.endsWith('/commands.ts'))
  if (commands === undefined) throw new Error('main.js no longer imports commands.ts when it is called.')
  // Besides the verbs, main.js starts hooks, which are in separate files.
  for (const file of main.dynamicImports) beginnings.push(closureOf(byFile, [main.fileName, file], false))
  const commandChunks = byFile.get(commands)!.dynamicImports.map(file => byFile.get(file)!)
  for (const { fileName, facadeModuleId } of commandChunks)
    if (verbs.includes(basename(facadeModuleId ?? '', '.ts'))) beginnings.push(closureOf(byFile, [fileName], false))
  const serve = commandChunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/serve.ts'))
  if (serve === undefined) throw new Error('commands.ts no longer imports serve.ts when it is called.')
  const served = closureOf(byFile, [serve.fileName], false)
  const sets: string[] = []
  const named = new Map<string, string>()
  for (const module of served) {
    const loadedBy = beginnings.flatMap((modules, index) => (modules.has(module) ? [index] : [])).join()
    if (!sets.includes(loadedBy)) sets.push(loadedBy)
    named.set(module, `start-${sets.indexOf(loadedBy)}`)
  }
  return module => named.get(module) ?? null
}

/** The modules in files and in everything that those import. */
function closureOf(
  byFile: ReadonlyMap<string, OutputChunk>,
  files: readonly string[],
  withLater: boolean,
): ReadonlySet<string> {
  const modules = new Set<string>()
  const visited = new Set<string>()
  const open = [...files]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const chunk = byFile.get(file)
    if (chunk === undefined || visited.has(file)) continue
    visited.add(file)
    for (const module of chunk.moduleIds) modules.add(module)
    open.push(...chunk.imports, ...(withLater ? chunk.dynamicImports : []))
  }
  return modules
}
