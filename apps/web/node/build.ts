/**
 * Builds the pages into a folder, beside it first, so that nobody meets half a build, and removes builds of other
 * sources. Usage: node build.ts FOLDER
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { webFolder } from './sources.ts'

const folder = process.argv[2]!
const unfinished = `${folder}.${process.pid}`

try {
  await build({ root: webFolder, logLevel: 'error', build: { outDir: unfinished, emptyOutDir: true } })
  for (const entry of readdirSync(unfinished, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )) {
    const path = join(entry.parentPath, entry.name)
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
  }
  publish()
} finally {
  rmSync(unfinished, { recursive: true, force: true })
}

/** Another process may have been faster with the same sources. */
function publish(): void {
  const parent = dirname(folder)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  for (const name of readdirSync(parent).filter(name => name !== basename(folder) && !name.includes('.')))
    rmSync(join(parent, name), { recursive: true, force: true })
}
