import { closeSync, constants, copyFileSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { backupPhrase } from './backups.ts'
import { indexFile, logFile } from './data-folder.ts'
import { readLogIndex } from './log-index.ts'
import { logHeaderBytes, readLog } from './log-reader.ts'

/** The page size of every database of the service: SQLite's own choice. */
const pageSize = 4_096

/** A log that ended early, as it was found. */
export interface KeptLog {
  /** Its name in the data folder. */
  readonly name: string
  /** The time of the last write that the database still contains, if known. */
  readonly since: string | undefined
}

/**
 * Whether a database's log ended early: whether it lacks frames that were committed and acknowledged, so that SQLite
 * recovers less than there was (trust 5). A log left by a killed process is complete; one torn by a power cut lacks
 * only what was never acknowledged. Call it before a connection opens the database: the first one recovers.
 */
export const logEndedEarly = (database: string): boolean =>
  // A log in use may change while it is read, and then looks complete when it is read again.
  looksShort(database) && looksShort(database)

function looksShort(database: string): boolean {
  const index = indexOf(database)
  const log = logFile(database)
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size < logHeaderBytes) return index !== undefined && index.frames > index.writtenBack
  const { salts, lastCommit, continues } = readLog(log, index?.pageSize ?? pageSize)
  if (continues) return true
  if (index === undefined || salts?.equals(index.salts) === false) return false
  // The index outlives a killed process; after a power cut it is older than the log, never newer.
  return index.frames > lastCommit && (lastCommit > 0 || index.frames > index.writtenBack)
}

function indexOf(database: string) {
  const file = indexFile(database)
  return existsSync(file) ? readLogIndex(readFileSync(file)) : undefined
}

/** The part before the time in the name of a kept log. */
const keptLog = '-wal.damaged-'

/**
 * Keeps a log that ended early next to the database, before SQLite overwrites the frames that it did not recover: a
 * copy, which also serves as a report of the loss until somebody removes it. One that is already kept is not replaced.
 * @param since the time of the last write that the database still contains
 */
export function keepLog(database: string, since: string | undefined): void {
  const log = logFile(database)
  const copy = `${log}.damaged-${since?.replaceAll(':', '.') ?? 'unknown'}`
  if (existsSync(copy)) return
  if (existsSync(log)) copyFileSync(log, copy, constants.COPYFILE_EXCL)
  else closeSync(openSync(copy, 'wx'))
}

/** The logs that ended early and were kept, oldest first. */
export function keptLogs(database: string): KeptLog[] {
  const prefix = basename(logFile(database))
  return readdirSync(dirname(database))
    .filter(name => name.startsWith(prefix) && name.includes(keptLog))
    .toSorted()
    .map(name => {
      const time = name.slice(name.indexOf(keptLog) + keptLog.length)
      return { name, since: time === 'unknown' ? undefined : time.replace(/T(\d\d)\.(\d\d)\./, 'T$1:$2:') }
    })
}

/** The message about a log that ended early. */
export const logLossText = (folder: string, since: string | undefined): string =>
  `the log ended early: writes since ${since ?? 'an unknown time'} may be missing; newest backup: ${backupPhrase(folder)}`
