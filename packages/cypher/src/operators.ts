import { sql } from 'kysely'
import type { BinaryOperator } from './ast.ts'
import { type Position, wrong } from './cypher-error.ts'
import type { Value } from './sql.ts'
import { boolean, comparison, is, named, nothing, number, string, type Type } from './types.ts'

/** Null, of no particular kind. */
export const nullValue: Value = { sql: sql`null`, type: nothing }

/**
 * The comparison of two values; null when their kinds differ.
 * @throws CypherError when `<`, `>` and the like are applied to values that have no order
 */
export function compare(operator: BinaryOperator, left: Value, right: Value, position: Position): Value {
  const ordering = operator !== '=' && operator !== '<>'
  const kind = comparison(left.type, right.type)
  if (ordering && kind === 'same' && !is(left.type, 'string', 'number', 'boolean'))
    return wrong(`${named(left.type)} has no order.`, position)
  if (kind === 'same' && left.type.kind === 'list') {
    const equal = sql`lists_equal(${left.sql}, ${right.sql})`
    return { sql: operator === '=' ? equal : sql`(not ${equal})`, type: boolean }
  }
  const pair = sql`${left.sql} ${sql.raw(operator)} ${right.sql}`
  if (kind === 'same') return { sql: sql`(${pair})`, type: boolean }
  if (kind === 'never') return { sql: sql`null`, type: boolean }
  const sameKind = sql`(typeof(${left.sql}) = 'text') = (typeof(${right.sql}) = 'text')`
  return {
    sql: sql`(case when ${left.sql} is null or ${right.sql} is null then null when ${sameKind} then ${pair} end)`,
    type: boolean,
  }
}

/** CONTAINS, STARTS WITH and ENDS WITH; null when one of the values is not a string. */
export function textual(operator: 'CONTAINS' | 'STARTS WITH' | 'ENDS WITH', left: Value, right: Value): Value {
  if (!mayBeText(left.type) || !mayBeText(right.type)) return { sql: sql`null`, type: boolean }
  const [a, b] = [left.sql, right.sql]
  const found = {
    CONTAINS: sql`(instr(${a}, ${b}) > 0)`,
    'STARTS WITH': sql`(substr(${a}, 1, length(${b})) = ${b})`,
    'ENDS WITH': sql`(case when ${b} = '' then ${a} is not null or null else substr(${a}, -length(${b})) = ${b} end)`,
  }[operator]
  if (left.type.kind === 'string' && right.type.kind === 'string') return { sql: found, type: boolean }
  return {
    sql: sql`(case when typeof(${a}) = 'text' and typeof(${b}) = 'text' then ${found} end)`,
    type: boolean,
  }
}

const mayBeText = ({ kind }: Type): boolean => kind === 'string' || kind === 'scalar'

/**
 * A sum, difference, product, quotient or remainder; `+` also concatenates strings.
 * @throws CypherError for values of any other kind
 */
export function arithmetic(
  operator: '+' | '-' | '*' | '/' | '%',
  left: Value,
  right: Value,
  position: Position,
): Value {
  const numbers = is(left.type, 'number') && is(right.type, 'number')
  const texts = operator === '+' && is(left.type, 'string', 'number') && is(right.type, 'string', 'number')
  if (numbers) {
    const type = left.type.kind === 'null' || right.type.kind === 'null' ? nothing : number
    if (operator !== '%') return { sql: sql`(${left.sql} ${sql.raw(operator)} ${right.sql})`, type }
    const wholes = sql`typeof(${left.sql}) = 'integer' and typeof(${right.sql}) = 'integer'`
    return {
      sql: sql`(case when ${wholes} then ${left.sql} % ${right.sql} else mod(${left.sql}, ${right.sql}) end)`,
      type,
    }
  }
  if (texts) return { sql: sql`(${left.sql} || ${right.sql})`, type: string }
  return wrong(`${operator} does not take ${named(left.type)} and ${named(right.type)}.`, position)
}
