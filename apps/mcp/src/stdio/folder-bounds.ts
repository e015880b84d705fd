import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { DomainError } from '@specboard/domain'

/**
 * The folders in which the bridge may use files (walls 8). The root of the disk, the person's home, and any folder that
 * contains the home are never among them: a bridge started there by accident would have access to everything in it.
 */
export class FolderBounds {
  readonly #folders: readonly string[]

  constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  /**
   * The real path of a file inside one of the folders; links are resolved first. Dot files and anything in dot folders
   * contain settings and keys: they are never used.
   * @throws DomainError FORBIDDEN
   */
  async within(path: string): Promise<string> {
    const absolute = resolve(path)
    const real = await realOf(absolute)
    const home = await realOf(homedir())
    for (const folder of this.#folders) {
      const root = await realOf(resolve(folder))
      if (isIn(home, root) || !isIn(real, root)) continue
      if (isHidden(relative(root, real)) || isHidden(basename(absolute)))
        throw new DomainError('FORBIDDEN', `${path} is a dot file or in a dot folder; those are never used.`)
      return real
    }
    throw new DomainError(
      'FORBIDDEN',
      `${path} is outside the folders whose files may be used: start in the folder of the project, or name one with --allow-dir (neither / nor your home).`,
    )
  }
}

/** The path with links resolved, as far as it exists. */
const realOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)))

const isIn = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

const isHidden = (path: string): boolean => path.split(sep).some(part => part.startsWith('.'))
