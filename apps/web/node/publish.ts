import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig } from 'vite'

/**
 * Builds pages into a folder, with a compressed copy of each file that is not a picture: elsewhere first, so that
 * nobody sees half a build. Then removes builds of other sources.
 */
export async function publish(folder: string, config: InlineConfig): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  try {
    await build({ ...config, logLevel: 'error', build: { outDir: unfinished, emptyOutDir: true } })
    const files = readdirSync(unfinished, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    for (const entry of files.filter(({ name }) => !name.endsWith('.png'))) {
      const path = join(entry.parentPath, entry.name)
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    }
    takePlace(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** The names of folders with builds: hashes of their sources. Other folders beside them are nobody's to remove. */
const buildName = /^[0-9a-f]{16}$/

/** Another process may have built the same sources first. */
function takePlace(unfinished: string, folder: string): void {
  const parent = dirname(folder)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  for (const name of readdirSync(parent).filter(name => name !== basename(folder) && buildName.test(name)))
    rmSync(join(parent, name), { recursive: true, force: true })
}
