import { sql } from 'kysely'
import type { ValueSql } from '../dialect.ts'
import { joined, type Sql, type Value } from '../sql.ts'
import { number, string, type Type } from '../types.ts'

/** The data type of values, null included. */
function dataType(type: Type): Sql {
  switch (type.kind) {
    case 'number':
      return sql.raw(type.form === 'integer' ? 'bigint' : type.form === 'real' ? 'double precision' : 'numeric')
    case 'boolean':
      return sql.raw('boolean')
    case 'scalar':
    case 'list':
    case 'path':
    case 'any':
      return sql.raw('jsonb')
    default:
      return sql.raw('text')
  }
}

/** A text in byte order, regardless of the database's collation. */
export const byBytes = (text: Sql): Sql => sql`${text} collate "C"`

/** The text of a JSON value; null if the value is not a text. */
export const textOf = (json: Sql): Sql => sql`case jsonb_typeof(${json}) when 'string' then ${json} #>> '{}' end`

/** The number of a JSON value, of the type `number`; null if the value is not a number. */
export const numberOf = (json: Sql): Sql => sql`case jsonb_typeof(${json}) when 'number' then ${json}::numeric end`

/** The text of a value; null if the value is not a text. */
export const asText = (value: Value): Sql =>
  value.type.kind === 'scalar'
    ? sql`(${textOf(value.sql)})`
    : as(value.type.kind === 'string' ? value : { ...value, type: { kind: 'null' } }, string)

/** The number of a value, of the type `number`; null if the value is not a number. */
export const asNumber = (value: Value): Sql =>
  value.type.kind === 'scalar'
    ? sql`(${numberOf(value.sql)})`
    : as(value.type.kind === 'number' ? value : { ...value, type: { kind: 'null' } }, number)

/**
 * A value in the form that values of a type have: an integer is bigint or smaller, a real double precision, a number of
 * a form known at run time numeric (`cypher_number`), a string or number jsonb, as lists and paths are.
 */
function as({ sql: value, type: from }: Value, to: Type): Sql {
  if (from.kind === 'null') return sql`cast(null as ${dataType(to)})`
  if (to.kind === 'scalar' && from.kind !== 'scalar')
    return sql`to_jsonb(${from.kind === 'number' ? as({ sql: value, type: from }, number) : value})`
  if (from.kind !== 'number' || to.kind !== 'number' || from.form === to.form) return value
  if (to.form === 'real') return from.form === null ? sql`cypher_real(${value})` : sql`(${value})::double precision`
  return from.form === 'real' ? sql`cypher_number(${value})` : sql`(${value})::${dataType(to)}`
}

export const values: ValueSql = {
  text: value => sql`cast(${value} as text)`,
  as,
  compared: (operator, left, right) => {
    const word = sql.raw(operator)
    const numbers = [left.type, right.type].some(type => type.kind === 'number' && type.form === null)
    if (numbers) return sql`(${as(left, number)} ${word} ${as(right, number)})`
    const ordered = left.type.kind === 'string' && operator !== '=' && operator !== '<>'
    return sql`(${ordered ? byBytes(left.sql) : left.sql} ${word} ${right.sql})`
  },
  comparedByKind: (operator, left, right) => {
    const word = sql.raw(operator)
    return sql`coalesce(${byBytes(asText(left))} ${word} ${asText(right)}, ${asNumber(left)} ${word} ${asNumber(right)})`
  },
  sortKeys: value => {
    const { type } = value
    if (type.kind === 'scalar')
      return [sql`jsonb_typeof(${value.sql}) = 'string'`, asNumber(value), byBytes(asText(value))]
    if (type.kind === 'number' || type.kind === 'boolean') return [value.sql]
    return [byBytes(as(value, string))]
  },
  idOrder: byBytes,
  extreme: (which, value) => {
    const { sql: all, type } = value
    if (type.kind === 'boolean') return sql`${sql.raw(which === 'min' ? 'bool_and' : 'bool_or')}(${all})`
    if (type.kind !== 'scalar')
      return sql`${sql.raw(which)}(${type.kind === 'number' ? all : byBytes(as(value, string))})`
    const order = values.sortKeys(value).map(key => sql`${key} ${sql.raw(which === 'min' ? 'asc' : 'desc')}`)
    return sql`(array_agg(${all} order by ${joined(order, ', ')}) filter (where ${all} is not null))[1]`
  },
}
