/** The contract: what the service's operations are. No I/O; depends on zod alone. */
export * as analyticsShapes from './analytics-shapes.ts'
export { Blocker, BlockerType, MeasuredType } from './analytics-shapes.ts'
export {
  ArchitectureCreate,
  ArchitectureDesign,
  ArchitectureDiagram,
  ArchitectureDiagramInput,
  ArchitectureEntity,
  ArchitectureInterface,
  DiagramFormat,
  DiagramPayload,
  DiagramType,
} from './architecture.ts'
export { BoardSettings, BoardSettingsInput, defaultBoardSettings } from './board-settings.ts'
export * from './card.ts'
export { DiscoveryIntent, DiscoveryResult, DiscoveryRow, SavedSearch, SearchHistoryEntry } from './discovery.ts'
export { type ErrorCode, errorStatus } from './errors.ts'
export { IdeationEvaluate } from './ideations.ts'
export { hasFields, type ParsedInput, parseInput, type RawInput } from './input.ts'
export { bare, type IssueItem, isInt, issueItem, issueItems, type Target } from './issues.ts'
export { type JsonFault, jsonFault } from './json-faults.ts'
export * from './knowledge.ts'
export * from './knowledge-graph/model.ts'
export { KgNode, KgNodeDetail } from './knowledge-graph/nodes.ts'
export { KgDeadLetter, KgPendingNode, KgQueueEntry } from './knowledge-graph/queue.ts'
export { KgSession } from './knowledge-graph/sessions.ts'
export { LineageEdge, LineageKind, LineageNode, LineageRelationship } from './lineage.ts'
export {
  type AnyOperation,
  type Asked,
  type Effect,
  type Feature,
  type InputOf,
  isReading,
  type LimitedResource,
  type Method,
  type Operation,
  pathNames,
} from './operation.ts'
export {
  type BuiltinPreset,
  builtinAllows,
  builtinPresets,
  childrenOf,
  isPermission,
  isStateLimit,
  type Permission,
  type PermissionRow,
  parentOf,
  permissionGroups,
  permissionNames,
  permissions,
} from './permissions.ts'
export * from './questions.ts'
export {
  type FeatureName,
  featureOf,
  features,
  type OperationName,
  type Operations,
  operationByName,
  registry,
} from './registry.ts'
export { type RuntimeSettingKey, type RuntimeSettingValues, runtimeSettings } from './settings.ts'
export * from './shared.ts'
export * from './spec-items.ts'
export * from './spec-validations.ts'
export * from './sprint-evaluations.ts'
export * from './summaries.ts'
export { type ToolHint, toolHints } from './tool-hints.ts'
