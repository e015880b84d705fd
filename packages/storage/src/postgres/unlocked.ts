import type { Db } from '../db.ts'
import { type Migrations, olderDatabase } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import { type Brief, briefly } from './brief.ts'
import { refuseMoving, takeLock } from './locks.ts'
import { pendingPostgresMigrations } from './migrate.ts'
import { storedKind } from './row-locks.ts'
import { beginRead, beginWrite, transaction } from './transaction.ts'
import { UnitWrites } from './unit-writes.ts'

/** A PostgreSQL database that is opened while nodes may be serving it. */
export interface UnlockedPostgres {
  readonly url: string
  /** Every migration of this version. */
  readonly migrations: Migrations
}

/**
 * Runs a durable unit of work on a database that nodes may be serving; it runs alone. The database must be of exactly
 * this version.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER, DATABASE_IN_USE while
 * it is being moved
 */
export const writePostgres = <Schema, Value>(
  unlocked: UnlockedPostgres,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> =>
  onCurrent(unlocked, async ({ connection, beside }) => {
    const writes = new UnitWrites<Schema>(connection, beside)
    const unit = async (db: Db<Schema>) => {
      const locks = await storedKind(connection)
      if (locks === 'advisory') await refuseMoving(connection)
      await takeLock(connection, undefined, locks)
      const value = await run(db)
      await writes.finish(db)
      return value
    }
    return transaction(connection, beginWrite, unit, writes)
  })

/**
 * Runs reads that see a single state of a database that nodes may be serving. The database must be of exactly this
 * version.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readPostgres = <Schema, Value>(
  unlocked: UnlockedPostgres,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> => onCurrent(unlocked, ({ connection }) => transaction(connection, beginRead, run))

const onCurrent = <Value>(
  { url, migrations }: UnlockedPostgres,
  run: (brief: Brief) => Promise<Value>,
): Promise<Value> =>
  briefly(url, async brief => {
    const pending = await pendingPostgresMigrations(brief.connection, migrations)
    if (pending.length === Object.keys(migrations).length)
      throw new StorageError('NO_DATABASE', 'The database is empty. Start "specboard serve" on it once.')
    if (pending.length > 0) throw olderDatabase()
    return run(brief)
  })
