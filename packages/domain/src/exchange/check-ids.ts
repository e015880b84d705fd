/** Checks whether all stored ids have the service's own form (walls 1). */
import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import type { Schema } from '../schema/tables.ts'
import { kindOf } from './kinds/kinds.ts'

/** A board or record whose id has another form than the service's. */
export interface OtherId {
  /** The kind of record, as archives name it. */
  readonly type: string
  readonly id: string
  /** Null if it belongs to no board. */
  readonly board_id: string | null
}

/** Ids of another form: their number, and the first of them. */
export interface OtherIds {
  readonly total: number
  readonly first: readonly OtherId[]
}

/** A table of records, and how the rows of one are selected as an `OtherId`. */
interface IdTable {
  readonly type: string
  readonly table: keyof Schema
  readonly board: RawBuilder<unknown>
}

const boardColumn = sql.ref('board_id')

/**
 * The records in archives, their parts with ids, and the agents. Not the knowledge on cards: whoever writes it there by
 * update_card chooses its id.
 */
const identified: readonly IdTable[] = [
  ...[...kindOf.values()]
    .filter(({ columns, type }) => Object.hasOwn(columns, 'id') && type !== 'history')
    .map(({ type, table }) => ({ type, table, board: type === 'board' ? sql.ref('id') : boardColumn })),
  { type: 'event', table: 'events', board: boardColumn },
  { type: 'version', table: 'architecture_versions', board: boardColumn },
  { type: 'payload', table: 'architecture_payloads', board: boardColumn },
  { type: 'agent', table: 'agents', board: sql`null` },
]

const otherIdsIn = ({ type, table, board }: IdTable) =>
  sql`select ${sql.lit(type)} as type, id, ${board} as board_id from ${sql.table(table)} where not ${dialect.isId(sql.ref('id'))}`

const otherIdsOf = sql.join(identified.map(otherIdsIn), sql` union all `)

/**
 * Finds the boards and records whose ids do not have the service's form: archives brought them before only that form
 * was accepted.
 * @param max how many of them are listed
 */
export async function otherIds(db: Db, max: number): Promise<OtherIds> {
  const { rows } = await sql<OtherId & { total: number }>`select type, id, board_id, count(*) over () as total
    from (${otherIdsOf}) other order by type <> 'board', type, id limit ${max}`.execute(db)
  return { total: rows[0]?.total ?? 0, first: rows.map(({ type, id, board_id }) => ({ type, id, board_id })) }
}
