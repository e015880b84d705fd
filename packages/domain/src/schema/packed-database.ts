import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The file of the package with a migrated database without rows, which new ones are copied from. */
export const packedDatabaseName = 'new-database.db.br'

/** The path of that file, which is next to the modules of the package; undefined in a clone. */
export function packedDatabase(): string | undefined {
  const file = join(import.meta.dirname, packedDatabaseName)
  return existsSync(file) ? file : undefined
}
