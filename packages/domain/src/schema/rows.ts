import { perDialect } from '@specboard/storage'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from './database.ts'
import { hot } from './hot.ts'
import { raising } from './revisions.ts'
import type { Schema } from './tables.ts'

type Row = Readonly<Record<string, unknown>>
type RowWrite = (db: Db, row: Row) => Promise<unknown>

/** Maximum number of statements of a kind to cache; limited, because callers update fields in any combination. */
const keptShapes = 500

/** Compiled statements of a kind, by table and columns; each table is written with few sets of columns. */
class Statements {
  readonly #shapes = new Map<string, RowWrite>()

  of(table: string, columns: readonly string[], build: () => RowWrite): RowWrite {
    const shape = `${table} ${columns.join()}`
    const cached = this.#shapes.get(shape)
    if (cached !== undefined) return cached
    const run = build()
    if (this.#shapes.size >= keptShapes) this.#shapes.delete(this.#shapes.keys().next().value!)
    this.#shapes.set(shape, run)
    return run
  }
}

const inserts = new Statements()
const updates = new Statements()

/** Inserts a whole row; the statement is compiled once. */
export async function insertRow<Table extends keyof Schema>(
  db: Db,
  table: Table,
  row: Readonly<Insertable<Schema[Table]>>,
): Promise<void> {
  const columns = Object.keys(row)
  const run = inserts.of(table, columns, () =>
    hot<Row, never>((_, param) => {
      const names = sql.join(columns.map(name => sql.ref(name)))
      return sql<never>`insert into ${sql.table(table)} (${names}) values (${sql.join(columns.map(param))})`
    }),
  )
  await run(db, row)
}

const manyInserts = new Statements()

/** Inserts many rows of the same columns by one statement, which is compiled once. */
export async function insertRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  rows: readonly Readonly<Insertable<Schema[Table]>>[],
): Promise<void> {
  const [first] = rows
  if (first !== undefined) await insertRowsOf(db, table, Object.keys(first), JSON.stringify(rows))
}

/**
 * The same for rows that are already JSON, as received from a thread: nothing of them is parsed here.
 * @param rows a list of objects with these columns
 */
export async function insertRowsOf(
  db: Db,
  table: keyof Schema,
  columns: readonly string[],
  rows: string,
): Promise<void> {
  const run = manyInserts.of(table, columns, () =>
    hot<Row, never>((_, param) => {
      const names = sql.join(columns.map(name => sql.ref(name)))
      const values = sql.join(columns.map(name => sql`value ->> ${sql.lit(`$.${name}`)}`))
      // In binary form, each row is parsed once, instead of once for each column.
      return sql<never>`insert into ${sql.table(table)} (${names}) select ${perDialect(
        sql`${values} from jsonb_each(${param('rows')})`,
        sql`${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${param('rows')}::jsonb)`,
      )}`
    }),
  )
  await run(db, { rows })
}

/**
 * Sets columns of the row with an id; does nothing when there is nothing to set. If this changes own fields of a
 * record, its `rev` is incremented. The statement is compiled once for each set of columns.
 */
export async function updateRow<Table extends keyof Schema>(
  db: Db,
  table: Table,
  id: string,
  changed: Readonly<Updateable<Schema[Table]>>,
): Promise<void> {
  const columns = Object.keys(changed)
  if (columns.length === 0) return
  const run = updates.of(table, columns, () =>
    hot<Row, never>((_, param) => {
      const own = raising(table, columns).map(name => sql`${sql.ref(name)} is distinct from ${param(name)}`)
      const raised = own.length === 0 ? [] : [sql`rev = rev + case when ${sql.join(own, sql` or `)} then 1 else 0 end`]
      const set = sql.join([...columns.map(name => sql`${sql.ref(name)} = ${param(name)}`), ...raised])
      return sql<never>`update ${sql.table(table)} set ${set} where ${sql.ref('id')} = ${param('id of the row')}`
    }),
  )
  await run(db, { ...changed, 'id of the row': id })
}
