import {
  type AliasableExpression,
  type Expression,
  type RawBuilder,
  type SelectQueryNode,
  type ShallowDehydrateValue,
  type SqlBool,
  sql,
} from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/sqlite'
import type { CollectedJson, Json } from './json.ts'

/** A select of rows of this type. */
interface Select<Row> extends AliasableExpression<Row> {
  readonly isSelectQueryBuilder: true
  toOperationNode(): SelectQueryNode
}

/** A row nested in another one; its own JSON columns stay text. */
type Nested<Row> = { [Column in keyof Row]: NestedValue<Row[Column]> }
type NestedValue<Value> =
  Value extends CollectedJson<infer Content> ? Json<Content> | Content : ShallowDehydrateValue<Value>

/**
 * Everything that differs between the databases. JSON columns are text in both, and the stores parse them. This is
 * the dialect of the embedded SQLite.
 */
export const dialect = {
  name: 'sqlite',
  /** A nested collection as one JSON column. */
  jsonArrayFrom: <Row>(rows: Select<Row>): RawBuilder<CollectedJson<Nested<Row>[]>> => jsonArrayFrom(rows).$castTo(),
  /** A nested record, or null, as one JSON column. */
  jsonObjectFrom: <Row>(row: Select<Row>): RawBuilder<CollectedJson<Nested<Row>> | null> =>
    jsonObjectFrom(row).$castTo(),
  /** `column in (values)`, with the values as the text of a JSON array; an empty list matches nothing. */
  inList: (column: Expression<string | null>, values: string | RawBuilder<string>): Expression<SqlBool> =>
    sql<SqlBool>`${column} in (select value from json_each(${values}))`,
  /** The elements of a JSON array column as rows with the columns `key` (the position) and `value`. */
  jsonElements: (column: Expression<string | null>) => sql<{ value: string }>`json_each(${column})`,
  /** A member of a JSON object column as text; null when it is missing. */
  jsonText: (column: Expression<string | null>, member: string) =>
    sql<string | null>`json_extract(${column}, ${sql.lit(`$.${member}`)})`,
  /** Whether a member of a JSON object column is true. */
  jsonFlag: (column: Expression<string | null>, member: string) =>
    sql<SqlBool>`json_extract(${column}, ${sql.lit(`$.${member}`)}) is true`,
  /** The number of elements in a JSON array column; 0 for null. */
  jsonLength: (column: Expression<string | null>) => sql<number>`coalesce(json_array_length(${column}), 0)`,
  /** A number in the last element of a JSON array column of objects; null when it is missing. */
  jsonLastNumber: (column: Expression<string | null>, member: string) =>
    sql<number | null>`json_extract(${column}, ${sql.lit(`$[#-1].${member}`)})`,
  /** The time between two times, ms. */
  millisecondsBetween: (from: Expression<string>, to: Expression<string>) =>
    sql<number>`round((unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec')) * 1000)`,
  /** Marks a condition that most rows meet: SQLite then prefers a covering index to one that the condition narrows. */
  usually: (condition: RawBuilder<unknown>) => sql<SqlBool>`likely(${condition})`,
} as const
