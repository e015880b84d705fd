/** SQLite's codes for broken constraints, and for values, columns and tables that do not fit. */
const ofSqlite = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/

/** The same for PostgreSQL: its classes of invalid values, broken constraints and missing names. */
const ofPostgres = /^(?:22|23|42)[0-9A-Z]{3}$/

/**
 * Whether a write failed because of its content, and so fails each time: a broken constraint, a value that cannot be
 * stored, a missing column. A full disk, a busy database and a lost connection are temporary.
 */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false
  return ofSqlite.test(error.code) || ofPostgres.test(error.code)
}
