import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Rights of the group and of others. */
const othersRights = 0o077

/** From now on, files that this process makes are 0600 and folders 0700 (trust 5). */
export function keepFilesPrivate(): void {
  process.umask(othersRights)
}

/**
 * What of a data folder others may read, write or enter: paths from it, `.` the folder itself.
 * @param within whether the folders in it are looked into as well
 */
export function openToOthers(folder: string, { within }: { readonly within: boolean }): string[] {
  if (process.platform === 'win32') return []
  const isOpen = (path: string) => {
    // A link has no rights of its own.
    const stats = path === '.' ? statSync(folder) : lstatSync(join(folder, path), { throwIfNoEntry: false })
    return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & othersRights) !== 0
  }
  return ['.', ...readdirSync(folder, { recursive: within, encoding: 'utf8' })].filter(isOpen)
}

/** Takes the rights of others from the data folder and all that is in it; gives the paths that had some. */
export function closeToOthers(folder: string): string[] {
  const paths = openToOthers(folder, { within: true })
  for (const path of paths) {
    const file = join(folder, path)
    chmodSync(file, statSync(file).mode & ~othersRights & 0o7777)
  }
  return paths
}
