/**
 * Runs after an install: removes the C headers of the project's Node (67 MB), which nothing here compiles against.
 * Plain JavaScript, because an older Node may run it.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const builds = fileURLToPath(new URL('../node_modules/node/node_modules/', import.meta.url))

if (existsSync(builds)) {
  for (const name of readdirSync(builds).filter(name => name.startsWith('node-')))
    rmSync(`${builds}${name}/include`, { recursive: true, force: true })
}
