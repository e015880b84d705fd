import { setImmediate as turnEnd } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { StorageError } from '../storage-error.ts'
import type { PostgresConnection } from './connections.ts'

/** Places in the log of the server are bytes since its beginning. */
const placeOf = (lsn: string): string => `${lsn} - '0/0'::pg_lsn`

/**
 * How far the primary has its log on disk: everything acknowledged is before that. If commits are acknowledged earlier,
 * how far it has written the log at all.
 */
const writtenQuery = `select ${placeOf(
  "case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end",
)} as place`

/** How far a replica has replayed it; null for a server that is not a standby. */
export const replayedQuery = `select case when pg_is_in_recovery() then ${placeOf('pg_last_wal_replay_lsn()')} end as place`

/** A replica has the same cluster, history and database as the primary. */
const identity = `select concat_ws('/', (select system_identifier from pg_control_system()),
  (select timeline_id from pg_control_checkpoint()),
  (select oid from pg_database where datname = current_database())) as identity`

/** The place that a statement returns. */
async function placeBy(connection: PostgresConnection, statement: string): Promise<number | null> {
  return (await connection.run<{ place: number | null }>(statement)).rows[0]!.place
}

/** How far the log of the primary is on disk, bytes. */
export const writtenPlace = async (primary: PostgresConnection): Promise<number> =>
  (await placeBy(primary, writtenQuery))!

/**
 * How far a replica has replayed the log, bytes.
 * @throws NotReplica for a server that replays nothing, such as one that was promoted
 */
export async function replayedPlace(replica: PostgresConnection): Promise<number> {
  const place = await placeBy(replica, replayedQuery)
  if (place === null) throw new NotReplica()
  return place
}

/** What the primary and its replicas have in common. */
export const identityOf = async (connection: PostgresConnection): Promise<string> =>
  (await connection.run<{ identity: string }>(identity)).rows[0]!.identity

/** Refuses new connections to a server that is not a copy of the primary. */
export const refuseOther =
  (expected: () => string | undefined) =>
  (client: PoolClient, done: (error?: Error) => void): void => {
    client
      .query<{ identity: string }>(identity)
      .then(({ rows: [found] }) => done(found!.identity === expected() ? undefined : new NotReplica()), done)
  }

/** A server that is not a replica of the primary. */
export class NotReplica extends StorageError {
  constructor() {
    super(
      'DATABASE_REFUSED',
      'The server of SPECBOARD_DATABASE_READ_URL is not a standby of the database of SPECBOARD_DATABASE_URL.',
    )
  }
}

/** Asks once for all callers in the same turn of the event loop. */
export function coalesced<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let asking: Promise<Value> | undefined
  return () => {
    asking ??= turnEnd().then(() => {
      // Later callers may know of a later commit.
      asking = undefined
      return ask()
    })
    return asking
  }
}
