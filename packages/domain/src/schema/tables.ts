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

/** What a principal is. */
export type PrincipalKind = z.output<typeof PrincipalKindSchema>

/** By what an actor came. */
export type ActorVia = z.output<typeof ActorViaSchema>

export interface AgentsTable {
  id: string
  name: string
  kind: PrincipalKind
  /** What it is mentioned by; null of a deleted one. */
  handle: string | null
  /** Of a person. */
  email: string | null
  description: string | null
  objective: string | null
  is_active: Flag
  preset_id: string | null
  permission_flags: Json<Flags> | null
  key_hash: string | null
  api_key_prefix: string
  /** When the key stops working; null for never. */
  key_expires_at: string | null
  /** The key before this one, while both are valid. */
  former_key_hash: string | null
  former_key_until: string | null
  /** Of a pipeline: who was shown its key and may work on cards, so that it might vouch for itself (evidence 1, rule 3). */
  key_seen_by: string | null
  /** Who disabled the agent; null when it is active or when that is unknown. */
  disabled_by: string | null
  /** Raised when the agent is disabled; sessions and links are signed with it, so that those of before stay ended. */
  session_generation: number
  created_by: string
  created_at: string
  last_used_at: string | null
  deleted_at: string | null
}

/** The one open link that signs a person in. */
export interface SignInLinksTable {
  agent_id: string
  token_hash: string
  expires_at: string
  /** How it reached the person: by whoever made it, or by mail. */
  via: 'link' | 'mail'
}

/** Invitations of persons (people). */
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

/** Refusals with one code, of an agent on a board within a minute. */
export type Refused = readonly [minute: number, agentId: string, boardId: string, code: string, count: number]

/** What a node has seen of those who work (harness 6). */
export interface WorkerSignsTable {
  node: string
  refusals: Json<Refused[]>
  /** Whose calls wait, and on which board. */
  waiting: Json<(readonly [agentId: string, boardId: string])[]>
  written_at: string
}

/** What a session was told already, so that it is told once (harness 3.2). */
export interface SessionMemory {
  /** Ids of news, and what else is told once. */
  readonly told?: readonly string[]
  /** When it was last told of an edit in a path that another works on, by path and claim. */
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
  /** It is over from then on. */
  expires_at: string
}

/** A session of a browser (people 2.4). */
export interface WebSessionsTable {
  id: string
  /** Of the id that the cookie holds. */
  hash: string
  agent_id: string
  via: z.output<typeof SessionVia>
  provider: string | null
  present: Flag
  /** Of the key that it began with; empty where it needs none. */
  key_hash: string
  /** How often its agent was disabled when it began. */
  generation: number
  started_at: string
  last_used_at: string
  address: string
  browser: string
}

/** An account at a provider that signs a person in, known by its issuer and subject (people 2.3). */
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
}

/** A share that the groups of a person at a provider give, and that follows them (people 2.1). */
export interface GroupSharesTable {
  share_id: string
  person_id: string
  provider: string
}

/** What a person allowed a client over MCP to be (people 3.5). */
export interface ConnectionsTable {
  id: string
  client_id: string
  client_name: string
  /** Of the document that the client is; null of one that was registered. */
  client_host: string | null
  agent_id: string
  person_id: string
  /** What its tokens belong to. */
  grant_id: string
  scopes: 'read write' | 'read'
  /** What the person chose, for the next time. */
  choice: JsonObject
  confirm: Flag
  created_at: string
  last_used_at: string
  ended_at: string | null
  ended_reason: string | null
  /** Whether its person is still to be told that it ended (people 3.7). */
  unseen_end: Flag
}

/** What the authorization of clients keeps: tokens and codes by the hash of what was given away. */
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
  /** Sealed, because it may have a secret. */
  metadata: string
  created_at: string
  used_at: string | null
  /** Until when the document need not be read again. */
  fresh_until: string | null
}

/** A grant or share of an agent that a person lent it, and that follows the person's own way to the board. */
export interface LentWaysTable {
  way_id: string
  agent_id: string
  person_id: string
  board_id: string
}

