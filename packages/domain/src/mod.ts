/** The domain: the rules and storage behind every operation. It knows neither HTTP nor MCP. */

export { siblingFile } from '@specboard/storage'
export { attachmentFolder } from './delivery/attachments/files/attachment-path.ts'
export type { AttachmentFiles } from './delivery/attachments/files/files.ts'
export { openFiles } from './delivery/attachments/files/open-files.ts'
export { mimeTypeOf } from './delivery/attachments/names.ts'
export { alteredFiles, compareFiles, type FileDifferences } from './delivery/attachments/removal.ts'
export { trustedIssuers } from './delivery/ci/trusted-issuers.ts'
export type {
  ForgeAnswer as ReceivedForgeEvent,
  ForgeEvent as ArrivedForgeEvent,
  ForgeEvents,
} from './delivery/git/forge/forge-events.ts'
export type { ForgeSignature } from './delivery/git/forge/signature.ts'
export { type OtherId, type OtherIds, otherIds } from './exchange/check-ids.ts'
export { type BadRow, type BadRows, badRows } from './exchange/check-rows.ts'
export { refuseWithoutPerson } from './exchange/import/without-person.ts'
export { type MovePhase, type MoveResult, moveService } from './exchange/moving/move.ts'
export { followerChecks } from './follower-facts.ts'
export type { RebuildProgress, Rebuilt } from './graph/backfill/rebuild.ts'
export type { KnowledgeGraph, KnowledgeGraphSettings } from './graph/knowledge-graph.ts'
export {
  aggregates as metricsOfAggregates,
  answers as metricsOfAnswers,
  definitions as metricDefinitions,
  type Metrics,
} from './insight/analytics/metrics.ts'
export { checkSearch } from './insight/search/check.ts'
export { Access } from './kernel/access/access.ts'
export { holdsNothing, isClosedTo, maxUnauthorizedBytes } from './kernel/access/closed.ts'
export { isAccessToken, storedKey, tooManyCalls, unauthorized } from './kernel/access/keys.ts'
export { addressesRecord, type RecordType } from './kernel/access/records.ts'
export { AgentSlots, type WorkOwner } from './kernel/agent-slots.ts'
export { type Author, type Authors, authorsOf } from './kernel/authors.ts'
export { anyMark, ConfirmationWanted, isConfirmed, type Subject, subjectOf } from './kernel/confirmation.ts'
export { type Caller, type Context, type Environment, inSession } from './kernel/context.ts'
export { DomainError, InvalidInput, notFound, refusalOfError } from './kernel/errors.ts'
export type { RecordedEvent } from './kernel/events.ts'
export type { Check as FollowerCheck, CheckResult, Rebuild } from './kernel/followers/facts.ts'
export type {
  FileAnswer,
  Following,
  IncomingFile,
  Input,
  StreamAnswer,
  StreamComment,
  StreamEvent,
} from './kernel/implement.ts'
export { type LookedUp, type LookupType, lookUp } from './kernel/lookup.ts'
export { namesOf, namesSeen } from './kernel/names.ts'
export { myPermissions, type NextAction, suggestsNextActions } from './kernel/next-action.ts'
export { PersonRequired } from './kernel/person-required.ts'
export { type SourcedSetting, sourcedSettings } from './kernel/runtime-settings.ts'
export { SecretKey, secretKeyName } from './kernel/secret-key.ts'
export { refuseCi } from './kernel/service/admission.ts'
export type { Listener, Watcher, WrittenEntry } from './kernel/service/announcements.ts'
export { type ConnectedCaller, type KeyedCaller, keyless } from './kernel/service/authenticate.ts'
export { type Answer, argumentsOf, type Call, type Reduce } from './kernel/service/call.ts'
export { DigestedFile } from './kernel/service/digested-file.ts'
export { answersRepresentation, checksIfMatch, etagOf } from './kernel/service/etag.ts'
export { hashOf } from './kernel/service/idempotency.ts'
export type { McpCaller, PerformedCall, Service } from './kernel/service/service.ts'
export { holderOf } from './kernel/streams/holder.ts'
export { tooManyStreams } from './kernel/streams/open-stream.ts'
export { idSource } from './lib/ids.ts'
export { oneLine } from './lib/one-line.ts'
export { inspectPeople, type PeopleInspection } from './notifications/inspect-people.ts'
export { sendTestMail, smtpFault } from './notifications/mail-check.ts'
export type { NotificationSettings } from './notifications/notifications.ts'
export { type OpenedService, openService } from './open.ts'
export { type ChainRecord, parentsOf } from './planning/lineage/parents.ts'
export { countFalse as falseListCounts, recount as recountLists } from './schema/check-counts.ts'
export { type BrokenSequence, brokenSequences } from './schema/check-sequences.ts'
export {
  type DatabasePlace,
  inspectDatabase,
  inspectReplica,
  inspectServer,
  lastWriteWithoutLock,
  type ReadWrite,
  readWithoutLock,
  rebuildIndexes,
  refuseServed,
  repairSchema,
  schemaFaults,
  writeWithoutLock,
} from './schema/database.ts'
export type { ServiceOptions } from './service-options.ts'
export { gatedMoves, stateMachines } from './workflow.ts'
export {
  type BackupOptions,
  type BackupPhase,
  type MadeBackup,
  makeBackup,
  type OnProgress,
} from './workspace/backups/backup.ts'
export { BackupError } from './workspace/backups/backup-error.ts'
export { nextRunAt, timeOfDay } from './workspace/backups/next-run.ts'
export { type RestoredService, type RestoreOptions, restoreBackup, settleRestore } from './workspace/backups/restore.ts'
export type { BackupSettings } from './workspace/backups/schedule.ts'
export { boardKeysOf } from './workspace/board-access/boards-of.ts'
export { type KnownClient, OauthClients } from './workspace/connections/clients.ts'
export { type OauthRecord, OauthRecords } from './workspace/connections/records.ts'
export { countArchivable } from './workspace/events/archiving/store.ts'
export type { Readiness } from './workspace/health/condition.ts'
export { type BoardRights, boardRights, heldCards } from './workspace/me/board-rights.ts'
export { addClientByHand, addPerson, type ListedPerson, linkPerson, listedPersons } from './workspace/people/by-hand.ts'
export {
  type AskingClient,
  allowConnection,
  type ConsentChoices,
  denyConnection,
  offeredChoices,
} from './workspace/people/consent.ts'
export { acceptInvitation, shownInvitation } from './workspace/people/invitations.ts'
export { mailSignInLink, maySendLinks, personWithEmail } from './workspace/people/mail-links.ts'
export { requirePresentPerson } from './workspace/people/presence.ts'
export { endSessionsAtProvider, type SignedOut } from './workspace/people/provider-logout.ts'
export { type SignedInBy, type SignInGoal, signInByAccount } from './workspace/people/provider-sign-in.ts'
export {
  type Account,
  accountOf,
  type Claims,
  groupsOf,
  type Refusal,
  refusalOf,
} from './workspace/people/providers/rules.ts'
export { isLoopback, type ProviderSettings, SignInFile } from './workspace/people/providers/settings.ts'
export { takeSignInLink } from './workspace/people/sign-in-links.ts'
export {
  agentsMaySignIn,
  beginWebSession,
  endOfSession,
  endWebSession,
  type SessionLife,
  useWebSession,
} from './workspace/people/web-sessions.ts'
export {
  createAgentKey,
  type KeyHolder,
  keyHolders,
  ownerSigning,
  resetOwnerKey,
  revokeKey,
} from './workspace/seed.ts'
export { listedNodes } from './workspace/settings/status.ts'
export { StoredSecret } from './workspace/tokens/stored-secret.ts'
export { type Session, type SessionNotice, StoredSessions } from './workspace/tokens/stored-sessions.ts'
export { UsedTickets } from './workspace/tokens/used-tickets.ts'
export { AllowedHosts } from './workspace/webhooks/addresses.ts'
export type { WebhookState } from './workspace/webhooks/lane.ts'
export { Outside } from './workspace/webhooks/outside-fetch.ts'
