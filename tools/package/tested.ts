/**
 * Prints the path of the packaged command line built from the current sources; builds the package first if necessary.
 * Tests start the command line hundreds of times, and the package starts in half the processor time of the sources.
 *
 * Usage: node tools/package/tested.ts
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildFolder } from '@specboard/web'
import { takePlace } from '../../apps/web/node/take-place.ts'
import { root } from './root.ts'

const builds = join(root, 'dist/tested')

/** What the package is made of. */
const parts = [
  ...['contract', 'storage', 'cypher', 'importers', 'domain', 'client'].map(name => `packages/${name}/src`),
  ...['http', 'mcp', 'cli', 'web'].map(name => `apps/${name}/src`),
  ...[
    'apps/web/node',
    'apps/web/public',
    'apps/web/guide',
    'tools/package',
    'tools/distribution',
    'docs',
    'integrations',
  ],
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', 'server.json', 'pnpm-lock.yaml'],
]

/** How often to check on another process that is building the same package, ms. */
const lookMs = 100

const folder = await buildFolder({ parts, builds })
const lock = `${folder}.building`
mkdirSync(builds, { recursive: true })
while (!existsSync(folder)) {
  if (!takesLock()) await setTimeout(lookMs)
  else
    try {
      if (!existsSync(folder)) await build()
    } finally {
      rmSync(lock, { force: true })
    }
}
console.log(join(folder, 'dist/main.js'))

/** Whether this process should build: it is the first one, or the first one has ended. */
function takesLock(): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!isBuilding()) rmSync(lock, { force: true })
    return false
  }
}

function isBuilding(): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

/** Builds into another folder first, so that nobody sees half a package. */
async function build(): Promise<void> {
  const unfinished = `${folder}.unfinished`
  const { buildPackage } = await import('./build.ts')
  await buildPackage(unfinished)
  takePlace(unfinished, folder)
}
