import type {
  ActorVia as ActorViaSchema,
  ApiContract,
  ArchitectureEntity,
  ArchitectureInterface,
  AuditAction,
  AuditTarget,
  BoardSettings,
  BusinessRule,
  CardKnowledge,
  CaseStatus,
  ChangeKind,
  ChangeState,
  ChannelType,
  Check,
  Choice,
  ClaimStage,
  Comment,
  Conclusion,
  ConfirmedBy,
  DeliveryStatus,
  DiagramPayload,
  EvidenceTier,
  Forge,
  ForgeDeliveryStatus,
  ItemList,
  LinkedEntity,
  LinkedHow,
  NotificationStatus,
  Origin as OriginSchema,
  PrincipalKind as PrincipalKindSchema,
  ProofRunStatus,
  QuietHours,
  RecognisedIn,
  ReportMapping,
  ReportOutcome,
  RequirementChange,
  ResolvedThresholds,
  ScreenMockup,
  SessionVia,
  SpecDecision,
  SpecValidationRecord,
  StoredCheckpoint,
  StoredSpecEvaluation,
  StoredSprintEvaluation,
  TechnicalRequirement,
  TestScenario,
  TierReason,
  ValidationEvidence,
  WaivedGate,
  WebhookFormat,
} from '@specboard/contract'
import type { Json } from '@specboard/storage'
import type { Generated } from 'kysely'
import type { z } from 'zod'
import type { Flag, JsonList, JsonObject, JsonOf } from './columns.ts'
import type {
  Change,
  ChangeContent,
  DesignVersion,
  Diagram,
  DomainEvent,
  EvidenceOrigin,
  Flags,
  ImportWrite,
  KeptAnswer,
  ProofTargets,
  ReportFile,
  ReportScenario,
  ShownArrival,
  StoredCiRun,
  StoredCiTrust,
} from './contents.ts'
import type { KnowledgeGraphTables } from './graph-tables.ts'
import type { CountedKind } from './list-counts.ts'
import type { SearchTables } from './search-tables.ts'

/**
 * The tables, the same on both databases: text for ids, times, enumerations and JSON; integer 0/1 for booleans.
 * `Json<Value>` is the type of a column with the JSON text of a value; the stores write and parse it.
 */

/** The kind of a principal. */
export type PrincipalKind = z.output<typeof PrincipalKindSchema>

/** The channel through which an actor came. */
export type ActorVia = z.output<typeof ActorViaSchema>

export interface AgentsTable {
  id: string
  name: string
  kind: PrincipalKind
  /** The name used to mention it; null for a deleted one. */
  handle: string | null
  /** Set only for a person. */
  email: string | null
  description: string | null
  objective: string | null
  is_active: Flag
  preset_id: string | null
  permission_flags: Json<Flags> | null
  key_hash: string | null
  api_key_prefix: string
  /** When the key expires; null for never. */
  key_expires_at: string | null
  /** The key before this one, while both are valid. */
  former_key_hash: string | null
  former_key_until: string | null
  /**
   * For a pipeline: who was shown its key and may work on cards, and so might vouch for itself (evidence 1, rule 3).
   */
  key_seen_by: string | null
  /** Who disabled the agent; null when it is active or when that is unknown. */
  disabled_by: string | null
  /** Incremented when the agent is disabled; sessions and links are signed with it, so that earlier ones stay ended. */
  session_generation: number
  created_by: string
  created_at: string
  last_used_at: string | null
  deleted_at: string | null
}

/** The one open link with which a person can sign in. */
export interface SignInLinksTable {
  agent_id: string
  token_hash: string
  expires_at: string
  /** How the person got it: from its creator, or by mail. */
  via: 'link' | 'mail'
}

/** Invitations of people (people). */
export interface InvitationsTable {
  id: string
  token_hash: string
  name: string | null
  email: string | null
  preset_id: string
  boards: Json<{ readonly board_id: string; readonly share: SharesTable['permission'] }[]>
  invited_by: string
  created_at: string
  expires_at: string
  accepted_at: string | null
  accepted_by: string | null
  revoked_at: string | null
}

/** The refusals with one code, of an agent on a board within one minute. */
export type Refused = readonly [minute: number, agentId: string, boardId: string, code: string, count: number]

/** What a node has observed of workers (harness 6). */
export interface WorkerSignsTable {
  node: string
  refusals: Json<Refused[]>
  /** Whose calls are waiting, and on which board. */
  waiting: Json<(readonly [agentId: string, boardId: string])[]>
  written_at: string
}

/** What a session has already been told, so that it is told once (harness 3.2). */
export interface SessionMemory {
  /** Ids of news, and of other one-time messages. */
  readonly told?: readonly string[]
  /** When it was last told of an edit in a path that another agent works on, by path and claim. */
  readonly edits?: Readonly<Record<string, string>>
  /** The cards whose claims were bound to it. */
  readonly cards?: readonly string[]
}

/** A conversation of a client (harness 3.2). */
export interface ClientSessionsTable {
  id: string
  agent_id: string
  /** The id that its client gave it. */
  name: string
  /** The board that it last worked on. */
  board_id: string | null
  client: string | null
  client_version: string | null
  model: string | null
  /** The last folder of its work tree. */
  worktree: string | null
  worktree_hash: string | null
  repository: string | null
  branch: string | null
  commit_sha: string | null
  memory: Json<SessionMemory>
  started_at: string
  last_event_at: string
  /** When it expires. */
  expires_at: string
}

/** A session of a browser (people 2.4). */
export interface WebSessionsTable {
  id: string
  /** The hash of the id that the cookie holds. */
  hash: string
  agent_id: string
  via: z.output<typeof SessionVia>
  provider: string | null
  present: Flag
  /** The hash of the key that it began with; empty if it needs none. */
  key_hash: string
  /** How often its agent had been disabled when the session began. */
  generation: number
  started_at: string
  last_used_at: string
  address: string
  browser: string
  /** The account at the provider, and what it calls the session: null without one, and for sessions from before 0144. */
  provider_subject: string | null
  provider_sid: string | null
}

/**
 * An account at an identity provider with which a person signs in, identified by its issuer and subject (people 2.3).
 */
