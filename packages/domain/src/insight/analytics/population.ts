/** The records that a figure is measured from, and how queries select them. Archived records are left out. */

import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { OnBoard } from '../../schema/same-board.ts'
import { always, boundsOf, type Range } from './periods.ts'

/** Selects records whose column has one of the ids and that were created within the range. */
export interface Population {
  /** Ids of boards, specs, sprints, or of the records themselves. */
  readonly ids: readonly string[]
  readonly range: Range
  /** The board that the records with these ids are on; null if the ids are ids of boards. */
  readonly board: string | null
}

/** The population of a board over all time. */
export const allOf = (board: string): Population => ({ ids: [board], board: null, range: always })

/** The population of a record over all time. */
export const allOfRecord = ({ id, board_id }: OnBoard): Population => ({ ids: [id], board: board_id, range: always })

interface Parameters {
  readonly ids: string
  readonly boards: string
  readonly from: string
  readonly to: string
}

/** Gives the placeholder for a parameter of a population's query. */
export type Placeholder = (name: keyof Parameters) => unknown

/** Matches rows whose column, `alias.name`, has one of the ids. */
export const among = (column: string, param: (name: 'ids') => unknown) =>
  dialect.inList(sql.ref(column), param('ids') as string)

/** Matches rows of an alias that are not archived and were created in the range. */
export const counting = (alias: string, param: Placeholder): RawBuilder<unknown> => {
  const created = sql.ref<string>(`${alias}.created_at`)
  return sql`${sql.ref(`${alias}.archived`)} = 0
    and ${dialect.likely(sql`${created} >= ${param('from')}`)} and ${dialect.likely(sql`${created} <= ${param('to')}`)}`
}

/** Matches rows of an alias that belong to the population by this column. */
export const within = (alias: string, column: string, param: Placeholder): RawBuilder<unknown> =>
  sql`${among(`${alias}.${column}`, param)} and ${onBoards(alias, param)} and ${counting(alias, param)}`

/** Limits rows to the boards of the population; redundant where the rows are selected by their board. */
const onBoards = (alias: string, param: Placeholder) =>
  dialect.onBoards(sql.ref(`${alias}.board_id`), param('boards') as string)

/** A reader of rows by any of the columns: one compiled query for each, whatever the size of the board. */
export function reader<Column extends string, Row>(
  columns: readonly Column[],
  query: (column: Column, param: Placeholder) => RawBuilder<Row>,
): (db: Db, column: Column, population: Population) => Promise<Row[]> {
  const queries = new Map(columns.map(column => [column, hot<Parameters, Row>((_, param) => query(column, param))]))
  return (db, column, { ids, range, board }) =>
    queries.get(column)!(db, {
      ids: JSON.stringify(ids),
      boards: JSON.stringify(board === null ? ids : [board]),
      ...boundsOf(range),
    })
}