/** What a person has set of notifications (people 5). */
export interface NotificationSettingsTable {
  person_id: string
  quiet_hours: Json<z.output<typeof QuietHours>> | null
  digest_at: string
  time_zone: string
  muted_boards: Json<readonly string[]>
  content: 'title' | 'ref'
  /** What was in the inbox before is never told. */
  watched_from: string | null
}

/** A way by which a person is told (people 5.1). */
export interface NotificationChannelsTable {
  id: string
  person_id: string
  type: z.output<typeof ChannelType>
  name: string
  /** Masked. */
  target: string
  /** Where it leads, wrapped (trust 5). */
  sealed: string
  /** Of the endpoint of a browser, which is one channel. */
  endpoint_hash: string | null
  verified: Flag
  active: Flag
  kinds: Json<readonly string[]>
  mode: 'now' | 'digest'
  /** The place of the last arrival that it was told, or need not be. */
  cursor: string
  /** The day of its last digest, where the person is. */
  digest_on: string | null
  /** What was dropped since its last summary: how many of each kind. */
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

/** An item of a person's inbox, as channels know it; those that are settled have no row. */
export interface NotificationArrivalsTable {
  person_id: string
  item_id: string
  /** Later ones sort after earlier ones. */
  place: string
  kind: string
  board_id: string
  since: string
  arrived_at: string
  /** Whether nobody is told: the person did it, has muted the board, or it was there before. */
  silent: Flag
  shown: Json<ShownArrival>
}

/** A message to a channel (people 5.2). */
export interface NotificationDeliveriesTable {
  id: string
  channel_id: string
  person_id: string
  purpose: 'item' | 'summary' | 'digest' | 'test' | 'code'
  /** It tells the arrivals behind this place, up to the other one. */
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

/** Somebody whose handle stands in a text (people 5.6). */
export interface MentionsTable {
  id: string
  agent_id: string
  entity_type: string
  entity_id: string
  /** The text: a comment, question or answer by its id, or a field of the record. */
  source: string
  board_id: string
  author_id: string
  excerpt: string
  at: string
  /** Whether it still stands in the inbox. */
  is_open: Flag
  /** Whether channels tell it: of one author so many an hour alone. */
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
  /** Raised by every write; bases resolved from the flags are cached under it. */
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
  /** What references to its records begin with. */
  key: string
  /** The sequence number of the board's last event. */
  seq: number
  /** The number of the board's last record. */
  last_number: number
  created_at: string
  updated_at: string
}

/** Keys that boards had before, for as long as no other board takes them (work 1). */
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
/** The doors of the service. */
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
  /** What else there is to say, without secrets; null for nothing. */
  details: JsonObject | null
  /** The kind of the actor at the time; `agent` before kinds were kept. */
  actor_type: Generated<PrincipalKind>
  /** By what the actor came; null before that was kept. */
  actor_via: ActorVia | null
  /** The door that the write came through. */
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
  /** The kind of the actor at the time; `agent` before kinds were kept. */
  actor_type: Generated<PrincipalKind>
  /** By what the actor came; null before that was kept, and of an entry of an import. */
  actor_via: ActorVia | null
  details: JsonObject | null
  changes: Json<Change[]> | null
  summary: string | null
  version: number | null
  /** The `rev` of the record after the write; null of an entry of an earlier version, and of a record without one. */
  rev: number | null
  /** The domain events of the write. */
  domain: Json<DomainEvent[]> | null
  /** 1 for an entry of an import: no webhook gets it (work 6). */
  imported: Generated<Flag>
  created_at: string
  /**
   * Its place among the entries of all boards, in the order of their commits; null of those that are no news: written
   * before there were places, or brought by an archive.
   */
  position: number | null
}

/** Counts of the whole service, by name. */
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
 * How many records of a board there are in a status, in a stretch of their list; triggers keep it (`list-counts.ts`).
 * A stretch goes on to the next one of its kind, whatever the status.
 */
export interface ListCountsTable {
  board_id: string
  kind: CountedKind
  /** Where the stretch begins in the order of the list; empty for the first one. */
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
  /** How often its own fields have changed, its creation included (crew 2.1). */
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
  /** Numbers of removed items, by list: no other item gets one of them (crew 1.1). */
  removed_item_numbers: Json<Partial<Record<ItemList, readonly number[]>>> | null
  /** Whether it collects the small changes of its board, which has one such spec at most (crew 6.1). */
  standing: Flag
}

/** Who submitted a validation, beside its id. */
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

/** Knowledge as its card has it; what has no number is counted as it stands (crew 8.2). */
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
  /** Raised each time the card enters `validation`; a validation of an earlier stay is not active. */
  validation_stay: number
  created_by: string
  created_at: string
  updated_at: string
  moved_at: string
  moved_by: string
  archived: Flag
  pre_archive_status: string | null
  /** The agent that may take up a failed card alone until `reserved_until` (crew 4.4). */
  reserved_for: string | null
  reserved_until: string | null
  /** The attempts that count (crew 4.6). */
  failed_attempts: number
  lost_attempts: number
  /** Null: that of the board. */
  attempt_limit: number | null
  regression_test: string | null
  /** How it will be checked (crew 6.2). */
  planned_check: Json<z.output<typeof Check>> | null
  /** Whether past work was filed, for which no gates were asked (crew 6.7). */
  imported: Flag
  /** Null once the card is done or cancelled (crew 5.4). */
  checkpoint: Json<z.output<typeof StoredCheckpoint>> | null
  /** What others changed of what the card is to do, oldest first; null once it is done or cancelled (crew 4.7). */
  requirement_changes: JsonList<typeof RequirementChange> | null
  /** When the holder read the card last. */
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

/** Who works on a card; at most one row a card. A row whose time is over counts as none (work 3). */
export interface ClaimsTable {
  card_id: string
  board_id: string
  agent_id: string
  stage: z.output<typeof ClaimStage>
  note: string | null
  claimed_at: string
  renewed_at: string
  expires_at: string
  /** When the activity last told of the claim. */
  recorded_at: string
  /** Whether it is an attempt that counts when its time is over (crew 4.6). */
  is_attempt: Flag
  /** Whether its holder knows that its time is over. */
  lost_seen: Flag
  /** The conversation that works on it, by the id that its client gave it (harness 3.2). */
  session: string | null
}

/** An overlap that an agent wants to hear of no more (harness 5.4). */
export interface OverlapDismissalsTable {
  agent_id: string
  source: string
  at: string
}

/** Paths that an agent keeps without a card (harness 5.7). A row whose time is over counts as none. */
export interface PathReservationsTable {
  id: string
  board_id: string
  agent_id: string
  /** The patterns, in their order. */
  paths: Json<string[]>
  note: string | null
  /** The id that a client gave its conversation. */
  session: string | null
  created_at: string
  expires_at: string
}

/** What an agent is told once: until it reads the record, or dismisses it (crew 4.3). */
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
  /** The record as it was, where it is there no more. */
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

/** The number of the last part of a kind that a record ever had (crew 8.2). */
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

/** The files of attachments, on PostgreSQL alone; without a size while they are uploaded. */
export interface AttachmentFilesTable {
  path: string
  size: number | null
  started_at: string
}

/** The bytes of the files, on PostgreSQL alone. */
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

/** What a record of a board is called in the file that it was imported from; unique per board and source (exchange 1). */
export interface ExternalIdsTable {
  board_id: string
  source: string
  external_id: string
  /** The kind of record, as archives call it. */
  entity_type: string
  entity_id: string
  /** A digest of the last imported value of each field that a later import may change. */
  imported: Json<Record<string, string>>
  imported_at: string
  created_at: string
}

/** Authors of imported records who are no agents here: answered as `external:<name>`, exported as they came. */
export interface ExternalAuthorsTable {
  board_id: string
  /** What the columns of records hold. */
  author: string
  /** As the file has it. */
  agent_id: string
  /** Null where the file only has an id. */
  name: string | null
}

/** What agents did to a graph elsewhere, to be done again to the nodes that are derived here. */
export interface GraphActionsTable {
  id: string
  board_id: string
  action: 'boost' | 'undo'
  node_type: string | null
  record_ref: string
  actor_id: string
  created_at: string
}

/** Imports that are not finished: a board that none sees yet, or records that the graph has yet to read. */
export interface ImportsTable {
  id: string
  board_id: string
  /** Whether everything is written. Until then a new board belongs to nobody. */
  written: Flag
  started_at: string
  /**
   * Of an import into a board that stands: whether its writes are being gathered, or put in place.
   */
  staged: 'gathering' | 'placing' | null
  /** The node that imports. */
  node_id: string | null
}

/** The nodes that run on a database that they share. */
export interface NodesTable {
  id: string
  /** When the others take over what it works on, by the clock of the database. */
  leased_until: string
  /** Where it listens; empty and 0 where it serves nobody. */
  host: string
  port: number
  version: string
  started_at: string
  /** Its last sign of life, by the clock of the database. */
  seen_at: string
}

/** A row that is written to see whether writes succeed. */
export interface WriteProbesTable {
  id: number
  /** ms. */
  at: number
}

/** What one node at a time may have, by name. */
export interface LeasesTable {
  name: string
  node_id: string
}

/** Some writes of an import, which are made together. */
export interface ImportWritesTable {
  import_id: string
  at: number
  writes: Json<readonly ImportWrite[]>
}

/** Which records an import touches. Nodes of the version before write it; it is taken away in the next version. */
export interface ImportTouchedTable {
  import_id: string
  at: number
  ids: Json<string[]>
}

/** Which nodes have closed the board of an import; as `import_touched`. */
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

/** A version of a design; never changes. */
/** The content that a diagram had in former versions of its design, each once. */
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

/** A secret of a webhook that was replaced, wrapped as the present one is. */
export interface FormerSecret {
  secret: string
  /** When it signs no longer. */
  until: string
  /** Of a repository: who was shown it. */
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
  /** Wrapped by the key of the data folder. */
  secret: string
  /** The secret before this one, while both sign. */
  former_secret: string | null
  former_secret_until: string | null
  /** The secrets before that one, the newest first, while they sign too. */
  earlier_secrets: Json<FormerSecret[]> | null
  /** How far the event log is queued. */
  cursor: number
  created_by: string
  created_at: string
  updated_at: string
  disabled_reason: string | null
  last_success_at: string | null
  last_failure_at: string | null
  failing_since: string | null
}

/** What was or is to be sent to a webhook, for 30 days. */
export interface WebhookDeliveriesTable {
  id: string
  webhook_id: string
  /** The `webhook-id` of the message. */
  message_id: string
  /** Null for a ping. */
  event_sequence: number | null
  /** 1 when somebody asked for it: it does not wait for the events before it, nor they for it. */
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
  /** When it is tried; null when it is not queued. */
  next_attempt_at: string | null
  repeats: number
  size: number
  changes: number
  links: number
  /** Its text, until it is done. */
  payload: string | null
  /** Who was shown the secret that signed it, where that was not a present person. */
  seen_by: string | null
}

/** The newest state of each check at a commit (git 2). */
export interface ChangeChecksTable {
  repository_id: string
  sha: string
  name: string
  board_id: string
  kind: 'check_run' | 'status' | 'workflow_run' | 'check_suite' | 'pipeline'
  /** What its runs belong to; null where the forge names nothing. */
  suite: string | null
  state: CheckState
  attempt: number
  url: string | null
  /** When it was completed, or else began. */
  at: string
  /** Who was shown the secret of the event that told it, where that was not a present person. */
  seen_by: string | null
}

/** How a check stands. */
export type CheckState = 'success' | 'neutral' | 'skipped' | 'failure' | 'cancelled' | 'pending'

/** The session of a CI run, by the hash of its token (evidence 6.2). */
export interface CiSessionsTable {
  token_hash: string
  board_id: string
  repository_id: string
  /** Who it acts as, beside the id that follows from the repository. */
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
  /** Wrapped by the key of the data folder. */
  secret: string
  /** The secrets before it that still verify, wrapped, the newest first. */
  former_secrets: Json<FormerSecret[]>
  /** Who was shown the secret, where that was not a present person (git 6). */
  secret_seen_by: string | null
  require_signature: Flag
  active: Flag
  /** The number that the forge gave it; null until a verified event tells it. */
  forge_id: string | null
  /** How many events with a bad signature came, by the hour. */
  refusals: Json<{ readonly hour: string; readonly count: number }[]>
  synced_at: string | null
  last_delivery_at: string | null
  /** Whose tokens of CI runs count as those of the repository (evidence 6.2). */
  ci: Json<StoredCiTrust> | null
  /** The issuer of it, to be found by. */
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
  /** What tells it apart in its repository: sha, name of the branch, number of the pull request. */
  key: string
  title: string
  state: z.output<typeof ChangeState>
  author_name: string | null
  /** In lower case. */
  author_email: string | null
  author_login: string | null
  confirmed_by: z.output<typeof ConfirmedBy> | null
  /** Who was shown the secret or key by which it is confirmed, where that was not a present person (git 6). */
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
  /** What only its kind has. */
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
  /** 1 where somebody unlinked it: it stays so when the change is seen again. */
  is_undone: Flag
  linked_by: string
  linked_at: string
}

/** Which commits are on which branches, and in which pull requests (git). */
export interface BranchCommitsTable {
  branch_id: string
  commit_id: string
  board_id: string
  /** When it came to the branch; null where that was before it was kept. */
  placed_at: string | null
}

/** Which agents authors are, where somebody set it (git). */
export interface ChangeAuthorsTable {
  id: string
  board_id: string
  repository_id: string | null
  email: string | null
  login: string | null
  agent_id: string | null
  position: number
}

/** What kept a card from a move that followed from a change, until it moves (git 7). */
export interface AutomationRefusalsTable {
  card_id: string
  board_id: string
  change_id: string
  /** Whose change it is; null where nobody knows. */
  agent_id: string | null
  from_status: string
  to_status: string
  /** When the card had come to its status. */
  moved_at: string
  code: string
  message: string
  missing: Json<unknown>
  cause: JsonObject
  /** The report, as far as the change gives it. */
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
  /** What tells it apart on its board: repository, commit, run, attempt, name, and its content where it has no run. */
  identity: string
  tier: z.output<typeof EvidenceTier>
  tier_reason: z.output<typeof TierReason>
  /** Who was shown the key that sent it, where that was not a present person (evidence 1, rule 3). */
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
  /** What it did to scenarios and records; null of one from before that was kept. */
  mapping: Json<z.output<typeof ReportMapping>> | null
  /** 0 once only those of its cases are kept that a scenario names. */
  cases_kept: Flag
  created_at: string
}

/** Runs of commands that a program of ours watched (evidence 5). */
export interface ProofRunsTable {
  id: string
  board_id: string
  /** As it was sent. */
  targets: Json<string[]>
  /** The scenarios, cards and specs that it names. */
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
  /** By what the hook that ends the run finds it (harness 3.2). */
  hook_key: string | null
}

/** The records that reports speak for. */
export interface ReportRecordsTable {
  report_id: string
  board_id: string
  entity_type: 'card' | 'spec'
  entity_id: string
  how: string
}

/** The records that proof runs speak for. */
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
}

