/** The contract: the service's operations as data. No I/O; depends only on zod. */

export { cutBeginning, cutText, leftOutMembers, writesBack } from './cut-texts.ts'
export { type ErrorCode, errorStatus } from './errors.ts'
export { bodyExamples } from './examples/bodies.ts'
export { type ErrorExample, errorExamples } from './examples/errors.ts'
export { fieldExamples, figureExamples } from './examples/fields.ts'
export { recordExamples } from './examples/records.ts'
export * as analyticsShapes from './features/analytics-shapes.ts'
export { Blocker, BlockerType, MeasuredType, SprintRisk } from './features/analytics-shapes.ts'
export {
  ArchitectureCreate,
  ArchitectureDesign,
  ArchitectureDiagram,
  ArchitectureDiagramInput,
  ArchitectureEntity,
  ArchitectureInterface,
  ArchitectureUpdate,
  ArchitectureVersion,
  DiagramFormat,
  DiagramPayload,
  DiagramType,
} from './features/architecture.ts'
export { AuditAction, AuditEntry, AuditTarget, Origin } from './features/audit.ts'
export { BoardEvent, EventDigest, EventEntity, isEvent, maxWaitMs } from './features/board-events.ts'
export { BoardAdvice, BoardMember, BoardOverview } from './features/board-overview.ts'
export { BoardSettings, BoardSettingsInput, defaultBoardSettings } from './features/board-settings.ts'
export * from './features/card.ts'
export { CardSummary, maxLabels } from './features/cards.ts'
export { Connection } from './features/connections.ts'
export { DiffedType, RecordDiff } from './features/differences.ts'
export {
  DiscoveryIntent,
  DiscoveryResult,
  DiscoveryRow,
  SavedSearch,
  SearchHistoryEntry,
} from './features/discovery.ts'
export {
  CardWaiver,
  CaseStatus,
  MappedScenario,
  maxNamedRecords,
  Proof,
  ProofItem,
  ProofRunStatus,
  ProofWay,
  ProvenType,
  ReportFormat,
  ReportMapping,
  ReportOutcome,
  RunAddress,
  TestCase,
  TestReport,
} from './features/evidence.ts'
export { BoardProof, CountsByTier, EvidenceAnalytics } from './features/evidence-analytics.ts'
export { EvidenceTier, Sha, TierReason } from './features/evidence-tiers.ts'
export { ImportFormat, ImportProblem, ImportReport } from './features/exchange.ts'
export { ForgeDelivery, ForgeDeliveryStatus } from './features/forge-deliveries.ts'
export { HookEvent, Reservation } from './features/harness.ts'
export { IdeationEvaluate } from './features/ideations.ts'
export { ImportedName } from './features/imported-names.ts'
export { HoldingItem, InboxItem, InboxKind } from './features/inbox.ts'
export * from './features/knowledge.ts'
export * from './features/knowledge-graph/model.ts'
export { KgNode, KgNodeDetail } from './features/knowledge-graph/nodes.ts'
export { KgDeadLetter, KgPendingNode, KgQueueEntry } from './features/knowledge-graph/queue.ts'
export { KgSession } from './features/knowledge-graph/sessions.ts'
export { LineageEdge, LineageKind, LineageNode, LineageRelationship } from './features/lineage.ts'
export {
  AllowedMove,
  AllowedMoves,
  AllowedOperation,
  GateName,
  Holder,
  MoveBlocker,
  MovedType,
  MoveEffect,
  NextAction,
} from './features/moves.ts'
export {
  ChannelType,
  NotificationChannel,
  NotificationDelivery,
  NotificationStatus,
  Notifications,
  QuietHours,
} from './features/notifications.ts'
export { Identity, Invitation, Session, SessionVia } from './features/people.ts'
export * from './features/questions.ts'
export { ProofSign, RecordProof, WaivedGate } from './features/record-proof.ts'
export {
  CardChangeState,
  ChangeCounts,
  ChangeKind,
  ChangeState,
  CiTrustLine,
  ConfirmedBy,
  Forge,
  LinkedEntity,
  LinkedHow,
  RecognisedIn,
  Repository,
  RepositoryPath,
} from './features/repositories.ts'
export { FoundRecord, SearchKind } from './features/search.ts'
export { type RuntimeSettingKey, type RuntimeSettingValues, runtimeSettings } from './features/settings.ts'
export * from './features/spec-items.ts'
export * from './features/spec-validations.ts'
export { listPermissions } from './features/specs.ts'
export * from './features/sprint-evaluations.ts'
export * from './features/summaries.ts'
export { TemplateType, templateFields } from './features/templates.ts'
export { TextOwner } from './features/texts.ts'
export { DeliveryStatus, Webhook, WebhookDelivery, WebhookFormat } from './features/webhooks.ts'
export { ReadyCard, Waiting } from './features/work.ts'
export { forms } from './forms.ts'
export { freeJsonLimits, tooManyKeys } from './free-json.ts'
export { type GuardedOperation, guardedBy, guardsOf } from './guarded.ts'
export { type ParsedInput, parseInput, parseInputInPieces, type RawInput } from './input.ts'
export { bare, type IssueItem, isInt, issueItem, issueItems, type LongFields, type Target } from './issues.ts'
export { type JsonFault, jsonFault, jsonFaultInPieces } from './json-faults.ts'
export { hasTooManyParts, maxJsonParts } from './json-parts.ts'
export { largestBody, maxBodyBytes } from './largest-body.ts'
export { maxElements } from './limits.ts'
export { hasLongText, maxCharacters } from './long-texts.ts'
export { maskKeys } from './mask-keys.ts'
export {
  type AnyOperation,
  type Effect,
  type Feature,
  type InputOf,
  isOpenRead,
  isReading,
  type Method,
  type Operation,
  pathNames,
} from './operation.ts'
export {
  faultOfPattern,
  maxPatterns,
  PathPattern,
  PathPatterns,
  type PatternStep,
  pathNamed,
  plainPattern,
  readPattern,
} from './path-patterns.ts'
export type { CallInput, Guard, PermissionRule } from './permission-rules.ts'
export {
  type BuiltinPreset,
  builtinAllows,
  builtinPresets,
  childrenOf,
  isPermission,
  isStateLimit,
  type LimitedResource,
  narrowerThan,
  type Permission,
  type PermissionRow,
  parentOf,
  permissionGroups,
  permissionNames,
  permissions,
  widerThan,
} from './permissions.ts'
export { atOnce, type InPieces, runCooperatively } from './pieces.ts'
export { hasMoreKeys, parseInPieces } from './piecewise.ts'
export {
  eachNamed,
  type InputNaming,
  isPartKind,
  type NamedKind,
  type NamingField,
  namingOf,
  type PartKind,
  partKindOf,
  partKinds,
  partLetters,
  type ReferredKind,
  referredKinds,
  withNamed,
} from './references.ts'
export {
  type FeatureName,
  featureOf,
  features,
  type OperationName,
  type Operations,
  operationByName,
  registry,
} from './registry.ts'
export {
  forgeOfAddress,
  nameOfAddress,
  pageOfChange,
  type RepositoryAddress,
  readAddress,
  repositoryKey as sameness,
  withoutUser,
} from './repository-address.ts'
export { isReservedKey, reservedKeyRefusal } from './reserved-keys.ts'
export { Lists, type SentItem } from './sent-items.ts'
export * from './shared.ts'
export { addressSeparator, maxTests, maxWildcards, stepsOf, TestPattern, type TestStep } from './test-patterns.ts'
export { type ToolHint, toolHints } from './tool-hints.ts'
export { readOf, withoutNewLimits } from './unchanged.ts'
export { unknownGuards } from './unknown-guards.ts'
export { type UnknownMember, unknownMembers } from './unknown-members.ts'
export { halvesIn } from './unstorable-text.ts'
