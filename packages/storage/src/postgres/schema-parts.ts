/** Indexes, triggers and functions of a PostgreSQL database: whether they are those that the migrations made, and their repair. */
import { randomUUID } from 'node:crypto'
import { Kysely } from 'kysely'
import { errorMessage } from '../error-message.ts'
import type { Migrations } from '../migrate.ts'
import { type SchemaFault, type SchemaPart, schemaFaultsOf, type UnrepairedPart } from '../schema-parts.ts'
import { briefly } from './brief.ts'
import type { PostgresConnection } from './connections.ts'
import { codeOf } from './faults.ts'
import { migrationDialect } from './migrate.ts'
import type { UnlockedPostgres } from './unlocked.ts'

/** The parts of a schema as statements without schema names: functions before the triggers that call them. */
const parts = `select 'function' as kind,
    p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name, '' as "table",
    replace(pg_get_functiondef(p.oid), quote_ident(current_schema()) || '.', '') as definition
  from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select 'index', i.relname::text, t.relname::text,
    pg_get_indexdef(x.indexrelid, 0, true) || case when x.indisvalid then '' else ' (invalid)' end
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where t.relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_constraint c where c.conindid = i.oid)
  union all
  select 'trigger', g.tgname::text, t.relname::text,
    pg_get_triggerdef(g.oid, true) || case g.tgenabled when 'D' then ' (disabled)' else '' end
  from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal
  order by 1, 2, 3`

/**
 * Compares the functions, indexes and triggers of a database with those that the migrations make, while nodes may be
 * serving it.
 * @returns undefined if the role may not create the temporary schema for the comparison, which is rolled back
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED
 */
export const postgresSchemaFaults = ({ url, migrations }: UnlockedPostgres): Promise<SchemaFault[] | undefined> =>
  briefly(url, async ({ connection }) => {
    const found = await connection.run<SchemaPart>(parts)
    const expected = await expectedParts(connection, migrations)
    return expected && schemaFaultsOf(expected, found.rows)
  })

/**
 * Recreates parts of the schema, each separately; returns those that could not be created.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED
 */
export const repairPostgresSchema = (
  { url }: Pick<UnlockedPostgres, 'url'>,
  faults: readonly SchemaFault[],
): Promise<UnrepairedPart[]> =>
  briefly(url, async ({ connection }) => {
    const unmended: UnrepairedPart[] = []
    for (const fault of faults) {
      try {
        await mend(connection, fault)
      } catch (error) {
        unmended.push({ name: fault.name, reason: errorMessage(error) })
      }
    }
    return unmended
  })

async function mend(connection: PostgresConnection, { kind, name, table, definition, isMissing }: SchemaFault) {
  const of = kind === 'trigger' ? ` on ${quoted(table)}` : ''
  // A function is replaced, because triggers call it.
  const isDropped = !isMissing && kind !== 'function'
  await inTransaction(connection, async () => {
    await connection.exec('set local statement_timeout = 0')
    if (isDropped) await connection.exec(`drop ${kind} ${quoted(name)}${of}`)
    await connection.exec(definition)
    await connection.exec('commit')
  })
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The parts that the migrations create in an empty schema, which is rolled back with its transaction. */
async function expectedParts(
  connection: PostgresConnection,
  migrations: Migrations,
): Promise<readonly SchemaPart[] | undefined> {
  const scratch = `specboard_${randomUUID().replaceAll('-', '')}`
  try {
    return await inTransaction(connection, async () => {
      await connection.exec('set local statement_timeout = 0')
      await connection.exec(`create schema ${scratch}`)
      await connection.exec(`set local search_path to ${scratch}`)
      const db = new Kysely<unknown>({ dialect: migrationDialect(connection) })
      for (const name of Object.keys(migrations).toSorted()) await migrations[name]!.up(db)
      return (await connection.run<SchemaPart>(parts)).rows
    })
  } catch (error) {
    // The role may not create schemas, or the server accepts no writes.
    if (['42501', '25006'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

/** Runs something in a transaction, which is rolled back unless it was committed. */
async function inTransaction<Value>(connection: PostgresConnection, run: () => Promise<Value>): Promise<Value> {
  await connection.exec('begin')
  try {
    return await run()
  } finally {
    await connection.exec('rollback').catch(() => {})
  }
}
