import { type RawBuilder, sql } from 'kysely'

/** The tables whose records have a reference. */
export type NumberedTable = 'ideations' | 'refinements' | 'specs' | 'sprints' | 'cards'

/** A row with the reference of its record. */
export interface Referred {
  ref: string
}

/** The reference of a record, in a query over its table or a name given to it (work 1). */
export const refOf = (table: NumberedTable | (string & {})): RawBuilder<string> =>
  sql<string>`(select boards.key from boards where boards.id = ${sql.ref(`${table}.board_id`)})
    || '-' || ${sql.ref(`${table}.number`)}`

/** The reference of a part of a record, in a query over the part's table: that of its record, a letter and its number (crew 8.2). */
const partRef = (
  table: string,
  letter: string,
  owners: readonly NumberedTable[],
  owner: string,
): RawBuilder<string> => {
  const records = owners.map(
    records => sql`(select b.key || '-' || r.number from ${sql.table(records)} r join boards b on b.id = r.board_id
      where r.id = ${sql.ref(`${table}.${owner}`)})`,
  )
  const record = records.length === 1 ? records[0]! : sql`coalesce(${sql.join(records)})`
  return sql<string>`${record} || ${sql.lit(`.${letter}`)} || ${sql.ref(`${table}.number`)}`
}

/** The records that have questions. */
export const questioned = ['cards', 'specs', 'ideations', 'refinements'] as const satisfies readonly NumberedTable[]

/** The reference of a question, in a query over questions. */
export const questionRef = partRef('questions', 'q', questioned, 'owner_id')

/** The reference of a comment, in a query over comments. */
export const commentRef = partRef('comments', 'c', ['cards'], 'card_id')