export interface IdentitiesTable {
  id: string
  person_id: string
  provider: string
  issuer: string
  subject: string
  email: string | null
  name: string | null
  linked_at: string
  last_used_at: string
  /** The address that the provider last said it had verified. */
  verified_email: string | null
}

/** A share that a person has by groups at an identity provider, and that follows the groups (people 2.1). */
export interface GroupSharesTable {
  share_id: string
  person_id: string
  provider: string
}

/** What a person authorized an MCP client to do (people 3.5). */
export interface ConnectionsTable {
  id: string
  client_id: string
  client_name: string
  /** The host of the client's metadata document; null for a registered client. */
  client_host: string | null
  agent_id: string
  person_id: string
  /** The grant that its tokens belong to. */
  grant_id: string
  scopes: 'read write' | 'read'
  /** What the person chose, as the default for the next time. */
  choice: JsonObject
  confirm: Flag
  created_at: string
  last_used_at: string
  ended_at: string | null
  ended_reason: string | null
  /** Whether the person has yet to be told that it ended (people 3.7). */
  unseen_end: Flag
}

/** The stored records of client authorization: tokens and codes, by the hash of the issued value. */
export interface OauthRecordsTable {
  kind: string
  id: string
  grant_id: string | null
  uid: string | null
  payload: JsonObject
  consumed_at: string | null
  expires_at: string
}

/** A client that registered itself, or whose metadata document was read (people 3.6). */
export interface OauthClientsTable {
  id: string
  origin: 'registered' | 'document' | 'hand'
  /** Encrypted, because it may contain a secret. */
  metadata: string
  created_at: string
  used_at: string | null
  /** Until when the document need not be fetched again. */
  fresh_until: string | null
}

/** A grant or share that a person lent an agent, which follows the person's own access to the board. */
export interface LentWaysTable {
  way_id: string
  agent_id: string
  person_id: string
  board_id: string
}

/** A person's notification settings (people 5). */
export interface NotificationSettingsTable {
  person_id: string
  quiet_hours: Json<z.output<typeof QuietHours>> | null
  digest_at: string
  time_zone: string
  muted_boards: Json<readonly string[]>
  content: 'title' | 'ref'
  /** Earlier items of the inbox are never reported. */
  watched_from: string | null
}

/** A channel through which a person is notified (people 5.1). */
export interface NotificationChannelsTable {
  id: string
  person_id: string
  type: z.output<typeof ChannelType>
  name: string
  /** Masked. */
  target: string
  /** Its destination, encrypted (trust 5). */
  sealed: string
  /** The hash of a browser's push endpoint, which is one channel. */
  endpoint_hash: string | null
  verified: Flag
  active: Flag
  kinds: Json<readonly string[]>
  mode: 'now' | 'digest'
  /** The position of the last arrival that was sent, or need not be. */
  cursor: string
  /** The day of its last digest, in the person's time zone. */
  digest_on: string | null
  /** The number of dropped messages of each kind since the last summary. */
  missed: Json<Readonly<Record<string, number>>> | null
  code_hash: string | null
  code_until: string | null
  code_tries: number
  /** Failed attempts since the last success. */
  failures: number
  created_at: string
  last_success_at: string | null
  last_failure_at: string | null
  failing_since: string | null
  disabled_reason: string | null
}

/** An item of a person's inbox, as channels track it; settled items have no row. */
export interface NotificationArrivalsTable {
  person_id: string
  item_id: string
  /** Later ones sort after earlier ones. */
  place: string
  kind: string
  board_id: string
  since: string
  arrived_at: string
  /** Whether nobody is notified: the person caused it, has muted the board, or the item was there before. */
  silent: Flag
  shown: Json<ShownArrival>
}

/** A message to a channel (people 5.2). */
export interface NotificationDeliveriesTable {
  id: string
  channel_id: string
  person_id: string
  purpose: 'item' | 'summary' | 'digest' | 'test' | 'code'
  /** It covers the arrivals after this position, up to the other one. */
  from_place: string
  to_place: string
  item_ids: Json<readonly string[]>
  kinds: Json<readonly string[]>
  status: z.output<typeof NotificationStatus>
  attempts: number
  next_attempt_at: string | null
  reason: string | null
  created_at: string
  delivered_at: string | null
}

/** A mention: somebody whose handle appears in a text (people 5.6). */
export interface MentionsTable {
  id: string
  agent_id: string
  entity_type: string
  entity_id: string
  /** The text: the id of a comment, question or answer, or a field of the record. */
  source: string
  board_id: string
  author_id: string
  excerpt: string
  at: string
  /** Whether it is still in the inbox. */
  is_open: Flag
  /** Whether channels report it: only a limited number an hour from one author. */
  told: Flag
}

export interface PresetsTable {
  id: string
  owner_id: string | null
  name: string
  description: string
  is_builtin: Flag
  base_preset_id: string | null
  /** The complete map of all permission names. */
  flags: Json<Flags>
  /** Incremented by every write; bases resolved from the flags are cached by it. */
  revision: number
  created_at: string
  updated_at: string
}

export interface BoardsTable {
  id: string
  name: string
  description: string
  owner_id: string
  settings: Json<Partial<z.output<typeof BoardSettings>>>
  /** The prefix of references to its records. */
  key: string
  /** The sequence number of the board's last event. */
  seq: number
  /** The number of the board's last record. */
  last_number: number
  created_at: string
  updated_at: string
}

/** Former keys of boards, kept until another board takes them (work 1). */
export interface FormerBoardKeysTable {
  key: string
  board_id: string
}

/** The number of a deleted record, whose events keep its reference. */
export interface DeletedNumbersTable {
  entity_id: string
  board_id: string
  number: number
}

export interface GrantsTable {
  id: string
  agent_id: string
  board_id: string
  granted_by: string
  granted_at: string
  permission_overrides: Json<Flags> | null
}

export interface SharesTable {
  id: string
  board_id: string
  user_id: string
  permission: 'viewer' | 'editor' | 'admin'
  shared_by: string
  created_at: string
}

export interface RuntimeSettingsTable {
  key: string
  value: number
  updated_at: string
}

