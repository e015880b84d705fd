/** The domain: the rules and the storage behind every operation. Knows neither HTTP nor MCP. */
export { Access } from './access/access.ts'
export { waysOf } from './access/boards.ts'
export { type LookedUp, type LookupType, lookUp } from './access/lookup.ts'
export { addressesRecord, type RecordType } from './access/records.ts'
export {
  aggregates as metricsOfAggregates,
  answers as metricsOfAnswers,
  definitions as metricDefinitions,
  type Metrics,
} from './analytics/metrics.ts'
export { mimeTypeOf } from './attachments/names.ts'
export { filesWithoutRow } from './attachments/removal.ts'
export type { Caller, Context, Environment } from './context.ts'
export { DomainError, notFound } from './errors.ts'
export type { RecordedEvent } from './events.ts'
export type {
  FileAnswer,
  Following,
  IncomingFile,
  Input,
  StreamAnswer,
  StreamComment,
  StreamEvent,
} from './implement.ts'
export type { RebuildProgress, Rebuilt } from './knowledge-graph/backfill/rebuild.ts'
export type { KnowledgeGraph, KnowledgeGraphSettings } from './knowledge-graph/knowledge-graph.ts'
export { isKey, unauthorized } from './service/authenticate.ts'
export { DigestedFile } from './service/digested-file.ts'
export { answersRepresentation, etagOf, heedsMatch } from './service/etag.ts'
export { type OpenedService, openService, type ServiceOptions } from './service/open.ts'
export { createAgentKey, resetOwnerKey } from './service/seed.ts'
export type { Answer, Call, Listener, Service, Watcher } from './service/service.ts'
export { pinnedSettings } from './settings/runtime-settings.ts'
export { type Inspection, inspect, readBeside, writeBeside } from './storage/beside.ts'
export { Database, databaseFile } from './storage/database.ts'
export type { Db } from './storage/executor.ts'
export { lockFolder } from './storage/folder-lock.ts'
export { hot } from './storage/hot.ts'
export { idSource } from './storage/ids.ts'
export { StorageError, type StorageErrorCode } from './storage/storage-error.ts'
export { gatedMoves, stateMachines } from './workflow.ts'
