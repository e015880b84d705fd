#!/usr/bin/env -S node --max-semi-space-size=4
// The one file in JavaScript: whatever runs before the cache of compiled modules is on has its types stripped
// anew at each start, by a compiler that would stay in memory.
import module from 'node:module'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`specboard needs Node 24 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
module.enableCompileCache()
// A relative import names its file: Node would look for it, its real path and its package, 800 times a start.
module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL !== undefined && context.conditions.includes('import')
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : next(specifier, context),
})
const { run } = await import('./commands.ts')
process.exitCode = await run(process.argv)