/** Writes without a board: agents, presets, runtime settings. Names of changed fields only, never values. */
/** The ways by which calls reach the service. */
export type Origin = z.output<typeof OriginSchema>

export interface AuditTable {
  id: string
  actor_id: string
  actor_name: string
  action: z.output<typeof AuditAction>
  target_type: z.output<typeof AuditTarget>
  target_id: string
  /** The target's name at the time. */
  target_name: string
  fields: Json<string[]>
  /** Further facts, without secrets; null for none. */
  details: JsonObject | null
  /** The kind of the actor at the time; `agent` for entries older than kinds. */
  actor_type: Generated<PrincipalKind>
  /** The channel of the actor; null for entries older than this column. */
  actor_via: ActorVia | null
  /** The origin of the write. */
  origin: Origin
  created_at: string
}

/** The event log: activity (`action`), histories (`history_action`) and domain events (`domain`). */
export interface EventsTable {
  id: string
  board_id: string
  /** Counted in the board's row; without gaps within a board. */
  seq: number
  /** The record that the entry is about. */
  entity_type: string
  entity_id: string
  /** The action in the board's activity; null when the entry is only in a history. */
  action: string | null
  /** The action in the record's history; null when the entry is only in the activity. */
  history_action: string | null
  card_id: string | null
  actor_id: string
  actor_name: string
  /** The kind of the actor at the time; `agent` for entries older than kinds. */
  actor_type: Generated<PrincipalKind>
  /** The channel of the actor; null for entries older than this column, and for entries of an import. */
  actor_via: ActorVia | null
  details: JsonObject | null
  changes: Json<Change[]> | null
  summary: string | null
  version: number | null
  /** The `rev` of the record after the write; null for an entry of an earlier version, and for a record without one. */
  rev: number | null
  /** The domain events of the write. */
  domain: Json<DomainEvent[]> | null
  /** 1 for an entry of an import: no webhook gets it (work 6). */
  imported: Generated<Flag>
  created_at: string
  /**
   * Its position among the entries of all boards, in commit order; null for entries that are not news: written before
   * positions existed, or restored from an archive.
   */
  position: number | null
}

/** Entries of a board's event log that were moved to a file, or that an imported archive lacks (work 5.1). */
export interface EventArchivesTable {
  board_id: string
  /** The name of the file in the folder of the board; empty for what an archive lacked. */
  file: string
  /** The highest sequence number among them. */
  last_seq: number
  /** The last of their positions among the entries of all boards. */
  last_position: number | null
  /** How many entries were removed from the log. */
  entries: number
  created_at: string
}

/** Counters of the whole service, by name. */
export interface CountersTable {
  name: 'events'
  value: number
}

export interface IdempotencyKeysTable {
  agent_id: string
  path: string
  key: string
  body_hash: string
  answer: Json<KeptAnswer>
  created_at: string
}

/** Secrets that the service generates once for itself, by name. */
export interface SecretsTable {
  name: string
  value: string
}

/**
 * How many records of a board are in a status and a segment of their list; maintained by triggers (`list-counts.ts`). A
 * segment extends to the next one of its kind, regardless of status.
 */
export interface ListCountsTable {
  board_id: string
  kind: CountedKind
  /** Where the segment begins in the order of the list; empty for the first one. */
  since: string
  status: string
  archived: Flag
  count: number
}

/** The columns that ideations, refinements and specs share. */
export interface PlanningRecord {
  id: string
  board_id: string
  /** Counted in the board's row, one count for all kinds of record. */
  number: number
  title: string
  description: string | null
  status: string
  version: number
  /** How often its own fields have changed, including its creation (crew 2.1). */
  rev: number
  assignee_id: string | null
  labels: Json<string[]> | null
  screen_mockups: JsonList<typeof ScreenMockup> | null
  archived: Flag
  pre_archive_status: string | null
  created_by: string
  created_at: string
  updated_at: string
}

/** The shared columns that summaries show. */
export type PlanningRecordRow = Omit<PlanningRecord, 'number' | 'rev' | 'screen_mockups'>

export interface IdeationsTable extends PlanningRecord {
  problem_statement: string | null
  proposed_approach: string | null
  scope_assessment: JsonObject | null
  complexity: string | null
}

export interface RefinementsTable extends PlanningRecord {
  ideation_id: string
  in_scope: Json<string[]> | null
  out_of_scope: Json<string[]> | null
  analysis: string | null
  decisions: Json<string[]> | null
}

export interface SpecsTable extends PlanningRecord {
  ideation_id: string | null
  refinement_id: string | null
  context: string | null
  functional_requirements: Json<string[]> | null
  technical_requirements: Json<(string | z.output<typeof TechnicalRequirement>)[]> | null
  acceptance_criteria: Json<string[]> | null
  test_scenarios: JsonList<typeof TestScenario> | null
  business_rules: JsonList<typeof BusinessRule> | null
  api_contracts: JsonList<typeof ApiContract> | null
  decisions: JsonList<typeof SpecDecision> | null
  skip_test_coverage: Flag
  skip_rules_coverage: Flag
  skip_trs_coverage: Flag
  skip_contract_coverage: Flag
  skip_decisions_coverage: Flag
  skip_qualitative_validation: Flag
  validation_threshold: number | null
  require_task_validation: Flag | null
  validation_min_confidence: number | null
  validation_min_completeness: number | null
  validation_max_drift: number | null
  /** Oldest first. */
  evaluations: JsonList<typeof StoredSpecEvaluation>
  current_validation_id: string | null
  /** Null for a spec that was never validated. */
  changed_since_validated: Json<string[]> | null
  /** Numbers of removed items, by list: they are never given to other items (crew 1.1). */
  removed_item_numbers: Json<Partial<Record<ItemList, readonly number[]>>> | null
  /** Whether it collects the small changes of its board, which has at most one such spec (crew 6.1). */
  standing: Flag
}

/** Who submitted a validation, besides the id. */
interface Submitted {
  actor_type: PrincipalKind
  actor_via: ActorVia | null
  /** Whether it was a present person. */
  present: Flag
}

