/** Conditions that name the board of the rows that a query reads; they have no effect on SQLite. */
import { dialect } from '@specboard/storage'
import { type Expression, type SqlBool, sql } from 'kysely'

/** A record, and the board that it is on: with both, an engine that places rows by board finds its parts in one place. */
export interface OnBoard {
  readonly id: string
  readonly board_id: string
}

/** The condition that the rows of a table, or an alias of it, are on a board. */
export const onBoard = (table: string, board: string | Expression<string | null>): Expression<SqlBool> =>
  dialect.onBoard(sql.ref(`${table}.board_id`), board)

/** The condition that the rows of a table are on the board of a record of another table, given only the record's id. */
export const onBoardOf = (table: string, records: string, id: string | Expression<string>): Expression<SqlBool> =>
  onBoard(table, sql<string>`(select o.board_id from ${sql.table(records)} o where o.id = ${id})`)

/**
 * The condition that two rows of a query are on the same board. It states what is already known about related records,
 * so that an engine that places rows by board finds both in one place.
 */
export const sameBoard = (one: string, other: string): Expression<SqlBool> =>
  onBoard(one, sql.ref<string>(`${other}.board_id`))
