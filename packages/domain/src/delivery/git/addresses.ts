import type { Db } from '../../schema/database.ts'
import { repositoriesOf } from './repositories.ts'

/** The address of a repository in one form, whichever way it is reached: host and path, without user and `.git`. */
export function plainAddress(address: string): string {
  const trimmed = address.trim().toLowerCase()
  const scp = /^(?:[^@/]*@)?([\w.-]+):(?!\/\/)(.+)$/.exec(trimmed)
  const [, host, path] = scp ?? /^[a-z][a-z+]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.*)$/.exec(trimmed) ?? []
  const named = host === undefined || path === undefined ? trimmed : `${host}/${path}`
  return named
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, '')
}

/** The repository of a board with an address, else the only one; null where it is not known which. */
export async function repositoryAt(db: Db, board: string, address: string | null | undefined): Promise<string | null> {
  const all = await repositoriesOf(db, board)
  if (address == null) return all.length === 1 ? all[0]!.id : null
  const plain = plainAddress(address)
  const found = all.filter(({ url }) => plainAddress(url) === plain)
  return found.length === 1 ? found[0]!.id : null
}
