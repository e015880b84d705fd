import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { briefly } from './brief.ts'
import { clientConfig } from './client-config.ts'
import type { PostgresConnection } from './connections.ts'
import { pendingPostgresMigrations } from './migrate.ts'
import { servingNodes } from './served.ts'
import type { ServerFacts } from './suitability.ts'
import type { UnlockedPostgres } from './unlocked.ts'

/** How long an announcement may take, ms. */
const announceMs = 2_000

/** Settings of a server that affect durability, with their safe values. */
const durability: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
}

/** The state of a PostgreSQL database and its server. */
export interface PostgresInspection extends Omit<ServerFacts, 'version_num'> {
  /** The TLS version; undefined for a connection without TLS. */
  readonly tls: string | undefined
  /** The clock of the server, ms. */
  readonly clock: number
  /** Settings with which the server may lose committed data, as `name=value`. */
  readonly unsafe: readonly string[]
  readonly connections: { readonly max: number; readonly used: number }
  /** The nodes that are serving the database. */
  readonly nodes: number
  /** Whether every role of the server may connect to the database, and so notify its nodes. */
  readonly isOpenToAll: boolean
  /** Whether the role may limit the size of a query's temporary files. */
  readonly mayLimitFiles: boolean
  /**
   * Whether announcements reach other connections, since a pooler may swallow them; undefined if announcements are not
   * sent this way.
   */
  readonly announces: boolean | undefined
  readonly pendingMigrations: readonly string[]
  /** The number of rows, by table; empty while migrations are pending. */
  readonly rows: Readonly<Record<string, number>>
}

interface Facts extends Omit<ServerFacts, 'version_num'> {
  readonly tls: string | null
  readonly clock: number
  readonly most: number
  readonly used: number
  readonly open_to_all: boolean
  readonly may_limit_files: boolean
}

/**
 * Inspects a database that nodes may be serving.
 * @param isNotified whether its nodes receive announcements as notifications
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, DATABASE_NEWER
 */
export const inspectPostgres = (
  { url, migrations }: UnlockedPostgres,
  tables: readonly string[],
  isNotified = true,
): Promise<PostgresInspection> =>
  briefly(url, async ({ connection, address }) => {
    const { tls, most, used, open_to_all, may_limit_files, ...facts } = await factsOf(connection)
    const pending = await pendingPostgresMigrations(connection, migrations)
    return {
      ...facts,
      tls: tls ?? undefined,
      connections: { max: most, used },
      nodes: await servingNodes(connection),
      isOpenToAll: open_to_all,
      mayLimitFiles: may_limit_files,
      unsafe: await unsafeSettings(connection),
      announces: isNotified ? await announces(connection, address) : undefined,
      pendingMigrations: pending,
      rows: pending.length > 0 ? {} : await rowsOf(connection, tables),
    }
  })

/** A role sees only the kind of its own connections, so all of them are counted, including a few server workers. */
async function factsOf(connection: PostgresConnection): Promise<Facts> {
  const { rows } = await connection.run<Facts>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      (select version from pg_stat_ssl where pid = pg_backend_pid()) as tls,
      round(extract(epoch from clock_timestamp()) * 1000)::bigint as clock,
      current_setting('max_connections')::integer as most,
      (select sum(numbackends) from pg_stat_database where datid <> 0)::integer as used,
      has_database_privilege('public', current_database(), 'connect') as open_to_all,
      has_parameter_privilege('temp_file_limit', 'set') as may_limit_files`,
  )
  return rows[0]!
}

async function unsafeSettings(connection: PostgresConnection): Promise<string[]> {
  const { rows } = await connection.run<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`,
  )
  return rows
    .filter(({ name, setting }) => !durability[name]!.includes(setting))
    .map(row => `${row.name}=${row.setting}`)
}

/** Whether a connection receives what another one announces. */
async function announces(connection: PostgresConnection, address: string): Promise<boolean> {
  const listener = new Client({ ...clientConfig(address), application_name: 'specboard doctor' })
  listener.on('error', () => {})
  const channel = `specboard_${randomUUID().replaceAll('-', '')}`
  try {
    await listener.connect()
    const heard = new Promise<boolean>(resolve => {
      listener.once('notification', () => resolve(true))
      setTimeout(() => resolve(false), announceMs).unref()
    })
    await listener.query(`listen ${channel}`)
    await connection.run('select pg_notify($1, $2)', [channel, ''])
    return await heard
  } finally {
    await listener.end().catch(() => {})
  }
}

async function rowsOf(connection: PostgresConnection, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await connection.run<{ count: number }>(`select count(*) as count from ${table}`)
    counts[table] = rows[0]!.count
  }
  return counts
}
