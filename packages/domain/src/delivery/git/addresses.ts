import { readAddress, sameness, withoutUser } from '@specboard/contract'
import type { Db } from '../../schema/database.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'
import { repositoriesOf } from './repositories.ts'

/** The normalised form shared by all addresses of one repository; null for a text that is not an address (git 1). */
function common(address: string): string | null {
  const read = readAddress(withoutUser(address.trim()))
  return 'fault' in read ? null : sameness(read).toLowerCase()
}

/**
 * The repository of a board with an address, or its only repository if no address is given; null if it cannot be
 * determined.
 */
export async function repositoryAt(
  db: Db,
  board: string,
  address: string | null | undefined,
): Promise<RepositoriesTable | null> {
  const all = await repositoriesOf(db, board)
  if (address == null) return all.length === 1 ? all[0]! : null
  const target = common(address)
  const found = all.filter(({ url }) => target !== null && common(url) === target)
  return found.length === 1 ? found[0]! : null
}