export interface SpecValidationsTable extends Submitted {
  id: string
  /** Counted on its spec (crew 8.2). */
  number: number
  board_id: string
  spec_id: string
  reviewer_id: string
  reviewer_name: string
  completeness: number
  completeness_justification: string
  assertiveness: number
  assertiveness_justification: string
  ambiguity: number
  ambiguity_justification: string
  general_justification: string
  recommendation: string
  outcome: string
  threshold_violations: Json<string[]>
  resolved_thresholds: Json<z.output<typeof SpecValidationRecord>['resolved_thresholds']>
  created_at: string
}

/** The kind of record that a question, a knowledge item or a snapshot belongs to. */
export type OwnerType = 'ideation' | 'refinement' | 'spec' | 'card'

export interface QuestionsTable {
  id: string
  /** Counted on its record (crew 8.2). */
  number: number
  board_id: string
  owner_type: OwnerType
  owner_id: string
  question: string
  question_type: string
  choices: JsonList<typeof Choice> | null
  allow_free_text: Flag
  answer: string | null
  selected: Json<string[]> | null
  asked_by: string
  answered_by: string | null
  created_at: string
  answered_at: string | null
}

/** Knowledge of refinements and specs; that of cards is in a column of the card. */
export interface KnowledgeTable {
  id: string
  /** Counted on its record (crew 8.2). */
  number: number
  board_id: string
  owner_type: OwnerType
  owner_id: string
  title: string
  description: string | null
  content: string
  mime_type: string
  source_type: string | null
  source_id: string | null
  source_title: string | null
  source_version: number | null
  source_kb_id: string | null
  created_by: string
  created_at: string
  updated_at: string
}

export interface SnapshotsTable {
  id: string
  board_id: string
  owner_type: OwnerType
  owner_id: string
  version: number
  /** The fields that the kind of owner keeps, and `qa_snapshot`: `snapshotRoom` knows them. */
  content: Json<unknown>
  created_by: string
  created_at: string
}

export interface SprintsTable {
  id: string
  board_id: string
  number: number
  spec_id: string
  title: string
  description: string | null
  objective: string | null
  expected_outcome: string | null
  status: string
  spec_version: number
  start_date: string | null
  end_date: string | null
  test_scenario_ids: Json<string[]> | null
  business_rule_ids: Json<string[]> | null
  version: number
  rev: number
  labels: Json<string[]> | null
  /** In order of submission. */
  evaluations: JsonList<typeof StoredSprintEvaluation> | null
  skip_test_coverage: Flag
  skip_rules_coverage: Flag
  skip_qualitative_validation: Flag
  validation_threshold: number | null
  require_task_validation: Flag | null
  validation_min_confidence: number | null
  validation_min_completeness: number | null
  validation_max_drift: number | null
  archived: Flag
  pre_archive_status: string | null
  created_by: string
  created_at: string
  updated_at: string
}

/** Knowledge as stored in its card; entries without a number are numbered by position (crew 8.2). */
export type StoredKnowledge = Omit<z.output<typeof CardKnowledge>, 'ref'> & { readonly number?: number }

export interface CardsTable {
  id: string
  board_id: string
  number: number
  spec_id: string | null
  sprint_id: string | null
  title: string
  description: string | null
  details: string | null
  card_type: string
  status: string
  priority: string
  position: number
  assignee_id: string | null
  due_date: string | null
  labels: Json<string[]> | null
  test_scenario_ids: Json<string[]>
  screen_mockups: JsonList<typeof ScreenMockup>
  knowledge_bases: Json<StoredKnowledge[]>
  origin_task_id: string | null
  severity: string | null
  expected_behavior: string | null
  observed_behavior: string | null
  steps_to_reproduce: string | null
  action_plan: string | null
  linked_test_task_ids: Json<string[]>
  rev: number
  /** Oldest first. */
  conclusions: JsonList<typeof Conclusion>
  /** Incremented each time the card enters `validation`; a validation of an earlier round is not active. */
  validation_stay: number
  created_by: string
  created_at: string
  updated_at: string
  moved_at: string
  moved_by: string
  archived: Flag
  pre_archive_status: string | null
  /** The only agent that may take up a failed card until `reserved_until` (crew 4.4). */
  reserved_for: string | null
  reserved_until: string | null
  /** The number of failed attempts that count (crew 4.6). */
  failed_attempts: number
  lost_attempts: number
  /** Null: the board's limit applies. */
  attempt_limit: number | null
  regression_test: string | null
  /** How it will be checked (crew 6.2). */
  planned_check: Json<z.output<typeof Check>> | null
  /** Whether it files past work, to which no gates applied (crew 6.7). */
  imported: Flag
  /** Null once the card is done or cancelled (crew 5.4). */
  checkpoint: Json<z.output<typeof StoredCheckpoint>> | null
  /** What others changed in the card's requirements, oldest first; null once it is done or cancelled (crew 4.7). */
  requirement_changes: JsonList<typeof RequirementChange> | null
  /** When the holder last read the card. */
  changes_seen_at: string | null
  /** The patterns of its scope (harness 4.1). */
  paths: Json<string[]>
}

export interface TaskValidationsTable extends Submitted {
  id: string
  /** Counted on its card (crew 8.2). */
  number: number
  board_id: string
  card_id: string
  /** The card's `validation_stay` at submission. */
  stay: number
  outcome: string
  recommendation: string
  reviewer_id: string
  reviewer_name: string
  submitted_by: string
  summary: string
  evidence: JsonList<typeof ValidationEvidence>
  confidence: number | null
  confidence_justification: string | null
  completeness: number | null
  completeness_justification: string | null
  drift: number | null
  drift_justification: string | null
  threshold_violations: Json<string[]>
  resolved_thresholds: JsonOf<typeof ResolvedThresholds> | null
  created_at: string
}

export interface CardDependenciesTable {
  id: string
  board_id: string
  card_id: string
  depends_on_id: string
  created_at: string
}

