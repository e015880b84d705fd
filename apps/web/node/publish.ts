import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig } from 'vite'
import { takePlace } from './take-place.ts'

/**
 * Builds pages into a folder, with a compressed copy of each file that is not a picture: into another folder first, so
 * that nobody sees half a build. Then removes builds of other sources.
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
