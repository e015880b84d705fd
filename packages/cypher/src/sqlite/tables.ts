import { sql } from 'kysely'
import type { TableSql } from '../dialect.ts'
import { column, joined } from '../sql.ts'

export const tables: TableSql = {
  join: sql`join`,
  // The plus keeps SQLite from using an index of the column.
  filtering: name => sql`+${name}`,
  timed: row => [sql`within(${row})`],
  id: id => id,
  // SQLite knows no lateral join: the rows become a JSON list, which is expanded again. They are made in a subquery of
  // their own, because an aggregate of outer columns alone would belong to the outer query.
  dependent: (columns, rest, alias) => {
    const rows = sql`select json_array(${joined(columns, ', ')}) as value${rest}`
    return sql`json_each((select json_group_array(json(f.value)) from (${rows}) as f)) as ${sql.ref(alias)}`
  },
  recursive: (query, columns, rest, alias) =>
    sql`json_each((${query} select json_group_array(json_array(${joined(columns, ', ')}))${rest})) as ${sql.ref(alias)}`,
  dependentColumn: (alias, position) => sql`json_extract(${column(alias, 'value')}, ${sql.lit(`$[${position}]`)})`,
  groupedWith: () => [],
}
