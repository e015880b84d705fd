import { listsEqual } from './lists-equal.ts'

const inSql = (truth: boolean | null): number | null => (truth === null ? null : Number(truth))

/**
 * The functions that a translated SELECT calls on SQLite in addition to its own, by name. The connection that runs it must
 * define all of them, and also `within`, which is called with an integer for each row looked at: it returns 1, or
 * throws to stop the query.
 *
 * @example
 * for (const [name, call] of Object.entries(sqlFunctions)) connection.define(name, call)
 * connection.define('within', () => {
 *   if (Date.now() > deadline) throw new Error('The query took too long.')
 *   return 1
 * })
 */
export const sqlFunctions: Readonly<Record<string, (...values: readonly unknown[]) => string | number | null>> = {
  cypher_lower: text => (typeof text === 'string' ? text.toLowerCase() : null),
  cypher_upper: text => (typeof text === 'string' ? text.toUpperCase() : null),
  cypher_lists_equal: (a, b) =>
    typeof a === 'string' && typeof b === 'string' ? inSql(listsEqual(JSON.parse(a), JSON.parse(b))) : null,
}
