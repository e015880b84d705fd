/** The engine behind the domain's tables: connections, group commit, hot queries, migrations. It knows no table. */

export { backupPhrase } from './backups.ts'
export { type BrokenReference, type BrokenReferences, removeBrokenReferences } from './broken-references.ts'
export { settledUpTo } from './commit-order.ts'
export { Connection, type ConnectionOptions } from './connection.ts'
export { CopyError, copyTables, type OnCopied, type TableCopy } from './copy/copy.ts'
export { fillSqliteTables, readSqliteTables } from './copy/sqlite-tables.ts'
export type { TablesToFill, TablesToRead } from './copy/tables.ts'
export { databaseFile, databaseName, makeFolder, syncFolder } from './data-folder.ts'
export { Database, type DatabaseOptions } from './database.ts'
export type { Db } from './db.ts'
export { dialect, perDialect } from './dialect.ts'
export { errorMessage } from './error-message.ts'
export { bind, type Engine, groupOf } from './executor.ts'
export type { GuardOptions, StorageCondition, StorageLoss } from './file-guard.ts'
export { refuseMissingDatabase } from './first-start.ts'
export type { FixedQuery, Param } from './fixed-query.ts'
export { fnv1a } from './fnv1a.ts'
export { foldedText, needsFolding } from './folded.ts'
export { lockFolder, lockName } from './folder-lock.ts'
export { closeToOthers, keepFilesPrivate, openToOthers } from './folder-rights.ts'
export type { Counter } from './group.ts'
export { fixedQuery, type Hot, hotQueries } from './hot.ts'
export { type Inspection, inspectWithoutLock } from './inspection.ts'
export type { Json } from './json.ts'
export {
  type LastRun,
  readLastFailure,
  readLastGood,
  readLastRun,
  readScheduledRun,
  type ScheduledRun,
  writeLastRun,
} from './last-backup.ts'
export type { LimitedQuery, LimitedReader, LimitedResult } from './limited-query.ts'
export { openLimitedReader } from './limited-reader.ts'
export { type KeptLog, keepLog, keptLogs, logEndedEarly, logLossText } from './log-loss.ts'
export type { Migrations } from './migrate.ts'
export { openReader } from './open-reader.ts'
export { databaseAddress, shownAddress } from './postgres/address.ts'
export { connectionsOfNode } from './postgres/pool-size.ts'
export {
  rebuildIndexes,
  repairSchema,
  type SchemaFault,
  type SchemaPart,
  schemaFaults,
  type UnrepairedPart,
} from './schema-parts.ts'
export { littleGarbage, siblingFile } from './sibling-file.ts'
export { Slots } from './slots.ts'
export { faultOfSnapshot, readSnapshot, type SnapshotProgress, snapshotWithoutLock } from './snapshot.ts'
export { StorageError, type StorageErrorCode } from './storage-error.ts'
export type {
  Announcement,
  DatabaseReader,
  ReadOptions,
  ReplicaPlace,
  ReplicaStatus,
  StatementLimits,
  Store,
  StoreAddress,
  StoreLoad,
  WriteOptions,
} from './store.ts'
export { readWithoutLock, type UnlockedDatabase, writeWithoutLock } from './unlocked.ts'
export { isUnwritable } from './unwritable.ts'
