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
const { run } = await import('./commands.ts')
process.exitCode = await run(process.argv)