/** Who works on a card; at most one row a card. An expired row counts as none (work 3). */
export interface ClaimsTable {
  card_id: string
  board_id: string
  agent_id: string
  stage: z.output<typeof ClaimStage>
  note: string | null
  claimed_at: string
  renewed_at: string
  expires_at: string
  /** When the activity last mentioned the claim. */
  recorded_at: string
  /** Whether its expiry counts as an attempt (crew 4.6). */
  is_attempt: Flag
  /** Whether its holder knows that it has expired. */
  lost_seen: Flag
  /** The conversation that works on it, by the id that its client gave it (harness 3.2). */
  session: string | null
}

/** An overlap that an agent no longer wants to hear about (harness 5.4). */
export interface OverlapDismissalsTable {
  agent_id: string
  source: string
  at: string
}

/** Paths that an agent reserves without a card (harness 5.7). An expired row counts as none. */
export interface PathReservationsTable {
  id: string
  board_id: string
  agent_id: string
  /** The patterns, in order. */
  paths: Json<string[]>
  note: string | null
  /** The id that a client gave its conversation. */
  session: string | null
  /** The repository that they are of; null: of every one. */
  repository_id: string | null
  created_at: string
  expires_at: string
}

/** What an agent is told once: it is kept until the agent reads the record, or dismisses it (crew 4.3). */
export interface NewsTable {
  agent_id: string
  kind: string
  source: string
  board_id: string
  entity_type: string
  entity_id: string
  since: string
  actor_id: string | null
  actor_name: string | null
  data: Json<Readonly<Record<string, unknown>>>
  /** The record as it was, if it no longer exists. */
  record: Json<{ readonly ref: string | null; readonly title: string; readonly status: string }> | null
}

export interface CommentsTable {
  id: string
  /** Counted on its card (crew 8.2). */
  number: number
  board_id: string
  card_id: string
  content: string
  author_id: string
  comment_type: string
  choices: Json<NonNullable<z.output<typeof Comment>['choices']>> | null
  responses: Json<z.output<typeof Comment>['responses']>
  allow_free_text: Flag
  created_at: string
  updated_at: string
}

/** The highest number that a record ever gave to a part of a kind (crew 8.2). */
export interface PartNumbersTable {
  owner_id: string
  letter: string
  board_id: string
  last: number
}

export interface AttachmentsTable {
  id: string
  /** Counted on its card (crew 8.2). */
  number: number
  board_id: string
  card_id: string
  filename: string
  original_filename: string
  mime_type: string
  size: number
  sha256: string
  uploaded_by: string
  created_at: string
}

/** Files to remove, whose rows are already deleted; retried at start. */
export interface FileRemovalsTable {
  path: string
}

/** The files of attachments, on PostgreSQL only; without a size while they are uploaded. */
export interface AttachmentFilesTable {
  path: string
  size: number | null
  started_at: string
}

/** The bytes of the files, on PostgreSQL only. */
export interface AttachmentPartsTable {
  path: string
  part: number
  bytes: Buffer
}

export interface SeenMarksTable {
  item_id: string
  card_id: string
  agent_id: string
  agent_name: string
  seen_at: string
}

export interface GuidelinesTable {
  id: string
  title: string
  content: string
  tags: Json<string[]> | null
  scope: 'global' | 'inline'
  board_id: string | null
  owner_id: string
  version: number
  rev: number
  /** The priority of an inline guideline on its board; 0 for global ones. */
  priority: number
  created_at: string
  updated_at: string
}

/** The name of a board's record in the file that it was imported from; unique per board and source (exchange 1). */
export interface ExternalIdsTable {
  board_id: string
  source: string
  external_id: string
  /** The kind of record, as archives name it. */
  entity_type: string
  entity_id: string
  /** A digest of the last imported value of each field that a later import may change. */
  imported: Json<Record<string, string>>
  imported_at: string
  created_at: string
}

/** Authors of imported records who are not agents here: shown as `external:<name>`, exported unchanged. */
export interface ExternalAuthorsTable {
  board_id: string
  /** The value in the columns of records. */
  author: string
  /** As in the file. */
  agent_id: string
  /** Null if the file contains only an id. */
  name: string | null
  /** What the file claims, as its export repeats it (people 1.5). */
  kind: AgentsTable['kind'] | null
}

/** What agents did to a graph elsewhere, to be repeated on the nodes that are derived here. */
export interface GraphActionsTable {
  id: string
  board_id: string
  action: 'boost' | 'undo'
  node_type: string | null
  record_ref: string
  actor_id: string
  created_at: string
}

/** Unfinished imports: a board that nobody sees yet, or records that the graph has yet to read. */
export interface ImportsTable {
  id: string
  board_id: string
  /** Whether everything is written. Until then a new board belongs to nobody. */
  written: Flag
  started_at: string
  /** For an import into an existing board: whether its writes are being gathered or put in place. */
  staged: 'gathering' | 'placing' | null
  /** The node that imports. */
  node_id: string | null
}

/** The nodes that run on a shared database. */
export interface NodesTable {
  id: string
  /** When the others take over its work, by the clock of the database. */
  leased_until: string
  /** The address on which it listens; empty and 0 if it does not listen. */
  host: string
  port: number
  version: string
  started_at: string
  /** Its last sign of life, by the clock of the database. */
  seen_at: string
}

/** A row that is written to check that writes succeed. */
export interface WriteProbesTable {
  id: number
  /** ms. */
  at: number
}

/** What only one node at a time may hold, by name. */
export interface LeasesTable {
  name: string
  node_id: string
}

/** Writes of an import that are made together. */
export interface ImportWritesTable {
  import_id: string
  at: number
  writes: Json<readonly ImportWrite[]>
}

/** The records that an import touches. Nodes of the previous version write it; it is dropped in the next version. */
export interface ImportTouchedTable {
  import_id: string
  at: number
  ids: Json<string[]>
}

/** The nodes that have closed the board of an import; like `import_touched`. */
export interface ImportGatesTable {
  import_id: string
  node_id: string
}

export interface BoardGuidelinesTable {
  id: string
  board_id: string
  guideline_id: string
  priority: number
  created_at: string
}

export interface SavedSearchesTable {
  id: string
  board_id: string
  name: string
  query: string | null
  intent_id: string | null
  filters_json: JsonObject | null
  created_by: string
  created_at: string
}

