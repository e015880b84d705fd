#!/usr/bin/env -S node --max-semi-space-size=4 --min-semi-space-size=4 --v8-pool-size=1
// One thread compiles and collects garbage beside the calls; each of Node's four would keep memory of its own.
// The only JavaScript file: TypeScript that runs before the compile cache is on would have its types stripped at
// every start, by a compiler that then stays in memory.
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import v8 from 'node:v8'

// After this, no key of this name leads to a prototype; threads and child processes do the same.
Reflect.deleteProperty(Object.prototype, '__proto__')

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`specboard needs Node 24 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
// The heap grows by half before it is collected. Without this it may triple while an import produces garbage.
v8.setFlagsFromString('--heap-growing-percent=50')
// Code goes from the baseline compiler directly to the optimizing one. The working memory of the compiler between them
// would stay in the heap of malloc (26 MiB of 182 after 1,000 writes), and its threads would take processor time from
// the calls.
v8.setFlagsFromString('--no-maglev')
// The young generation of this thread is already allocated; each other thread is given its own limit.
v8.setFlagsFromString('--max-semi-space-size=0')
v8.setFlagsFromString('--min-semi-space-size=0')
// In a folder of the user's own: whoever can write there decides what runs, and Node's default is shared by all.
const { XDG_CACHE_HOME: caches } = process.env
try {
  const { directory } = module.enableCompileCache(join(caches || join(homedir(), '.cache'), 'specboard'))
  // Threads and child processes find it in the environment. Without it, each thread would load the compiler: 15 MB and
  // half a second of processor time.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
} catch {
  // A user without a home: everything is compiled at each start.
}
// A relative import names its file, which has its importer's format. Without this hook, Node would look up the file,
// its real path and its package 600 times at each start.
const formats = { '.ts': 'module-typescript', '.js': 'module' }
const extension = url => url.slice(-3)
module.registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL, conditions } = context
    if (!specifier.startsWith('.') || parentURL === undefined || !conditions.includes('import'))
      return next(specifier, context)
    const { href } = new URL(specifier, parentURL)
    const format = formats[extension(parentURL)]
    return { url: href, format: extension(href) === extension(parentURL) ? format : undefined, shortCircuit: true }
  },
})
const [, , verb, event] = process.argv
if (verb === 'hook' && event !== undefined && !process.argv.includes('--help') && !process.argv.includes('-h')) {
  // A hook must not get in the way of a client: it loads a tenth of the rest, never reports its faults and ends at
  // once.
  process.on('uncaughtException', () => process.exit(0))
  try {
    const { hook } = await import('./hook/hook.ts')
    await hook(process.argv.slice(3), process.env)
  } finally {
    process.exit(0)
  }
}
if (verb === 'paths' && process.argv.includes('--pre-commit')) {
  // A commit waits for it: it loads no more than a hook does, and if it fails itself, the commit goes ahead.
  process.on('uncaughtException', () => process.exit(0))
  let code = 0
  try {
    const { preCommit } = await import('./paths/pre-commit.ts')
    code = await preCommit(process.argv.slice(3), process.env)
  } finally {
    process.exit(code)
  }
}
const { run } = await import('./commands.ts')
process.exitCode = await run(process.argv)
