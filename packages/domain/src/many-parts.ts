import { type SqlBool, sql } from 'kysely'
import type { Call } from './kernel/service/call.ts'
import { parseReference } from './lib/reference.ts'
import type { Db } from './schema/database.ts'
import { hot } from './schema/hot.ts'
import { onBoardOf } from './schema/same-board.ts'

/** The number of parts from which a record is read outside the thread that serves all others. */
const many = 200

interface RecordName {
  id: string
  /** The reference, if the record is named by it. */
  key: string
  number: number
}

/** Whether a record has many parts; they are counted in an index, only until there are more than that. */
const partsQuery = (table: 'ideations' | 'refinements', parts: readonly (readonly [table: string, column: string])[]) =>
  hot<RecordName, { many: SqlBool }>((_, param) => {
    const named = sql<string>`coalesce((select r.id from boards b join ${sql.table(table)} r on r.board_id = b.id
      where b.key = ${param('key')} and r.number = ${param('number')}), ${param('id')})`
    const found = parts.map(
      ([part, column]) => sql`select 1 from ${sql.table(part)} p
        where ${sql.ref(`p.${column}`)} = ${named} and ${onBoardOf('p', table, named)}`,
    )
    return sql<{ many: SqlBool }>`select count(*) > ${sql.lit(many)} as many
      from (select 1 from (${sql.join(found, sql` union all `)}) parts limit ${sql.lit(many + 1)}) counted`
  })

/**
 * The reads of one record whose answer contains everything made from it, each with the check of whether that is a lot.
 */
const reads: Readonly<Record<string, { readonly param: string; readonly parts: ReturnType<typeof partsQuery> }>> = {
  get_ideation: {
    param: 'ideation_id',
    parts: partsQuery('ideations', [
      ['specs', 'ideation_id'],
      ['refinements', 'ideation_id'],
    ]),
  },
  get_refinement: { param: 'refinement_id', parts: partsQuery('refinements', [['specs', 'refinement_id']]) },
}

/** Checks whether a call reads a record with many parts; undefined for calls that cannot. */
export function manyPartsCheck({ operation, input }: Call): ((db: Db) => Promise<boolean>) | undefined {
  const read = reads[operation.name]
  if (read === undefined) return undefined
  const id = String(input.params[read.param])
  const { key, number } = parseReference(id) ?? { key: '', number: 0 }
  return async db => Boolean((await read.parts(db, { id, key, number }))[0]!.many)
}
