import { type RawBuilder, sql } from 'kysely'
import type { Type } from './types.ts'

/** A piece of SQL. Names in it come only from the description of the graph; everything else is bound. */
export type Sql = RawBuilder<unknown>

/** A value of a query as SQL: a node or edge is its id, a list or path is JSON of ids. See `ValueSql.as` for the other kinds. */
export interface Value {
  readonly sql: Sql
  readonly type: Type
}

/** A column of the table with this alias. */
export const column = (alias: string, name: string): Sql => sql.ref(`${alias}.${name}`)

/** Pieces joined by a word. */
export const joined = (pieces: readonly Sql[], word: string): Sql => sql.join(pieces, sql.raw(word)) as Sql

/** The conditions joined by AND; true when there are none. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? sql`true`
    : joined(
        conditions.map(condition => sql`(${condition})`),
        ' and ',
      )

/** Conditions joined by a word as a balanced tree, so that many of them do not exceed SQLite's depth limit. */
export function balanced(conditions: readonly Sql[], word: 'AND' | 'OR'): Sql {
  const [first] = conditions
  if (first === undefined || conditions.length === 1) return first ?? sql`true`
  const half = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)]
  return sql`(${balanced(left, word)} ${sql.raw(word)} ${balanced(right, word)})`
}

/** An integer; the driver alone would bind it as a floating-point number. */
export const whole = (value: number): Sql => sql`cast(${value} as bigint)`
