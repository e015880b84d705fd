/** A query, with the time that it may take. */
export interface LimitedQuery {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly timeoutMs: number
}

/** What a query found, as SQLite's values, or why it found nothing. */
export type LimitedResult =
  | { readonly rows: readonly (readonly unknown[])[]; readonly ms: number }
  | { readonly timedOut: true }
  /** It needs more memory than it may have, or its result is too large. */
  | { readonly tooLarge: true }
  /** It exceeds this limit of the database. */
  | { readonly exceeded: string }
  /** The connection is lost. */
  | { readonly unreachable: true }
  | { readonly fault: string }

/** Runs queries of callers, one at a time, that may neither write nor take as long or become as large as they like. */
export interface LimitedReader {
  /** Whether it has lost its connection and is of no further use. */
  readonly isLost: boolean
  run(query: LimitedQuery): LimitedResult | Promise<LimitedResult>
  close(): void | Promise<void>
}

/** The bytes that the values of a row count for. */
export const sizeOf = (row: readonly unknown[]): number =>
  row.reduce<number>((size, value) => size + (typeof value === 'string' ? 8 + value.length : 8), 0)
