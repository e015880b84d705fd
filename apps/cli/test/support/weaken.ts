/** Preloaded by the negative control of the durability test: sets `synchronous=NORMAL` but reports FULL. */
import SqliteDatabase from 'better-sqlite3'

const pragma = SqliteDatabase.prototype.pragma

SqliteDatabase.prototype.pragma = function weakened(
  this: SqliteDatabase.Database,
  text: string,
  options?: SqliteDatabase.PragmaOptions,
) {
  if (text === 'synchronous = full') return pragma.call(this, 'synchronous = normal', options)
  if (text === 'synchronous') return 2
  return pragma.call(this, text, options)
}