/** A page of a board with its filters, under a name (web 3). */
export interface SavedViewsTable {
  id: string
  board_id: string
  owner_id: string
  /** Whether all of the board see it. */
  shared: Flag
  name: string
  /** As addresses name it. */
  page: string
  /** What stands behind the `?` of the address. */
  query: string
  created_at: string
  updated_at: string
}

export interface SearchHistoryTable {
  id: string
  board_id: string
  user_id: string
  query: string | null
  intent_id: string
  result_count: number
  searched_at: string
}

export interface ArchitectureDesignsTable {
  id: string
  /** Counted on its record (crew 8.2). */
  number: number
  board_id: string
  parent_type: OwnerType
  parent_id: string
  title: string
  global_description: string
  entities: JsonList<typeof ArchitectureEntity>
  interfaces: JsonList<typeof ArchitectureInterface>
  /** In the client's order. */
  diagrams: Json<Diagram[]>
  version: number
  rev: number
  source_ref: string | null
  source_version: number | null
  source_design_id: string | null
  stale: Flag
  breaking_change_flag: Flag
  requires_arch_review: Flag
  created_by: string
  created_at: string
  updated_at: string
}

/** The content of a diagram; the id is the diagram's `adapter_payload_ref`. */
export interface ArchitecturePayloadsTable {
  id: string
  board_id: string
  design_id: string
  diagram_id: string
  /** Canonical JSON (insight A.5). */
  content: JsonOf<typeof DiagramPayload>
}

/** A version of a design; it never changes. */
/** The content that diagrams had in former versions of their design, each stored once. */
export interface ArchitectureFormerPayloadsTable {
  design_id: string
  diagram_id: string
  content_hash: string
  content: JsonOf<typeof DiagramPayload>
}

export interface ArchitectureVersionsTable {
  id: string
  board_id: string
  design_id: string
  version: number
  /** The design's content, source fields and flags, with diagrams without payloads. */
  content: Json<DesignVersion>
  change_summary: string
  created_by: string
  created_at: string
}

/** MCP sessions that were ended or have subscriptions; `id_hash` is the SHA-256 of the session's token (mcp 3). */
export interface McpSessionsTable {
  id_hash: string
  agent_id: string
  terminated_at: string | null
  expires_at: string
}

/** The resources that a session subscribes to. */
export interface McpSubscriptionsTable {
  id_hash: string
  uri: string
}

/** Used upload tickets that have not expired; `id_hash` is the SHA-256 of the ticket (mcp 10). */
export interface McpUsedTicketsTable {
  id_hash: string
  expires_at: string
}

/** A replaced secret of a webhook, encrypted like the current one. */
export interface FormerSecret {
  secret: string
  /** When it stops signing. */
  until: string
  /** For a repository: who was shown it. */
  seen_by?: string | null
}

/** Webhooks of boards (work 6). */
export interface WebhooksTable {
  id: string
  board_id: string
  url: string
  description: string | null
  events: Json<string[]>
  active: Flag
  format: z.output<typeof WebhookFormat>
  /** Encrypted with the key of the data folder. */
  secret: string
  /** The previous secret, while both sign. */
  former_secret: string | null
  former_secret_until: string | null
  /** The secrets before that, newest first, while they also sign. */
  earlier_secrets: Json<FormerSecret[]> | null
  /** How far the event log has been queued. */
  cursor: number
  created_by: string
  created_at: string
  updated_at: string
  disabled_reason: string | null
  last_success_at: string | null
  last_failure_at: string | null
  failing_since: string | null
}

/** What was or will be sent to a webhook, for 30 days. */
export interface WebhookDeliveriesTable {
  id: string
  webhook_id: string
  /** The `webhook-id` of the message. */
  message_id: string
  /** Null for a ping. */
  event_sequence: number | null
  /** 1 when somebody requested it: it does not wait for earlier events, nor they for it. */
  asked: Flag
  status: z.output<typeof DeliveryStatus>
  attempts: number
  /** Null when it is not pending, or its webhook is switched off. */
  next_attempt_at: string | null
  response_status: number | null
  response_excerpt: string | null
  duration_ms: number | null
  created_at: string
  delivered_at: string | null
}

/** Events that forges sent, for 30 days (git 2). */
export interface ForgeDeliveriesTable {
  id: string
  board_id: string
  repository_id: string
  /** As the forge names it. */
  delivery_id: string
  event: string
  action: string | null
  status: z.output<typeof ForgeDeliveryStatus>
  reason: string | null
  received_at: string
  processed_at: string | null
  attempts: number
  /** When it is tried next; null when it is not queued. */
  next_attempt_at: string | null
  repeats: number
  size: number
  changes: number
  links: number
  /** Its body, until it has been processed. */
  payload: string | null
  /** Who was shown the secret that signed it, unless that was a present person. */
  seen_by: string | null
}

/** The newest state of each check at a commit (git 2). */
export interface ChangeChecksTable {
  repository_id: string
  sha: string
  name: string
  board_id: string
  kind: 'check_run' | 'status' | 'workflow_run' | 'check_suite' | 'pipeline'
  /** The suite that its runs belong to; null if the forge names none. */
  suite: string | null
  state: CheckState
  attempt: number
  url: string | null
  /** When it was completed, or else started. */
  at: string
  /** Who was shown the secret of the event that reported it, unless that was a present person. */
  seen_by: string | null
}

/** The state of a check. */
export type CheckState = 'success' | 'neutral' | 'skipped' | 'failure' | 'cancelled' | 'pending'

/** The session of a CI run, by the hash of its token (evidence 6.2). */
export interface CiSessionsTable {
  token_hash: string
  board_id: string
  repository_id: string
  /** The name it acts under, besides the id that follows from the repository. */
  name: string
  run: Json<StoredCiRun>
  expires_at: string
  created_at: string
}

