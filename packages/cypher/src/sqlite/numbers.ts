import { sql } from 'kysely'
import type { NumberSql } from '../dialect.ts'

const of = (distinct: boolean) => (distinct ? sql`distinct ` : sql``)

export const numbers: NumberSql = {
  negated: value => sql`(- ${value.sql})`,
  calculated: (operator, { sql: left }, { sql: right }) => {
    if (operator !== '%') return sql`(${left} ${sql.raw(operator)} ${right})`
    const integers = sql`typeof(${left}) = 'integer' and typeof(${right}) = 'integer'`
    return sql`(case when ${integers} then ${left} % ${right} else mod(${left}, ${right}) end)`
  },
  absolute: value => sql`abs(${value.sql})`,
  rounded: (value, places) =>
    places === undefined ? sql`round(${value.sql})` : sql`round(${value.sql}, ${places.sql})`,
  sum: (value, distinct) => sql`coalesce(sum(${of(distinct)}${value.sql}), 0)`,
  average: (value, distinct) => sql`avg(${of(distinct)}${value.sql})`,
}
