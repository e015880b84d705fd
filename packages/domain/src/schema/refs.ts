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
