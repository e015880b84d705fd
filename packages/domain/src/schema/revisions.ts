/** The tables whose rows count how often their own fields have changed (crew 2.1). */
import { type TableName, tables } from './tables/all.ts'

/**
 * The columns of a record's own fields, by table: what its update operation can change, and its status. Excluded are
 * fields with a tag of their own, such as the inline knowledge of cards.
 */
export const ownColumns: ReadonlyMap<string, readonly string[]> = new Map(
  tables.flatMap(({ name, columns }) => {
    const own = Object.keys(columns).filter(column => columns[column]!.isOwn)
    return own.length === 0 ? [] : [[name, own]]
  }),
)

/** The tables of the kinds of record that have a `rev`, as the event log names them. */
export const revisedTables: ReadonlyMap<string, TableName> = new Map(
  tables.flatMap(({ type, name }) => (type !== undefined && ownColumns.has(name) ? [[type, name]] : [])),
)

/** The columns whose change increments the `rev` of a row; none if `rev` itself is among them. */
export const raising = (table: string, columns: readonly string[]): readonly string[] =>
  columns.includes('rev') ? [] : (ownColumns.get(table) ?? []).filter(name => columns.includes(name))
