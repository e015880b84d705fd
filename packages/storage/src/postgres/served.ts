import { StorageError } from '../storage-error.ts'
import { listenerName } from './announcement-channel.ts'
import { briefly } from './brief.ts'
import type { PostgresConnection } from './connections.ts'

/** How many nodes are serving the database of a connection. */
export async function servingNodes(connection: PostgresConnection): Promise<number> {
  // A transaction sees the same connections throughout, unless the snapshot is cleared.
  await connection.exec('select pg_stat_clear_snapshot()')
  const { rows } = await connection.run<{ nodes: number }>(
    'select count(*) as nodes from pg_stat_activity where datname = current_database() and application_name = $1',
    [listenerName],
  )
  return rows[0]!.nodes
}

/** @throws StorageError DATABASE_IN_USE while nodes serve the database of a connection */
export async function refuseServed(connection: PostgresConnection): Promise<void> {
  const nodes = await servingNodes(connection)
  if (nodes > 0)
    throw new StorageError(
      'DATABASE_IN_USE',
      `${nodes} ${nodes === 1 ? 'node serves' : 'nodes serve'} the PostgreSQL database. Stop all of them first.`,
    )
}

/** @throws StorageError DATABASE_IN_USE while nodes serve a database; UNREACHABLE, DATABASE_REFUSED */
export const refuseServedDatabase = (url: string): Promise<void> =>
  briefly(url, ({ connection }) => refuseServed(connection))
