import type { Db } from './database.ts'
import { hot } from './hot.ts'
import type { Schema } from './tables.ts'

type Row = Readonly<Record<string, unknown>>
type Run = (db: Db, row: Row) => Promise<unknown>

/** Statements kept of a kind; callers choose which fields they change, in whatever combination. */
const keptShapes = 500

/** Compiled statements of a kind by table and columns: a table is written in few shapes. */
class Statements {
  readonly #shapes = new Map<string, Run>()

  of(table: string, columns: readonly string[], build: () => Run): Run {
    const shape = `${table} ${columns.join()}`
    const known = this.#shapes.get(shape)
    if (known !== undefined) return known
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
  row: Readonly<Schema[Table]>,
): Promise<void> {
  const columns = Object.keys(row)
  const run = inserts.of(table, columns, () =>
    hot<Row, never>(
      (at, param) =>
        at.insertInto(table).values(Object.fromEntries(columns.map(name => [name, param(name)])) as never) as never,
    ),
  )
  await run(db, row as Row)
}

/** Sets columns of the row with an id; the statement is compiled once for each set of columns. Nothing to set: no statement. */
export async function updateRow<Table extends keyof Schema>(
  db: Db,
  table: Table,
  id: string,
  changed: Readonly<Partial<Schema[Table]>>,
): Promise<void> {
  const columns = Object.keys(changed)
  if (columns.length === 0) return
  const run = updates.of(table, columns, () =>
    hot<Row, never>(
      (at, param) =>
        at
          .updateTable(table as 'boards')
          .set(Object.fromEntries(columns.map(name => [name, param(name)])) as never)
          .where('id' as never, '=', param('id of the row') as never) as never,
    ),
  )
  await run(db, { ...(changed as Row), 'id of the row': id })
}
