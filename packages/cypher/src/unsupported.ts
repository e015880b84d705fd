import { CypherError, type Position } from './cypher-error.ts'

/** Words that begin clauses of Cypher outside of the subset. */
const clauses = new Set(['WITH', 'UNWIND', 'UNION', 'CALL', 'USE', 'SHOW', 'EXPLAIN', 'PROFILE', 'YIELD', 'FINISH'])

/** Names that look like function calls but are constructs of their own in Cypher. */
const constructs: Readonly<Record<string, string>> = {
  shortestpath: 'shortestPath',
  allshortestpaths: 'shortestPath',
  exists: 'EXISTS',
  reduce: 'list comprehension',
  any: 'list comprehension',
  all: 'list comprehension',
  none: 'list comprehension',
  single: 'list comprehension',
}

/** The error for a construct of Cypher outside of the subset. */
export const unsupported = (feature: string, position: Position): CypherError =>
  new CypherError(`${feature} is not supported.`, position, feature)

/**
 * Refuses a word that begins a clause outside of the subset.
 * @throws CypherError
 */
export function refuseClause(word: string, position: Position): void {
  const clause = word.toUpperCase()
  if (clauses.has(clause)) throw unsupported(clause, position)
}

/**
 * Refuses a name that calls a construct outside of the subset.
 * @throws CypherError
 */
export function refuseConstruct(name: string, position: Position): void {
  const lower = name.toLowerCase()
  if (Object.hasOwn(constructs, lower)) throw unsupported(constructs[lower]!, position)
}
