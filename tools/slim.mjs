/**
 * Runs after an install: removes what the packages bring and nothing here uses (about 120 MB). Plain JavaScript, because
 * an older Node may run it.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules/.pnpm/', import.meta.url))

/** The folder of a package in pnpm's store for this project; undefined when it is not installed. */
function folderOf(name) {
  const found = existsSync(packages) && readdirSync(packages).find(entry => entry.startsWith(`${name}@`))
  return found ? `${packages}${found}/node_modules/${name}/` : undefined
}

function removeFrom(folder, isUnused) {
  if (folder === undefined || !existsSync(folder)) return
  for (const name of readdirSync(folder).filter(isUnused)) rmSync(folder + name, { recursive: true, force: true })
}

/** What a package's files of other machines do not begin with. */
const here = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform] ?? ''
const isForeign = name => !(name.startsWith(here) && name.endsWith(`-${process.arch}.node`))

const node = fileURLToPath(new URL('../node_modules/node/node_modules/', import.meta.url))
if (existsSync(node))
  for (const name of readdirSync(node).filter(name => name.startsWith('node-')))
    removeFrom(`${node}${name}/`, entry => entry === 'include')

const sqlite = folderOf('better-sqlite3')
// The sources of SQLite, and its builds for other machines.
removeFrom(sqlite, name => name === 'deps')
if (sqlite !== undefined) removeFrom(`${sqlite}prebuilds/`, isForeign)

// The console loads one bundle and its styles.
removeFrom(folderOf('swagger-ui-dist'), name => /-es-bundle|standalone-preset\.js|^swagger-ui\.js/.test(name))
// The pages load one bundle; the others are for development and for other module systems.
removeFrom(folderOf('redoc') && `${folderOf('redoc')}bundles/`, name => name === 'redoc.js')
// The pages are drawn in browsers alone, and not by the builds that measure React.
removeFrom(folderOf('react-dom') && `${folderOf('react-dom')}cjs/`, name =>
  /^react-dom-(?:server|profiling)/.test(name),
)
// What draws diagrams is bundled from its build.
removeFrom(folderOf('beautiful-mermaid'), name => name === 'src')

/** Removes source maps below a folder; what is linked into it is left alone. */
function removeMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeMaps(`${folder}${entry.name}/`)
    else if (entry.isFile() && entry.name.endsWith('.map')) rmSync(folder + entry.name, { force: true })
  }
}
// Nobody steps through the sources of packages.
if (existsSync(packages)) removeMaps(packages)
