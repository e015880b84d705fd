import type { Db } from '../db.ts'

/** A stored row, with the values as both databases read them: texts, numbers, bytes and null. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A table to copy. */
export interface CopiedTable {
  readonly name: string
  /** Its columns, by name. */
  readonly columns: readonly string[]
  /** The tables that its rows reference. */
  readonly references: readonly string[]
}

/** The tables of a database from which rows are copied. */
export interface TablesToRead<Schema> {
  readonly db: Db<Schema>
  /**
   * Checks again whether somebody serves the database: a node may have had no connection at the first check.
   * @throws StorageError DATABASE_IN_USE
   */
  refuseServed(): Promise<void>
  /** All tables except those of the engine and the migrations. */
  list(): Promise<readonly CopiedTable[]>
  count(table: string): Promise<number>
  /** All rows, unordered, in pages. No other query may run during that time. */
  pages(table: CopiedTable): AsyncIterable<readonly StoredRow[]>
}

/** The tables of a database into which rows are copied, within one transaction. */
export interface TablesToFill<Schema> extends TablesToRead<Schema> {
  insert(table: CopiedTable, rows: readonly StoredRow[]): Promise<void>
}

/** The number of rows held in memory. */
export const pageSize = 1_000

/** Whether a table belongs to the engine or the migrations, and is not copied. */
export const isOwn = (name: string): boolean => /^(?:kysely|sqlite|specboard)_/.test(name)

/**
 * Tables in an order in which each comes after those that it references.
 * @throws Error when tables reference each other in a cycle
 */
export function byReference(tables: readonly CopiedTable[]): CopiedTable[] {
  const remaining = new Map(tables.map(table => [table.name, table]))
  const ordered: CopiedTable[] = []
  while (remaining.size > 0) {
    const free = [...remaining.values()].filter(({ name, references }) =>
      references.every(other => other === name || !remaining.has(other)),
    )
    if (free.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${[...remaining.keys()].join(', ')}.`)
    for (const table of free) remaining.delete(table.name)
    ordered.push(...free)
  }
  return ordered
}
