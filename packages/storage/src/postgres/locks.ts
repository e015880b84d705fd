import type { PostgresConnection } from './connections.ts'

/** The lock that every unit of work shares, and that one without a name takes for itself. */
const allWork = 'specboard'

/**
 * Waits until no other unit of work, on any node, runs under a name; held until the transaction ends.
 * @param name undefined for a unit that runs alone
 */
export async function takeLock(connection: PostgresConnection, name: string | undefined): Promise<void> {
  if (name === undefined) await connection.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [allWork])
  else
    await connection.run(
      'select pg_advisory_xact_lock_shared(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))',
      [allWork, name],
    )
}
