/** SQLite's codes of constraints, and of values, columns and tables that do not fit. */
const ofSqlite = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/

/** The same of PostgreSQL: its classes of wrong values, broken constraints and names that are not there. */
const ofPostgres = /^(?:22|23|42)[0-9A-Z]{3}$/

/**
 * Whether a write failed because of what it holds, so that it fails each time: a constraint that it breaks, a value that
 * cannot be stored, a column that is not there. A full disk, a busy database and a lost connection pass.
 */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false
  return ofSqlite.test(error.code) || ofPostgres.test(error.code)
}
