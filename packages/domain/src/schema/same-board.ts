import { dialect } from '@specboard/storage'
import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * The condition that two rows of a query are on one board: what is known of records that belong to each other is said, so that
 * an engine that places rows by board finds both in one place. It says nothing on SQLite.
 */
export const sameBoard = (one: string, other: string): Expression<SqlBool> =>
  dialect.onBoard(sql.ref(`${one}.board_id`), sql.ref(`${other}.board_id`))
