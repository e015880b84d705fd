import {
  type CopiedTable,
  isOwn,
  pageSize,
  type StoredRow,
  type TablesToFill,
  type TablesToRead,
} from '../copy/tables.ts'
import type { Db } from '../db.ts'
import { type Migrations, olderDatabase } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import { briefly } from './brief.ts'
import type { PostgresConnection } from './connections.ts'
import { lockOutUnits, takeLock, takeMovingLock } from './locks.ts'
import { migratePostgres, pendingPostgresMigrations } from './migrate.ts'
import { refuseServed } from './served.ts'
import { beginRead, beginWrite, transaction } from './transaction.ts'
import type { UnlockedPostgres } from './unlocked.ts'

/**
 * Reads all tables of a database as of one moment; nothing else is written during that time. The database must be of
 * exactly this version, and no node may serve it.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, NO_DATABASE, DATABASE_IN_USE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readPostgresTables = <Schema, Value>(
  { url, migrations }: UnlockedPostgres,
  run: (tables: TablesToRead<Schema>) => Promise<Value>,
): Promise<Value> =>
  alone(url, async connection => {
    const pending = await pendingPostgresMigrations(connection, migrations)
    if (pending.length === Object.keys(migrations).length)
      throw new StorageError('NO_DATABASE', 'The PostgreSQL database is empty.')
    if (pending.length > 0) throw olderDatabase()
    // Before the transaction, whose first statement determines what it sees.
    await lockOutUnits(connection)
    return transaction<Schema, Value>(connection, beginRead, db => run(tablesOf(connection, db)))
  })

/**
 * Creates the tables of an empty database and fills them in one transaction in which none of our triggers run.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, DATABASE_IN_USE, DATABASE_NEWER, DATABASE_FILLED
 */
export const fillPostgresTables = <Schema, Value>(
  { url, migrations }: UnlockedPostgres,
  run: (tables: TablesToFill<Schema>) => Promise<Value>,
): Promise<Value> =>
  alone(url, async connection => {
    await refuseForeignTables(connection, migrations)
    await migratePostgres(connection, migrations)
    const value = await transaction<Schema, Value>(connection, beginWrite, async db => {
      await takeLock(connection, undefined)
      const tables = tablesOf(connection, db)
      const names = (await tables.list()).map(({ name }) => name)
      for (const name of names) await connection.exec(`alter table ${name} disable trigger user`)
      const indexes = await withoutWordIndexes(connection)
      const filled = await run({ ...tables, insert: inserter(connection) })
      for (const definition of indexes) await connection.exec(definition)
      for (const name of names) await connection.exec(`alter table ${name} enable trigger user`)
      await continueCounting(connection)
      return filled
    })
    await connection.exec('analyze')
    return value
  })

/** Runs something while no node serves the database, and none can start. */
const alone = <Value>(url: string, run: (connection: PostgresConnection) => Promise<Value>): Promise<Value> =>
  briefly(url, async ({ connection }) => {
    await connection.exec(`set idle_in_transaction_session_timeout = 0`)
    await takeMovingLock(connection)
    await refuseServed(connection)
    return run(connection)
  })

/** @throws StorageError DATABASE_FILLED for a database with tables of another program */
async function refuseForeignTables(connection: PostgresConnection, migrations: Migrations): Promise<void> {
  const pending = await pendingPostgresMigrations(connection, migrations)
  if (pending.length < Object.keys(migrations).length) return
  const { rows } = await connection.run<{ name: string }>(
    'select tablename::text as name from pg_tables where schemaname = current_schema() order by 1 limit 3',
  )
  if (rows.length > 0)
    throw new StorageError(
      'DATABASE_FILLED',
      `The PostgreSQL database has tables of another program (${rows.map(({ name }) => name).join(', ')}). Name an empty one.`,
    )
}

const tablesOf = <Schema>(connection: PostgresConnection, db: Db<Schema>): TablesToRead<Schema> => ({
  db,
  refuseServed: () => refuseServed(connection),
  list: () => listed(connection),
  count: async table =>
    (await connection.run<{ count: number }>(`select count(*) as count from ${table}`)).rows[0]!.count,
  async *pages({ name, columns }) {
    await connection.exec(`declare copied no scroll cursor for select ${columns.join(', ')} from ${name}`)
    try {
      for (;;) {
        const rows = await connection.fetch<StoredRow>(`fetch ${pageSize} from copied`)
        if (rows.length > 0) yield rows
        if (rows.length < pageSize) return
      }
    } finally {
      await connection.exec('close copied')
    }
  },
})

async function listed(connection: PostgresConnection): Promise<CopiedTable[]> {
  const { rows } = await connection.run<{ name: string; columns: string; references: string }>(
    `select t.relname::text as name,
      (select json_agg(a.attname order by a.attname::text collate "C") from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg(distinct f.confrelid::regclass::text) from pg_constraint f
        where f.conrelid = t.oid and f.contype = 'f'), '[]') as references
    from pg_class t where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace order by 1`,
  )
  return rows
    .filter(({ name }) => !isOwn(name))
    .map(({ name, columns, references }) => ({
      name,
      columns: JSON.parse(columns),
      references: JSON.parse(references),
    }))
}

/** Inserts a page of rows with one statement, a list for each column. */
function inserter(connection: PostgresConnection) {
  const statements = new Map<string, string>()
  const statementFor = async ({ name, columns }: CopiedTable): Promise<string> => {
    const cached = statements.get(name)
    if (cached !== undefined) return cached
    const { rows } = await connection.run<{ name: string; type: string }>(
      `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [name],
    )
    const types = new Map(rows.map(column => [column.name, column.type]))
    const lists = columns.map((column, index) => `$${index + 1}::${types.get(column)}[]`)
    const statement = `insert into ${name} (${columns.join(', ')}) select * from unnest(${lists.join(', ')})`
    statements.set(name, statement)
    return statement
  }
  return async (table: CopiedTable, rows: readonly StoredRow[]): Promise<void> => {
    const statement = await statementFor(table)
    await connection.run(
      statement,
      table.columns.map(column => rows.map(row => row[column])),
    )
  }
}

/** Drops the word indexes, which are built many times faster at the end; returns the statements that create them. */
async function withoutWordIndexes(connection: PostgresConnection): Promise<string[]> {
  const { rows } = await connection.run<{ name: string; definition: string }>(
    `select c.relname::text as name, pg_get_indexdef(c.oid) as definition from pg_class c join pg_am a on a.oid = c.relam
      where c.relkind = 'i' and a.amname = 'gin' and c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await connection.exec(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** Continues generated numbers after the largest one of each column. */
async function continueCounting(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.run<{ table: string; column: string }>(
    `select a.attrelid::regclass::text as table, a.attname::text as column from pg_attribute a
      join pg_class t on t.oid = a.attrelid
      where a.attidentity <> '' and t.relnamespace = current_schema()::regnamespace`,
  )
  for (const { table, column } of rows)
    await connection.run(
      `select setval(pg_get_serial_sequence($1, $2), coalesce((select max(${column}) from ${table}), 0) + 1, false)`,
      [table, column],
    )
}
