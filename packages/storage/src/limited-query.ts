/** A query, with its time limit. */
export interface LimitedQuery {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly timeoutMs: number
}

/** The rows of a query, as SQLite's values, or why there are none. */
export type LimitedResult =
  | { readonly rows: readonly (readonly unknown[])[]; readonly ms: number }
  | { readonly timedOut: true }
  /** It exceeds its memory limit, or its result is too large. */
  | { readonly tooLarge: true }
  /** It exceeds this limit of the database. */
  | { readonly exceeded: string }
  /** The connection is lost. */
  | { readonly unreachable: true }
  | { readonly fault: string }

/** Runs queries of callers, one at a time, which may not write and have limits of time and size. */
export interface LimitedReader {
  /** Whether it has lost its connection and is of no further use. */
  readonly isLost: boolean
  run(query: LimitedQuery): LimitedResult | Promise<LimitedResult>
  close(): void | Promise<void>
}

/** The bytes that the values of a row count for. */
export const sizeOf = (row: readonly unknown[]): number =>
  row.reduce<number>((size, value) => size + (typeof value === 'string' ? 8 + value.length : 8), 0)
