import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'

/** The author of a text, and when it was written (crew 9.9). */
export interface Author {
  readonly id: string
  readonly name: string
  /**
   * The kind of the author at that time; `import` if the text came with an import, in which case `name` is whoever
   * imported it.
   */
  readonly kind: string
  readonly at: string
}

/** The authors of a record's texts, as far as its history shows. */
export interface Authors {
  /** By field, or by field and item id; the most recent change counts. */
  readonly byField: ReadonlyMap<string, Author>
  readonly creator: Author | null
}

interface Row {
  /** Null for the entry of the record's creation. */
  readonly field: string | null
  readonly actor_id: string
  readonly actor_name: string
  readonly actor_type: string
  readonly imported: number
  readonly created_at: string
}

/** The number of a record's newest entries that are examined. */
const maxEntries = 200

const isCreation = sql`coalesce(history_action, action) like '%created'`

/** The newest entry for each field that was changed, and the entry of the record's creation. */
const writers = hot<{ id: string }, Row>((_, param) => {
  const field = dialect.jsonText(sql.ref<string>('c.value'), 'field')
  return sql<Row>`
    with entries as (
      select seq, actor_id, actor_name, actor_type, imported, created_at, changes, action, history_action
        from events where entity_id = ${param('id')} order by seq desc limit ${sql.lit(maxEntries)}),
    changed as (
      select ${field} as field, entries.actor_id, entries.actor_name, entries.actor_type, entries.imported,
          entries.created_at, row_number() over (partition by ${field} order by entries.seq desc) as nth
        from entries cross join ${dialect.jsonElements(sql<string | null>`coalesce(entries.changes, '[]')`)} c
        where not coalesce(${isCreation}, false))
    select field, actor_id, actor_name, actor_type, imported, created_at from changed where nth = 1
    union all
    select null, actor_id, actor_name, actor_type, imported, created_at from entries where ${isCreation}`
})

/** The last author of each text of a record, and the record's creator (crew 9.9), in one query. */
export async function authorsOf(db: Db, entityId: string): Promise<Authors> {
  const rows = await writers(db, { id: entityId })
  const authorOf = (row: Row): Author => ({
    id: row.actor_id,
    name: row.actor_name,
    kind: row.imported === 1 ? 'import' : row.actor_type,
    at: row.created_at,
  })
  const creation = rows.find(({ field }) => field === null)
  return {
    byField: new Map(rows.flatMap(row => (row.field === null ? [] : [[row.field, authorOf(row)] as const]))),
    creator: creation === undefined ? null : authorOf(creation),
  }
}