/** What cards are excused from (evidence 8). */
export interface CardWaiversTable {
  card_id: string
  board_id: string
  gates: JsonList<typeof WaivedGate>
  reason: string
  waived_by: string
  waived_by_name: string
  waived_at: string
}

/** What the tests of a scenario said in a report: the reports of a run are taken together (evidence 4). */
export interface ReportScenariosTable {
  report_id: string
  board_id: string
  spec_id: string
  scenario_id: string
  /** What the scenario was: of another one it says nothing. */
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
  /** Who was shown the key that sent it, where that was not a present person. */
  seen_by: string | null
  commit_sha: string | null
  repository_id: string | null
  report_id: string | null
  run_id: string | null
  /** The first addresses. */
  cases: Json<string[]>
  is_flaky: Flag
  /** What the scenario was: it counts as long as it is that. */
  print: string
  made_at: string
}

/** The tests of reports (evidence 2). */
export interface TestCasesTable {
  report_id: string
  position: number
  board_id: string
  /** 0 of a failed one, which are listed first. */
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
  /** 1 where a scenario names it: it is kept. */
  is_named: Flag
}

export interface Schema extends KnowledgeGraphTables, SearchTables {
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
  search_history: SearchHistoryTable
  architecture_designs: ArchitectureDesignsTable
  architecture_payloads: ArchitecturePayloadsTable
  architecture_former_payloads: ArchitectureFormerPayloadsTable
  architecture_versions: ArchitectureVersionsTable
}
