import { listsEqual } from './lists-equal.ts'

const inSql = (truth: boolean | null): number | null => (truth === null ? null : Number(truth))

/**
 * What a translated SELECT calls beside SQLite's own functions, by name: the connection that runs it defines
 * each of them, and `within`, which is called with an integer for each row that is looked at. `within` answers 1,
 * or throws to stop the query.
 */
export const sqlFunctions: Readonly<Record<string, (...values: readonly unknown[]) => string | number | null>> = {
  cypher_lower: text => (typeof text === 'string' ? text.toLowerCase() : null),
  cypher_upper: text => (typeof text === 'string' ? text.toUpperCase() : null),
  lists_equal: (a, b) =>
    typeof a === 'string' && typeof b === 'string' ? inSql(listsEqual(JSON.parse(a), JSON.parse(b))) : null,
}
