import { sql } from 'kysely'
import type { ValueSql } from '../dialect.ts'

/** SQLite's values have their types at run time: truth values are 1 and 0, lists and paths are JSON texts. */
export const values: ValueSql = {
  text: value => sql`${value}`,
  as: value => value.sql,
  compared: (operator, left, right) => sql`(${left.sql} ${sql.raw(operator)} ${right.sql})`,
  comparedByKind: (operator, left, right) => {
    const sameKind = sql`(typeof(${left.sql}) = 'text') = (typeof(${right.sql}) = 'text')`
    return sql`(case when ${left.sql} is null or ${right.sql} is null then null
      when ${sameKind} then ${left.sql} ${sql.raw(operator)} ${right.sql} end)`
  },
  sortKeys: value => [value.sql],
  idOrder: id => id,
  extreme: (which, value) => sql`${sql.raw(which)}(${value.sql})`,
}
