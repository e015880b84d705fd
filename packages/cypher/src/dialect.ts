import type { BinaryOperator } from './ast.ts'
import type { ElementTable } from './property-graph.ts'
import type { Sql, Value } from './sql.ts'
import type { Type } from './types.ts'

/**
 * Everything that differs between the SQL of the databases. The translation is written once, in terms of these pieces;
 * each database implements them in its own folder.
 */
export interface Dialect {
  readonly values: ValueSql
  readonly numbers: NumberSql
  readonly texts: TextSql
  readonly lists: ListSql
  readonly tables: TableSql
  /** The text of a SELECT, and the values bound to it. */
  compile(query: Sql): { readonly sql: string; readonly parameters: readonly unknown[] }
}

/** Values of any kind: what they are in the database, and how they are compared. */
export interface ValueSql {
  /** A text of the request. */
  text(value: string): Sql
  /** A value in the form that values of a wider type have, such as a string where a string or number may be. */
  as(value: Value, type: Type): Sql
  /** The comparison of two values of one kind, which are not lists. */
  compared(operator: BinaryOperator, left: Value, right: Value): Sql
  /** The comparison of two values whose kinds are known only at run time; null when they differ. */
  comparedByKind(operator: BinaryOperator, left: Value, right: Value): Sql
  /**
   * The keys by which rows are sorted for a value to be in order; numbers come before strings, and strings are in the
   * order of their bytes.
   */
  sortKeys(value: Value): readonly Sql[]
  /** The sort key of an id. */
  idOrder(id: Sql): Sql
  /** The least or greatest value of many rows. */
  extreme(which: 'min' | 'max', value: Value): Sql
}

/**
 * Numbers: 64-bit integers, and reals. An operation whose result does not fit into an integer is calculated with reals.
 */
export interface NumberSql {
  negated(value: Value): Sql
  /** The result is null after a division by zero. */
  calculated(operator: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Sql
  /** Fails for the one integer that has no positive counterpart. */
  absolute(value: Value): Sql
  /** Rounded half away from zero, to a number of decimal places (at most 30; none for a negative number). */
  rounded(value: Value, places: Value | undefined): Sql
  /** Fails for integers whose sum is not one. */
  sum(value: Value, distinct: boolean): Sql
  average(value: Value, distinct: boolean): Sql
}

/** The operators that look for a string in another. */
export type TextualOperator = 'CONTAINS' | 'STARTS WITH' | 'ENDS WITH'

/** Strings. */
export interface TextSql {
  /** Whether a string is found in another; null when one of the values is not a string. */
  found(operator: TextualOperator, left: Value, right: Value): Sql
  /** Two strings or numbers joined to one string. */
  joined(left: Value, right: Value): Sql
  /** Whether a text contains an id. */
  holds(text: Sql, id: Sql): Sql
}

/** Lists and paths, and the objects and lists of answers. */
export interface ListSql {
  /** A list of the request, as JSON text. */
  parsed(json: string): Sql
  /** The list with this JSON text, of ids. */
  ofIds(json: Sql): Sql
  /** A list of items made by `item` or `nested`. */
  of(items: readonly Sql[]): Sql
  /** A value as an item. A node or edge is its id. */
  item(value: Value): Sql
  /** A list, path or object of an answer as an item. */
  nested(json: Sql): Sql
  /** The number of items. */
  length(list: Sql): Sql
  /** Whether an item equals a value; `dynamic` when the kinds of the items are known only at run time. */
  includes(list: Sql, value: Value, kinds: 'same' | 'dynamic'): Sql
  /** The items as a table with the columns `key`, in their order, and `value`, in the form of lists. */
  items(list: Sql, alias: string): Sql
  /** The same for a list of ids, which are texts. */
  ids(list: Sql, alias: string): Sql
  /** The values of many rows that are not null, in an order. */
  collected(value: Value, distinct: boolean, order: readonly Sql[]): Sql
  /** A path of lists of ids. */
  path(nodes: Sql, edges: Sql): Sql
  nodesOf(path: Sql): Sql
  edgesOf(path: Sql): Sql
  /** The number of edges. */
  pathLength(path: Sql): Sql
  /** An object of an answer. */
  object(members: readonly (readonly [name: string, value: Sql])[]): Sql
  /** An object or list of an answer as a member of an object. */
  member(json: Sql): Sql
  /** A list of an answer: the values of a column of objects or lists, in the order of the rows. */
  gathered(column: Sql): Sql
}

/** Tables, and subqueries in their place. */
export interface TableSql {
  /** Joins a table without a condition. */
  readonly join: Sql
  /** A column that rows are filtered by, but not found by. */
  filtering(column: Sql): Sql
  /** Conditions evaluated for each row, which end a query that takes too long. */
  timed(row: Sql): readonly Sql[]
  /** An id as a column of a recursive query. */
  id(id: Sql): Sql
  /** The rows of a subquery that depends on the tables before it, as a table. */
  dependent(columns: readonly Sql[], rest: Sql, alias: string): Sql
  /** The same for the rows of a recursive query, which is given up to its SELECT. */
  recursive(query: Sql, columns: readonly Sql[], rest: Sql, alias: string): Sql
  /** A column of such a table, by its position. */
  dependentColumn(alias: string, position: number): Sql
  /** The columns that rows are grouped by in addition to the id, so that its other columns can be used. */
  groupedWith(alias: string, table: ElementTable): readonly Sql[]
}
