import { sql } from 'kysely'
import type { NumberSql } from '../dialect.ts'
import { whole } from '../sql.ts'
import { calculation, integer, number, real } from '../types.ts'
import { values } from './values.ts'

const { as } = values
const of = (distinct: boolean) => (distinct ? sql`distinct ` : sql``)

/** Integers and reals by their static types; where those leave it open, functions that decide at run time. */
export const numbers: NumberSql = {
  negated: value =>
    value.type.kind === 'number' && value.type.form === 'real'
      ? sql`(- ${value.sql})`
      : numbers.calculated('-', { sql: whole(0), type: integer }, value),
  calculated: (operator, left, right) => {
    const form = calculation(left.type, right.type)
    return sql`cypher_calculate(${sql.lit(operator)}, ${as(left, form)}, ${as(right, form)})`
  },
  absolute: value => {
    if (value.type.kind === 'number' && value.type.form === null) return sql`cypher_abs(${value.sql})`
    return sql`abs(${value.type.kind === 'number' && value.type.form === 'integer' ? sql`(${value.sql})::bigint` : value.sql})`
  },
  rounded: (value, places = { sql: whole(0), type: integer }) =>
    sql`cypher_round(${as(value, real)}, ${as(places, number)})`,
  sum: (value, distinct) => {
    const total = sql`sum(${of(distinct)}${as(value, number)})`
    if (value.type.kind !== 'number' || value.type.form === null) return sql`coalesce(cypher_total(${total}), 0)`
    return value.type.form === 'real' ? sql`coalesce(cypher_real(${total}), 0)` : sql`coalesce((${total})::bigint, 0)`
  },
  average: (value, distinct) => {
    const each = sql`${of(distinct)}${as(value, number)}`
    return sql`(cypher_real(sum(${each})) / nullif(count(${each}), 0))`
  },
}
