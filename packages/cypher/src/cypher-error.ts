/** A position in the text of a query; both numbers count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Refuses a query that is not in the subset, with the position of the fault (knowledge-graph 11.1). */
export class CypherError extends Error {
  readonly position: Position
  /** The unsupported construct, if that is the fault. */
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
