import { sql } from 'kysely'
import type { BinaryOperator } from './ast.ts'
import { type Position, wrong } from './cypher-error.ts'
import type { Dialect, TextualOperator } from './dialect.ts'
import type { Value } from './sql.ts'
import { boolean, calculation, comparison, is, named, nothing, string, type Type } from './types.ts'

/** Null, of no particular kind. */
export const nullValue: Value = { sql: sql`null`, type: nothing }

/**
 * The comparison of two values; null when their kinds differ.
 * @throws CypherError when `<`, `>` and the like are applied to values that have no order
 */
export function compare(
  { values }: Dialect,
  operator: BinaryOperator,
  left: Value,
  right: Value,
  position: Position,
): Value {
  const ordering = operator !== '=' && operator !== '<>'
  const kind = comparison(left.type, right.type)
  if (ordering && kind === 'same' && !is(left.type, 'string', 'number', 'boolean'))
    return wrong(`${named(left.type)} has no order.`, position)
  if (kind === 'same' && left.type.kind === 'list') {
    const equal = sql`cypher_lists_equal(${left.sql}, ${right.sql})`
    return { sql: operator === '=' ? equal : sql`(not ${equal})`, type: boolean }
  }
  switch (kind) {
    case 'same':
      return { sql: values.compared(operator, left, right), type: boolean }
    case 'dynamic':
      return { sql: values.comparedByKind(operator, left, right), type: boolean }
    case 'never':
      return { sql: values.as(nullValue, boolean), type: boolean }
  }
}

/** CONTAINS, STARTS WITH and ENDS WITH; null when one of the values is not a string. */
export function textual({ texts, values }: Dialect, operator: TextualOperator, left: Value, right: Value): Value {
  const possible = mayBeText(left.type) && mayBeText(right.type)
  return { sql: possible ? texts.found(operator, left, right) : values.as(nullValue, boolean), type: boolean }
}

const mayBeText = ({ kind }: Type): boolean => kind === 'string' || kind === 'scalar'

/**
 * A sum, difference, product, quotient or remainder; `+` also concatenates strings.
 * @throws CypherError for values of any other kind
 */
export function arithmetic(
  { numbers, texts }: Dialect,
  operator: '+' | '-' | '*' | '/' | '%',
  left: Value,
  right: Value,
  position: Position,
): Value {
  if (is(left.type, 'number') && is(right.type, 'number')) {
    const unknown = left.type.kind === 'null' || right.type.kind === 'null'
    const type = unknown ? nothing : calculation(left.type, right.type)
    return { sql: numbers.calculated(operator, left, right), type }
  }
  if (operator === '+' && is(left.type, 'string', 'number') && is(right.type, 'string', 'number'))
    return { sql: texts.joined(left, right), type: string }
  return wrong(`${operator} does not take ${named(left.type)} and ${named(right.type)}.`, position)
}
