import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom as sqliteArray, jsonObjectFrom as sqliteObject } from 'kysely/helpers/sqlite'

/**
 * What differs between the databases, and nothing else; queries are otherwise the same. JSON columns
 * are text in both and parsed by the stores. This is the embedded SQLite's half.
 */
export const dialect = {
  name: 'sqlite',
  /** A nested collection as one JSON column. */
  jsonArrayFrom: sqliteArray,
  /** A nested record, or null, as one JSON column. */
  jsonObjectFrom: sqliteObject,
  /** `column in (values)`, the values as the text of a JSON array; empty lists match nothing. */
  inList: (column: Expression<string | null>, values: string | RawBuilder<string>): Expression<SqlBool> =>
    sql<SqlBool>`${column} in (select value from json_each(${values}))`,
  /** The elements of a JSON array column as rows with one column `value`. */
  jsonElements: (column: Expression<string | null>) => sql<{ value: string }>`json_each(${column})`,
  /** Whether a failed statement broke a unique or primary key. */
  isDuplicate: (error: unknown): boolean =>
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(error.code),
} as const