/** Repositories of boards (git 1). */
/** Repositories of boards (git 1). */
export interface RepositoriesTable {
  id: string
  board_id: string
  name: string
  /** The name and the path prefix in lower case: unique on a board. */
  name_key: string
  url: string
  forge: z.output<typeof Forge>
  default_branch: string
  path_prefix: string | null
  recognise: Json<z.output<typeof RecognisedIn>[]>
  required_checks: Json<string[]>
  /** Encrypted with the key of the data folder. */
  secret: string
  /** The former secrets that are still accepted, encrypted, newest first. */
  former_secrets: Json<FormerSecret[]>
  /** Who was shown the secret, unless that was a present person (git 6). */
  secret_seen_by: string | null
  require_signature: Flag
  active: Flag
  /** The forge's number for it; null until a verified event contains it. */
  forge_id: string | null
  /** How many events with a bad signature arrived, by hour. */
  refusals: Json<{ readonly hour: string; readonly count: number }[]>
  synced_at: string | null
  last_delivery_at: string | null
  /** The CI tokens that the repository accepts (evidence 6.2). */
  ci: Json<StoredCiTrust> | null
  /** Their issuer, for look-ups. */
  ci_issuer: string | null
  created_by: string
  created_at: string
  updated_at: string
}

/** Commits, branches and pull requests of repositories (git). */
export interface ChangesTable {
  id: string
  board_id: string
  repository_id: string
  kind: z.output<typeof ChangeKind>
  /** Its identity within its repository: sha, name of the branch, number of the pull request. */
  key: string
  title: string
  state: z.output<typeof ChangeState>
  author_name: string | null
  /** In lower case. */
  author_email: string | null
  author_login: string | null
  confirmed_by: z.output<typeof ConfirmedBy> | null
  /** Who was shown the secret or key that confirmed it, unless that was a present person (git 6). */
  seen_by: string | null
  is_external: Flag
  is_linked: Flag
  files_changed: number | null
  additions: number | null
  deletions: number | null
  patch_id: string | null
  /** Of a pull request: the branch that it comes from, its head and the commit that merged it. */
  source_branch: string | null
  head: string | null
  merge_commit: string | null
  /** The content specific to its kind. */
  content: Json<ChangeContent>
  /** When it was made: lists are in this order. */
  happened_at: string
  created_at: string
  updated_at: string
}

/** Links from changes to records (git). */
export interface ChangeLinksTable {
  change_id: string
  board_id: string
  entity_type: z.output<typeof LinkedEntity>
  entity_id: string
  how: z.output<typeof LinkedHow>
  /** 1 if somebody unlinked it: it stays unlinked when the change is seen again. */
  is_undone: Flag
  linked_by: string
  linked_at: string
}

/** Which commits are on which branches, and in which pull requests (git). */
export interface BranchCommitsTable {
  branch_id: string
  commit_id: string
  board_id: string
  /** When it was added to the branch; null for entries older than this column. */
  placed_at: string | null
}

/** The agents that authors were identified with by somebody (git). */
export interface ChangeAuthorsTable {
  id: string
  board_id: string
  repository_id: string | null
  email: string | null
  login: string | null
  agent_id: string | null
  position: number
}

/** What kept a card from a move caused by a change, until it moves (git 7). */
export interface AutomationRefusalsTable {
  card_id: string
  board_id: string
  change_id: string
  /** Whose change it is; null if unknown. */
  agent_id: string | null
  from_status: string
  to_status: string
  /** When the card had entered its status. */
  moved_at: string
  code: string
  message: string
  missing: Json<unknown>
  cause: JsonObject
  /** The part of the report that the change provides. */
  report: JsonObject
  at: string
}

/** Reports of test runs (evidence 2). */
export interface TestReportsTable {
  id: string
  board_id: string
  repository_id: string | null
  name: string
  commit_sha: string | null
  tested_commit: string | null
  tree: string | null
  branch: string | null
  pull_request: number | null
  ci_run: string | null
  attempt: number
  run_url: string | null
  /** Its identity on its board: repository, commit, run, attempt, name, and its content if it has no run. */
  identity: string
  tier: z.output<typeof EvidenceTier>
  tier_reason: z.output<typeof TierReason>
  /** Who was shown the key that sent it, unless that was a present person (evidence 1, rule 3). */
  seen_by: string | null
  actor_type: PrincipalKind
  submitted_by: string
  submitted_by_name: string
  proof_run_id: string | null
  files: Json<ReportFile[]>
  cases: number
  executed: number
  passed: number
  failed: number
  skipped: number
  flaky: number
  outcome: z.output<typeof ReportOutcome>
  content_sha256: string
  /** Its effect on scenarios and records; null for reports older than this column. */
  mapping: Json<z.output<typeof ReportMapping>> | null
  /** 0 once only those of its cases are kept that a scenario names. */
  cases_kept: Flag
  created_at: string
  /** What it was where an import took it from; null of one that was sent here. */
  origin: Json<EvidenceOrigin> | null
}

/** Runs of commands watched by one of our programs (evidence 5). */
export interface ProofRunsTable {
  id: string
  board_id: string
  /** As sent. */
  targets: Json<string[]>
  /** The scenarios, cards and specs that the targets resolve to. */
  meant: Json<ProofTargets>
  commit_sha: string | null
  tree: string | null
  is_dirty: Flag
  branch: string | null
  repository_id: string | null
  command: string
  host: string | null
  status: z.output<typeof ProofRunStatus>
  exit_code: number | null
  signal: string | null
  output_sha256: string | null
  output_bytes: number | null
  output_tail: string | null
  duration_ms: number | null
  tier: z.output<typeof EvidenceTier>
  tier_reason: z.output<typeof TierReason>
  seen_by: string | null
  mapping: Json<z.output<typeof ReportMapping>> | null
  started_by: string
  started_at: string
  expires_at: string
  finished_at: string | null
  /** The key by which the hook that ends the run finds it (harness 3.2). */
  hook_key: string | null
  /** What it was where an import took it from; null of one that was begun here. */
  origin: Json<EvidenceOrigin> | null
}

/** The records that reports count for. */
export interface ReportRecordsTable {
  report_id: string
  board_id: string
  entity_type: 'card' | 'spec'
  entity_id: string
  how: string
}

/** The records that proof runs count for. */
export interface RunRecordsTable {
  run_id: string
  board_id: string
  entity_type: 'card' | 'spec'
  entity_id: string
}

