import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The names of folders with builds: hashes of their sources. Other folders next to them must not be removed. */
const buildName = /^[0-9a-f]{16}$/

/**
 * Moves a finished build into its folder, unless another process has built the same sources first, and removes builds
 * of other sources from the parent folder.
 */
export function takePlace(unfinished: string, folder: string): void {
  const parent = dirname(folder)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  for (const name of readdirSync(parent).filter(name => name !== basename(folder) && buildName.test(name)))
    rmSync(join(parent, name), { recursive: true, force: true })
}
