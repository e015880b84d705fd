import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The package's file with a migrated database without rows, from which new databases are copied. */
export const packedDatabaseName = 'new-database.db.br'

/** The path of that file, which is next to the modules of the package; undefined in a clone. */
export function packedDatabase(): string | undefined {
  const file = join(import.meta.dirname, packedDatabaseName)
  return existsSync(file) ? file : undefined
}
