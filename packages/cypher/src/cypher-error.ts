/** Where in a query something stands; both from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A query that is not in the subset, with the place of the trouble (knowledge-graph 11.1). */
export class CypherError extends Error {
  readonly position: Position
  /** The unsupported construct, when that is the trouble. */
  readonly feature: string | undefined

  constructor(message: string, position: Position, feature?: string) {
    super(message)
    this.name = 'CypherError'
    this.position = position
    this.feature = feature
  }
}

/**
 * Refuses a query.
 * @throws CypherError
 */
export function wrong(message: string, position: Position): never {
  throw new CypherError(message, position)
}
