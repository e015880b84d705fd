import { StorageError } from '../storage-error.ts'

/** Codes of a server or network that is unavailable, or becomes so. */
const unreachable = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '25P03', // idle_in_transaction_session_timeout
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The client's messages for a lost connection, for which it has no code. */
const lost =
  /^(?:Connection terminated|timeout (?:exceeded when trying to connect|expired)|Client (?:has encountered|was closed))/

/** The code of a failure of the server or network; undefined if there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Whether the connection, or the path to the database, is lost. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return code.startsWith('08') || unreachable.has(code)
  return error instanceof Error && lost.test(error.message)
}

/** Whether the result columns of a prepared statement have changed: another node migrated. */
export const isOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan')

/** Whether the server accepts no writes (25006, read_only_sql_transaction): a primary has become a standby. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006' || codeOf(error) === 'READ_ONLY'

/** Whether a connection cannot be used again. One to a standby is closed, so that the next one finds the primary. */
export const isBroken = (error: unknown): boolean => isLost(error) || isOutdated(error) || isReadOnly(error)

/** Codes of conflicts between units of work. After a duplicate key, the next run sees what the other unit wrote. */
const repeated = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation
])

/** Whether a unit of work that was rolled back with this error may simply run again. */
export function mayRunAgain(error: unknown): boolean {
  const code = codeOf(error)
  return (code !== undefined && repeated.has(code)) || isOutdated(error)
}

/** The error that callers get for a failed statement, commit or connection. */
export function faultOf(error: unknown): unknown {
  const code = codeOf(error)
  if (isLost(error))
    return new StorageError(
      'UNREACHABLE',
      'The database cannot be reached. Send the request again in a moment; a write that was under way may have been stored.',
      { cause: error },
    )
  if (error instanceof StorageError) return error
  if (isReadOnly(error))
    return new StorageError(
      'READ_ONLY',
      'The database takes no writes: it is a standby, or was set to read only. Nothing was stored; send the request again in a moment.',
      { cause: error },
    )
  // lock_not_available: another unit of work held the board for too long.
  if (code === '55P03')
    return new StorageError(
      'BUSY',
      'The data to change was in use for too long: nothing was stored. Try again in a second.',
      { cause: error },
    )
  // query_canceled: by its time limit, or by an operator.
  if (code === '57014')
    return new StorageError(
      'BUSY',
      'The database took too long, and the statement was ended: nothing was stored. Try again in a moment.',
      { cause: error },
    )
  if (code === '40001' || code === '40P01')
    return new StorageError('BUSY', 'Too many writes are waiting. Try again in a second.', { cause: error })
  if (code === '53100')
    return new StorageError(
      'STORAGE_FULL',
      'The disk of the database is full: nothing was stored. Make room and send the request again.',
      { cause: error },
    )
  return error
}
