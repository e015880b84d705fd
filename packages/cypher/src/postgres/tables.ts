import { sql } from 'kysely'
import type { TableSql } from '../dialect.ts'
import { column, joined, type Sql } from '../sql.ts'
import { byBytes } from './values.ts'

const columnName = (position: number): string => `m${position}`

const selected = (columns: readonly Sql[]): Sql =>
  joined(
    columns.map((each, position) => sql`${each} as ${sql.ref(columnName(position))}`),
    ', ',
  )

export const tables: TableSql = {
  join: sql`cross join`,
  filtering: name => name,
  // The transaction has a time limit.
  timed: () => [],
  id: id => sql`${byBytes(sql`(${id})::text`)}`,
  dependent: (columns, rest, alias) => sql`lateral (select ${selected(columns)}${rest}) as ${sql.ref(alias)}`,
  recursive: (query, columns, rest, alias) =>
    sql`lateral (${query} select ${selected(columns)}${rest}) as ${sql.ref(alias)}`,
  dependentColumn: (alias, position) => column(alias, columnName(position)),
  // A table's columns follow from its primary key.
  groupedWith: (alias, { primaryKey }) => [column(alias, primaryKey)],
}
