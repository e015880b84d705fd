import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import { errorMessage } from './error-message.ts'
import { type LimitedQuery, type LimitedReader, type LimitedResult, sizeOf } from './limited-query.ts'
import type { StoreAddress } from './store.ts'

/** Where a limited reader reads, and its limits. */
export interface LimitedOptions {
  readonly address: StoreAddress
  /** The size limit of a result, bytes; each value counts as at least 8. */
  readonly resultBytes: number
  /** Functions that queries call on SQLite, by name; on PostgreSQL a migration creates them. */
  readonly functions: Readonly<Record<string, (...values: readonly unknown[]) => string | number | null>>
}

/** Opens a limited reader on an existing database. */
export async function openLimitedReader(options: LimitedOptions): Promise<LimitedReader> {
  const { address, resultBytes } = options
  if (address.engine === 'sqlite') return ofFolder(address.folder, options)
  const { openLimitedPostgresReader } = await import('./postgres/limited-reader.ts')
  return openLimitedPostgresReader(address.url, resultBytes)
}

const cacheMb = 16

/** Errors of SQLite for a query that exceeds a limit: tables, columns, arguments or depth. */
const limit =
  /at most 64 tables|too many (?:columns|arguments|SQL variables|terms)|Expression tree is too large|stack overflow|integer overflow/

/** Errors of SQLite for a query that needs too much memory: for a value, or at all. */
const tooLarge = /too big|out of memory/

class OutOfTime extends Error {}

/** Queries call `within` for each row that they examine, which ends them when their time is up. */
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
      const fault = errorMessage(error)
      if (tooLarge.test(fault)) return { tooLarge: true }
      const [exceeded] = limit.exec(fault) ?? []
      return exceeded === undefined ? { fault } : { exceeded }
    }
  }

  return { isLost: false, run, close: () => connection.close() }
}
