import { sql } from 'kysely'
import type { TextSql } from '../dialect.ts'

export const texts: TextSql = {
  found: (operator, left, right) => {
    const [a, b] = [left.sql, right.sql]
    const condition = {
      CONTAINS: sql`(instr(${a}, ${b}) > 0)`,
      'STARTS WITH': sql`(substr(${a}, 1, length(${b})) = ${b})`,
      'ENDS WITH': sql`(case when ${b} = '' then ${a} is not null or null else substr(${a}, -length(${b})) = ${b} end)`,
    }[operator]
    if (left.type.kind === 'string' && right.type.kind === 'string') return condition
    return sql`(case when typeof(${a}) = 'text' and typeof(${b}) = 'text' then ${condition} end)`
  },
  joined: (left, right) => sql`(${left.sql} || ${right.sql})`,
  holds: (text, id) => sql`instr(${text}, ${id}) > 0`,
}