/** The tier that a record had when it was moved to `done`; no row without one (evidence 7). */
export interface DoneTiersTable {
  entity_id: string
  board_id: string
  tier: z.output<typeof EvidenceTier>
  /** What it was where it came from; null for a record that was done here. */
  origin: Json<{ tier: z.output<typeof EvidenceTier>; service: string | null }> | null
}

/** The requirements that cards are exempt from (evidence 8). */
export interface CardWaiversTable {
  card_id: string
  board_id: string
  gates: JsonList<typeof WaivedGate>
  reason: string
  waived_by: string
  waived_by_name: string
  waived_at: string
  /** 1 of one that came with an import, which excuses from nothing (walls 5). */
  is_imported: Flag
}

/** The results of a scenario's tests in a report: the reports of a run are combined (evidence 4). */
export interface ReportScenariosTable {
  report_id: string
  board_id: string
  spec_id: string
  scenario_id: string
  /** The fingerprint of the scenario: the result does not apply to a changed one. */
  print: string
  content: Json<ReportScenario>
}

/** The newest result of each tier of scenarios (evidence 4). */
export interface ScenarioResultsTable {
  spec_id: string
  scenario_id: string
  tier: z.output<typeof EvidenceTier>
  board_id: string
  tier_reason: z.output<typeof TierReason>
  status: 'automated' | 'passed' | 'failed'
  /** Who was shown the key that sent it, unless that was a present person. */
  seen_by: string | null
  commit_sha: string | null
  repository_id: string | null
  report_id: string | null
  run_id: string | null
  /** The first addresses. */
  cases: Json<string[]>
  is_flaky: Flag
  /** The fingerprint of the scenario: the result counts as long as it is unchanged. */
  print: string
  made_at: string
}

/** Results that came with an import, as they were where it came from: here they are claims (evidence 14). */
export interface ImportedResultsTable extends Omit<ScenarioResultsTable, 'seen_by'> {
  /** Where it came from. */
  service: string | null
}

/** The tests of reports (evidence 2). */
export interface TestCasesTable {
  report_id: string
  position: number
  board_id: string
  /** 0 for a failed one; those are listed first. */
  rank: 0 | 1
  address: string
  suite: string | null
  class: string | null
  name: string
  file: string | null
  status: z.output<typeof CaseStatus>
  is_flaky: Flag
  duration_ms: number | null
  message: string | null
  refs: Json<string[]>
  /** 1 if a scenario names it: it is kept. */
  is_named: Flag
}

export interface Schema extends KnowledgeGraphTables, SearchTables {
  event_archives: EventArchivesTable
  agents: AgentsTable
  sign_in_links: SignInLinksTable
  invitations: InvitationsTable
  web_sessions: WebSessionsTable
  worker_signs: WorkerSignsTable
  client_sessions: ClientSessionsTable
  identities: IdentitiesTable
  group_shares: GroupSharesTable
  connections: ConnectionsTable
  oauth_records: OauthRecordsTable
  oauth_clients: OauthClientsTable
  lent_ways: LentWaysTable
  notification_settings: NotificationSettingsTable
  notification_channels: NotificationChannelsTable
  notification_arrivals: NotificationArrivalsTable
  notification_deliveries: NotificationDeliveriesTable
  mentions: MentionsTable
  presets: PresetsTable
  boards: BoardsTable
  former_board_keys: FormerBoardKeysTable
  deleted_numbers: DeletedNumbersTable
  grants: GrantsTable
  shares: SharesTable
  runtime_settings: RuntimeSettingsTable
  audit: AuditTable
  events: EventsTable
  counters: CountersTable
  idempotency_keys: IdempotencyKeysTable
  secrets: SecretsTable
  list_counts: ListCountsTable
  mcp_sessions: McpSessionsTable
  mcp_subscriptions: McpSubscriptionsTable
  mcp_used_tickets: McpUsedTicketsTable
  nodes: NodesTable
  leases: LeasesTable
  write_probes: WriteProbesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  forge_deliveries: ForgeDeliveriesTable
  change_checks: ChangeChecksTable
  part_numbers: PartNumbersTable
  repositories: RepositoriesTable
  ci_sessions: CiSessionsTable
  changes: ChangesTable
  change_links: ChangeLinksTable
  branch_commits: BranchCommitsTable
  change_authors: ChangeAuthorsTable
  test_reports: TestReportsTable
  run_records: RunRecordsTable
  card_waivers: CardWaiversTable
  imported_results: ImportedResultsTable
  done_tiers: DoneTiersTable
  report_records: ReportRecordsTable
  proof_runs: ProofRunsTable
  automation_refusals: AutomationRefusalsTable
  test_cases: TestCasesTable
  report_scenarios: ReportScenariosTable
  scenario_results: ScenarioResultsTable
  ideations: IdeationsTable
  refinements: RefinementsTable
  specs: SpecsTable
  spec_validations: SpecValidationsTable
  questions: QuestionsTable
  knowledge: KnowledgeTable
  snapshots: SnapshotsTable
  sprints: SprintsTable
  cards: CardsTable
  task_validations: TaskValidationsTable
  card_dependencies: CardDependenciesTable
  claims: ClaimsTable
  path_reservations: PathReservationsTable
  overlap_dismissals: OverlapDismissalsTable
  news: NewsTable
  comments: CommentsTable
  attachments: AttachmentsTable
  file_removals: FileRemovalsTable
  attachment_files: AttachmentFilesTable
  attachment_parts: AttachmentPartsTable
  seen_marks: SeenMarksTable
  guidelines: GuidelinesTable
  board_guidelines: BoardGuidelinesTable
  external_ids: ExternalIdsTable
  external_authors: ExternalAuthorsTable
  graph_actions: GraphActionsTable
  imports: ImportsTable
  import_writes: ImportWritesTable
  import_touched: ImportTouchedTable
  import_gates: ImportGatesTable
  saved_searches: SavedSearchesTable
  saved_views: SavedViewsTable
  search_history: SearchHistoryTable
  architecture_designs: ArchitectureDesignsTable
  architecture_payloads: ArchitecturePayloadsTable
  architecture_former_payloads: ArchitectureFormerPayloadsTable
  architecture_versions: ArchitectureVersionsTable
}
