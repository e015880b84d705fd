import type { Db } from '../db.ts'
import { type Migrations, olderDatabase } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import { Connections, type PostgresConnection } from './connections.ts'
import { faultOf, isBroken } from './faults.ts'
import { takeLock } from './locks.ts'
import { pendingPostgresMigrations } from './migrate.ts'
import { beginRead } from './reader.ts'
import { settledAddress } from './suitability.ts'
import { transaction } from './transaction.ts'
import { UnitWrites } from './unit-writes.ts'

/** A unit that numbers very many entries takes a second one. */
const mostConnections = 2

/** A database of PostgreSQL to open beside the nodes that serve it. */
export interface UnlockedPostgres {
  readonly url: string
  /** Every migration of this version. */
  readonly migrations: Migrations
}

/**
 * Runs a durable unit of work on a database that nodes may be serving; it runs alone. The database must be of exactly
 * this version.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const writePostgres = <Schema, Value>(
  unlocked: UnlockedPostgres,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> =>
  onConnection(unlocked, async (connection, connections) => {
    const writes = new UnitWrites<Schema>(connection, run => connections.with(run, isBroken))
    const unit = async (db: Db<Schema>) => {
      await takeLock(connection, undefined)
      const value = await run(db)
      await writes.finish(db)
      return value
    }
    return transaction(connection, 'begin isolation level read committed', unit, writes)
  })

/**
 * Runs reads that see a single state of a database that nodes may be serving. The database must be of exactly this
 * version.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readPostgres = <Schema, Value>(
  unlocked: UnlockedPostgres,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> => onConnection(unlocked, connection => transaction(connection, beginRead, run))

async function onConnection<Value>(
  { url, migrations }: UnlockedPostgres,
  run: (connection: PostgresConnection, connections: Connections) => Promise<Value>,
): Promise<Value> {
  const connections = new Connections(await settledAddress(url), mostConnections, () => {})
  try {
    return await connections.with(async connection => {
      const pending = await pendingPostgresMigrations(connection, migrations)
      if (pending.length === Object.keys(migrations).length)
        throw new StorageError('NO_DATABASE', 'The database is empty. Start "specboard serve" on it once.')
      if (pending.length > 0) throw olderDatabase()
      return run(connection, connections)
    }, isBroken)
  } catch (error) {
    throw faultOf(error)
  } finally {
    await connections.close()
  }
}
