/** The engine behind the domain's tables: connections, group commit, hot queries, migrations. It knows no table. */
export { Connection, type ConnectionOptions } from './connection.ts'
export { databaseFile, databaseName, syncFolder } from './data-folder.ts'
export { Database, type DatabaseOptions } from './database.ts'
export type { Db } from './db.ts'
export { dialect, either } from './dialect.ts'
export { bind, type Engine, groupOf } from './executor.ts'
export type { GuardOptions, StorageCondition, StorageLoss } from './file-guard.ts'
export { refuseMissingDatabase } from './first-start.ts'
export { lockFolder } from './folder-lock.ts'
export { closeToOthers, keepFilesPrivate, openToOthers } from './folder-rights.ts'
export type { Counter } from './group.ts'
export { type Hot, hotQueries, type Param } from './hot.ts'
export { type Inspection, inspectWithoutLock } from './inspection.ts'
export type { Json } from './json.ts'
export {
  type LimitedQuery,
  type LimitedReader,
  type LimitedResult,
  openLimitedReader,
} from './limited-reader.ts'
export { type KeptLog, keepLog, keptLogs, logEndedEarly, logLossText } from './log-loss.ts'
export type { Migrations } from './migrate.ts'
export { openReader } from './open-reader.ts'
export { siblingFile } from './sibling-file.ts'
export { faultOfSnapshot, readSnapshot, type SnapshotProgress, snapshotWithoutLock } from './snapshot.ts'
export { StorageError, type StorageErrorCode } from './storage-error.ts'
export type { Announced, DatabaseReader, Store, StoreAddress, WriteOptions } from './store.ts'
export { readWithoutLock, type UnlockedDatabase, writeWithoutLock } from './unlocked.ts'
