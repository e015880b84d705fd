import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import type { StoreAddress } from './store.ts'

/** Where a limited reader reads, and how much. */
export interface LimitedOptions {
  readonly address: StoreAddress
  /** Size that a result may have, bytes; at least 8 for each value. */
  readonly resultBytes: number
  /** Functions that queries call on SQLite, by name; on PostgreSQL a migration makes them. */
  readonly functions: Readonly<Record<string, (...values: readonly unknown[]) => string | number | null>>
}

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

/** Opens a limited reader on a database that exists. */
export async function openLimitedReader(options: LimitedOptions): Promise<LimitedReader> {
  const { address, resultBytes } = options
  if (address.engine === 'sqlite') return ofFolder(address.folder, options)
  const { openLimitedPostgresReader } = await import('./postgres/limited-reader.ts')
  return openLimitedPostgresReader(address.url, resultBytes)
}

/** The bytes that the values of a row count for. */
export const sizeOf = (row: readonly unknown[]): number =>
  row.reduce<number>((size, value) => size + (typeof value === 'string' ? 8 + value.length : 8), 0)

const cacheMb = 16

/** Errors of SQLite for a query that exceeds a limit: tables, columns, arguments or depth. */
const limit =
  /at most 64 tables|too many (?:columns|arguments|SQL variables|terms)|Expression tree is too large|stack overflow|integer overflow/

/** Errors of SQLite for a query that needs too much memory: for a value, or at all. */
const tooLarge = /too big|out of memory/

class OutOfTime extends Error {}

/** Queries call `within` for each row that they look at, which ends them past their time. */
function ofFolder(folder: string, { resultBytes, functions }: LimitedOptions): LimitedReader {
  /** When the running query ends, ms since the epoch. */
  let deadline = 0
  const isOver = () => Date.now() > deadline
  const connection = new Connection(databaseFile(folder), { readonly: true, cacheMb })
  connection.pragma('query_only = on')
  connection.define('within', () => {
    if (isOver()) throw new OutOfTime()
    return 1
  })
  for (const [name, call] of Object.entries(functions)) connection.define(name, call)

  function run({ sql, parameters, timeoutMs }: LimitedQuery): LimitedResult {
    const started = performance.now()
    deadline = Date.now() + timeoutMs
    try {
      const { rows } = connection.execute<Record<string, unknown>>(sql, parameters)
      const found = rows.map(row => Object.values(row))
      const size = found.reduce((sum, row) => sum + sizeOf(row), 0)
      return size > resultBytes ? { tooLarge: true } : { rows: found, ms: performance.now() - started }
    } catch (error) {
      if (isOver()) return { timedOut: true }
      const fault = error instanceof Error ? error.message : String(error)
      if (tooLarge.test(fault)) return { tooLarge: true }
      const [exceeded] = limit.exec(fault) ?? []
      return exceeded === undefined ? { fault } : { exceeded }
    }
  }

  return { isLost: false, run, close: () => connection.close() }
}
