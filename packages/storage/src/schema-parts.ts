/** Indexes and triggers of a database: whether they are those that the migrations made, and their repair. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import { errorMessage } from './error-message.ts'
import { type Migrations, migrateEmpty } from './migrate.ts'
import type { UnlockedDatabase } from './unlocked.ts'

/** The parts of a schema besides its tables, all of which follow from the migrations. */
export interface SchemaPart {
  readonly kind: 'function' | 'index' | 'trigger'
  readonly name: string
  /** The table that it is on; empty for a function. */
  readonly table: string
  /** The statement that makes it. */
  readonly definition: string
}

/** A part that is missing from a database, or differs from what the migrations make. */
export interface SchemaFault extends SchemaPart {
  readonly isMissing: boolean
}

/** A part that could not be recreated, and why. */
export interface UnrepairedPart {
  readonly name: string
  readonly reason: string
}

/** The expected parts that a database lacks or defines differently. */
export function schemaFaultsOf(expected: readonly SchemaPart[], found: readonly SchemaPart[]): SchemaFault[] {
  const nameOf = ({ kind, name, table }: SchemaPart) => `${kind} ${name} ${table}`
  const definitions = new Map(found.map(part => [nameOf(part), part.definition]))
  return expected.flatMap(part => {
    const definition = definitions.get(nameOf(part))
    return definition === part.definition ? [] : [{ ...part, isMissing: definition === undefined }]
  })
}

/** Compares the indexes and triggers of a folder's database with those that the migrations make, without its lock. */
export async function schemaFaults({ folder, migrations }: UnlockedDatabase): Promise<SchemaFault[]> {
  const file = databaseFile(folder)
  if (!existsSync(file)) return []
  const connection = new Connection(file, { readonly: true, cacheMb: 4 })
  try {
    return schemaFaultsOf(await expectedParts(migrations), partsOf(connection))
  } finally {
    connection.close()
  }
}

/** Recreates parts of the schema, each separately; returns those that could not be created. */
export function repairSchema({ folder }: UnlockedDatabase, faults: readonly SchemaFault[]): UnrepairedPart[] {
  const connection = new Connection(databaseFile(folder), { readonly: false, cacheMb: 16 })
  try {
    return faults.flatMap(({ kind, name, definition, isMissing }) => {
      const dropped = isMissing ? '' : `drop ${kind} "${name}";`
      return attempted(name, () => connection.exec(`begin immediate; ${dropped} ${definition}; commit`), connection)
    })
  } finally {
    connection.close()
  }
}

/** Rebuilds indexes that do not agree with their tables; returns those that could not be rebuilt. */
export function rebuildIndexes({ folder }: UnlockedDatabase, names: readonly string[]): UnrepairedPart[] {
  const connection = new Connection(databaseFile(folder), { readonly: false, cacheMb: 16 })
  try {
    return names.flatMap(name => attempted(name, () => connection.exec(`reindex "${name}"`), connection))
  } finally {
    connection.close()
  }
}

function attempted(name: string, act: () => void, connection: Connection): UnrepairedPart[] {
  try {
    act()
    return []
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    return [{ name, reason: errorMessage(error) }]
  }
}

/** The parts that the migrations create in an empty database. */
async function expectedParts(migrations: Migrations): Promise<SchemaPart[]> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-schema-'))
  try {
    const connection = new Connection(join(folder, 'empty.db'), { readonly: false, cacheMb: 4 })
    try {
      await migrateEmpty(connection, migrations)
      return partsOf(connection)
    } finally {
      connection.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The indexes of keys have no statement of their own. */
const partsOf = (connection: Connection): SchemaPart[] =>
  connection.rows<SchemaPart>(
    `select type as kind, name, tbl_name as "table", sql as definition from sqlite_schema
      where type in ('index', 'trigger') and sql is not null order by type, name`,
  )
