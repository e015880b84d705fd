import { Worker } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Connection } from './connection.ts'
import { littleGarbage, siblingFile } from './sibling-file.ts'

/**
 * The size in pages up to which a database is checked immediately, which takes at most 40 ms; starting a thread takes
 * longer.
 */
const pagesAtOnce = 2_000

/** The first fault in the pages of a database, or of one of its tables with its indexes; undefined when there is none. */
export function faultIn(connection: Connection, table?: string): string | undefined {
  const checked = table === undefined ? 'quick_check(1)' : `quick_check('${table.replaceAll("'", "''")}')`
  try {
    const [first] = connection.rows<{ quick_check: string }>(`pragma ${checked}`)
    return first === undefined || first.quick_check === 'ok' ? undefined : first.quick_check.replaceAll('\n', ' ')
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
}

/** Whether a statement failed because the pages of the database are damaged. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_CORRUPT')

/** A check that may take longer than a start may wait. */
export interface PageCheck {
  /** The first fault; undefined when there is none, or when the check was ended. */
  readonly fault: Promise<string | undefined>
  /** Ends the check, after its current table. */
  end(): Promise<void>
}

/**
 * Writes the log back and checks the pages of a database: immediately if that is quick, otherwise in a thread with
 * connections of its own.
 * @param afterMs how long the thread waits before it begins: its reads and writes would make a start wait for the disk
 */
export function checkPages(connection: Connection, file: string, afterMs = 0): PageCheck {
  if (Number(connection.pragma('page_count')) <= pagesAtOnce) {
    connection.pragma('wal_checkpoint(passive)')
    return { fault: Promise.resolve(faultIn(connection)), end: async () => {} }
  }
  const { promise: fault, resolve, reject } = Promise.withResolvers<string | undefined>()
  // The error is reported to whoever awaits it; nobody has to.
  fault.catch(() => {})
  let worker: Worker | undefined
  const begin = () => {
    worker = new Worker(threadFile, { workerData: file, resourceLimits: littleGarbage })
    worker.unref()
    worker
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => resolve(undefined))
  }
  const timer = afterMs > 0 ? setTimeout(begin, afterMs).unref() : undefined
  if (timer === undefined) begin()
  return {
    fault,
    end: async () => {
      clearTimeout(timer)
      resolve(undefined)
      await worker?.terminate()
    },
  }
}

const threadFile = siblingFile(import.meta.url, 'page-check-thread')
