import type { CompiledQuery } from 'kysely'
import type { Engine } from './executor.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Makes the placeholder for a named value in a query. */
export type Param<Parameters> = <Name extends keyof Parameters & string>(name: Name) => Parameters[Name]

/** For the query builder, a placeholder has the type of its value. */
export const placeholder = (name: string): unknown => new Placeholder(name)

/** A parameter of a compiled query: the name of a value to pass, or a constant value. */
interface Slot {
  readonly name: string | null
  readonly value: unknown
}

/**
 * A query that was compiled once, with the names of the values that each run supplies. It is plain data that can be
 * passed to a thread, which then does not need the query builder.
 */
export interface FixedQuery {
  readonly sql: string
  readonly slots: readonly Slot[]
}

/** Makes a fixed query from a compiled query with placeholders. */
export const fixed = ({ sql, parameters }: CompiledQuery, engine: Engine): FixedQuery => ({
  sql: engine === 'postgres' || /^insert/i.test(sql) ? sql : withHiddenParameters(sql),
  slots: parameters.map(value =>
    value instanceof Placeholder ? { name: value.name, value: null } : { name: null, value },
  ),
})

/** The values of one run, in the order of the query. */
export const valuesOf = ({ slots }: FixedQuery, parameters: Readonly<Record<string, unknown>>): unknown[] =>
  slots.map(slot => (slot.name === null ? slot.value : parameters[slot.name]))

/**
 * SQLite built with STAT4 inspects bound values when it plans a join or a search of a plain index, and plans again
 * whenever new ones are bound: 10 µs and more per call. It does not inspect a parameter inside `(select ?)`.
 */
const withHiddenParameters = (sql: string): string =>
  sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, token => (token === '?' ? '(select ?)' : token))
