import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The permissions of the group and of others. */
const othersRights = 0o077

/** From now on, files that this process makes are 0600 and folders 0700 (trust 5). */
export function keepFilesPrivate(): void {
  process.umask(othersRights)
}

/**
 * Paths in a data folder that others may read, write or enter; `.` is the folder itself.
 * @param within whether to include subfolders
 */
export function openToOthers(folder: string, { within }: { readonly within: boolean }): string[] {
  if (process.platform === 'win32') return []
  const isOpen = (path: string) => {
    // A link has no permissions of its own.
    const stats = path === '.' ? statSync(folder) : lstatSync(join(folder, path), { throwIfNoEntry: false })
    return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & othersRights) !== 0
  }
  return ['.', ...readdirSync(folder, { recursive: within, encoding: 'utf8' })].filter(isOpen)
}

/** Removes the permissions of others from the data folder and everything in it; returns the paths that had any. */
export function closeToOthers(folder: string): string[] {
  const paths = openToOthers(folder, { within: true })
  for (const path of paths) {
    const file = join(folder, path)
    chmodSync(file, statSync(file).mode & ~othersRights & 0o7777)
  }
  return paths
}
