import { sql } from 'kysely'
import type { TextSql } from '../dialect.ts'
import type { Sql, Value } from '../sql.ts'
import { number, string } from '../types.ts'
import { asText, values } from './values.ts'

const textOf = (value: Value): Sql =>
  value.type.kind === 'number' ? sql`cypher_text(${values.as(value, number)})` : values.as(value, string)

export const texts: TextSql = {
  found: (operator, left, right) => {
    const [a, b] = [asText(left), asText(right)]
    return {
      CONTAINS: sql`(strpos(${a}, ${b}) > 0)`,
      'STARTS WITH': sql`starts_with(${a}, ${b})`,
      'ENDS WITH': sql`(right(${a}, length(${b})) = ${b})`,
    }[operator]
  },
  joined: (left, right) => sql`(${textOf(left)} || ${textOf(right)})`,
  holds: (text, id) => sql`strpos(${text}, ${id}) > 0`,
}
