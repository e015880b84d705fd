import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { tableNamed, tables } from '../../schema/tables/all.ts'
import { kindOf } from '../kinds/kinds.ts'
import type { JudgedRecord } from './judging/judging.ts'
import type { Repair } from './link-ends.ts'

/**
 * The references from planning records to their owners: an owner shows counts of its children, and is deleted together
 * with them.
 */
const owners = tables.flatMap(({ name, isNumbered, columns }) =>
  Object.keys(isNumbered ? columns : {})
    .filter(column => tableNamed(columns[column]!.references?.table ?? '')?.isNumbered)
    .map(column => [name, column] as const),
)

/** Records whose owners are looked up together. */
const atOnce = 500

/**
 * The records that an import creates or changes, and those that they reference or belong to: everything that its last
 * pieces touch.
 */
export class RecordsOfImport {
  readonly #written = new Set<string>()
  readonly #named = new Set<string>()

  add({ record, here, row }: JudgedRecord): void {
    this.#written.add(here)
    for (const [name, { names, namesInside }] of Object.entries(kindOf.get(record.type)!.columns)) {
      const value = row[name]
      if (typeof value === 'string' && (names !== undefined || namesInside)) this.#named.add(value)
    }
  }

  /** Adds a record whose links change. */
  addRepair({ id }: Repair): void {
    this.#written.add(id)
  }

  /** The ids of all of them, with the records of the board that they belong to at any level. */
  async ids(read: <Value>(run: (ctx: { readonly db: Db }) => Promise<Value>) => Promise<Value>): Promise<Set<string>> {
    const found = new Set([...this.#written, ...this.#named])
    let below = [...found]
    while (below.length > 0) {
      const above: string[] = []
      for (let at = 0; at < below.length; at += atOnce)
        above.push(...(await read(({ db }) => ownersOf(db, below.slice(at, at + atOnce)))))
      below = above.filter(id => !found.has(id))
      for (const id of below) found.add(id)
    }
    return found
  }
}

async function ownersOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const list = sql.val(JSON.stringify(ids))
  const { rows } = await sql<{ id: string }>`${sql.join(
    owners.map(
      ([table, column]) => sql`select ${sql.ref(column)} as id from ${sql.table(table)}
        where ${dialect.inList(sql.ref('id'), list)} and ${sql.ref(column)} is not null`,
    ),
    sql` union `,
  )}`.execute(db)
  return rows.map(({ id }) => id)
}
