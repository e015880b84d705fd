/**
 * Runs after an install: removes the C headers that come with the Node of the project (67 MB) and that nothing
 * here compiles against. Plain JavaScript, for it may be run by an older Node.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const builds = fileURLToPath(new URL('../node_modules/node/node_modules/', import.meta.url))

if (existsSync(builds)) {
  for (const name of readdirSync(builds).filter(name => name.startsWith('node-')))
    rmSync(`${builds}${name}/include`, { recursive: true, force: true })
}
