/** Cards and their parts. */
import type {
  Check,
  ClaimStage,
  Comment,
  Conclusion,
  RequirementChange,
  ResolvedThresholds,
  ScreenMockup,
  StoredCheckpoint,
  ValidationEvidence,
  WaivedGate,
} from '@specboard/contract'
import type { z } from 'zod'
import {
  anyId,
  author,
  buffer,
  flag,
  id,
  json,
  jsonOf,
  listOf,
  namedAuthor,
  nullable,
  ofBoard,
  oneOf,
  own,
  references,
  text,
  whole,
} from '../columns.ts'
import type { StoredKnowledge } from '../contents.ts'
import { type RowOf, table } from '../table.ts'
import { submitted } from './shared.ts'

export const cards = table({
  name: 'cards',
  type: 'card',
  title: 'title',
  isNumbered: true,
  counted: { kind: 'card' },
  searched: 'card',
  archived: 'card',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    number: whole,
    spec_id: own(nullable(id('specs', 'set null'))),
    sprint_id: own(nullable(id('sprints', 'set null'))),
    title: own(text),
    description: own(nullable(text)),
    details: own(nullable(text)),
    card_type: text,
    status: own(text),
    priority: own(text),
    position: own(whole),
    assignee_id: own(nullable(text)),
    due_date: own(nullable(text)),
    labels: own(nullable(json<string[]>())),
    test_scenario_ids: own(json<string[]>()),
    screen_mockups: own(listOf<typeof ScreenMockup>({ authorsIn: ['author_id'] })),
    knowledge_bases: json<StoredKnowledge[]>(),
    origin_task_id: nullable(anyId),
    severity: own(nullable(text)),
    expected_behavior: own(nullable(text)),
    observed_behavior: own(nullable(text)),
    steps_to_reproduce: own(nullable(text)),
    action_plan: own(nullable(text)),
    linked_test_task_ids: own(json<string[]>({ idsIn: 'whole', namesInside: true })),
    rev: whole,
    /** Oldest first. */
    conclusions: listOf<typeof Conclusion>({ authorsIn: ['author_id'], idsIn: ['validation_id'], namesInside: true }),
    /** Incremented each time the card enters `validation`; a validation of an earlier round is not active. */
    validation_stay: whole,
    created_by: author,
    created_at: text,
    updated_at: text,
    moved_at: text,
    moved_by: author,
    archived: flag,
    pre_archive_status: nullable(text),
    /** The only agent that may take up a failed card until `reserved_until` (crew 4.4). */
    reserved_for: nullable(text),
    reserved_until: nullable(text),
    /** The number of failed attempts that count (crew 4.6). */
    failed_attempts: whole,
    lost_attempts: whole,
    /** Null: the board's limit applies. */
    attempt_limit: nullable(whole),
    regression_test: own(nullable(text)),
    /** How it will be checked (crew 6.2). */
    planned_check: nullable(jsonOf<typeof Check>()),
    /** Whether it files past work, to which no gates applied (crew 6.7). */
    imported: flag,
    /** Null once the card is done or cancelled (crew 5.4). */
    checkpoint: nullable(jsonOf<typeof StoredCheckpoint>({ authorsIn: ['agent_id'] })),
    /** What others changed in the card's requirements, oldest first; null once it is done or cancelled (crew 4.7). */
    requirement_changes: nullable(listOf<typeof RequirementChange>()),
    /** When the holder last read the card. */
    changes_seen_at: nullable(text),
    /** The patterns of its scope (harness 4.1). */
    paths: own(json<string[]>()),
  },
})
export type CardsTable = RowOf<typeof cards>

export const taskValidations = table({
  name: 'task_validations',
  part: { letter: 'v', of: ['cards'], by: 'card_id' },
  archived: 'task_validation',
  removed: 'in pieces',
  columns: {
    ...submitted,
    id: text,
    /** Counted on its card (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    card_id: id('cards'),
    /** The card's `validation_stay` at submission. */
    stay: whole,
    outcome: text,
    recommendation: text,
    reviewer_id: namedAuthor,
    reviewer_name: text,
    submitted_by: author,
    summary: text,
    evidence: listOf<typeof ValidationEvidence>(),
    confidence: nullable(whole),
    confidence_justification: nullable(text),
    completeness: nullable(whole),
    completeness_justification: nullable(text),
    drift: nullable(whole),
    drift_justification: nullable(text),
    threshold_violations: json<string[]>(),
    resolved_thresholds: nullable(jsonOf<typeof ResolvedThresholds>()),
    created_at: text,
  },
})
export type TaskValidationsTable = RowOf<typeof taskValidations>

export const cardDependencies = table({
  name: 'card_dependencies',
  archived: 'dependency',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    card_id: id('cards'),
    depends_on_id: id('cards'),
    created_at: text,
  },
})
export type CardDependenciesTable = RowOf<typeof cardDependencies>

/** Who works on a card; at most one row a card. An expired row counts as none (work 3). */
export const claims = table({
  name: 'claims',
  key: ['card_id'],
  removed: 'in pieces',
  columns: {
    card_id: id('cards'),
    board_id: ofBoard,
    agent_id: text,
    stage: oneOf<z.output<typeof ClaimStage>>(),
    note: nullable(text),
    claimed_at: text,
    renewed_at: text,
    expires_at: text,
    /** When the activity last mentioned the claim. */
    recorded_at: text,
    /** Whether its expiry counts as an attempt (crew 4.6). */
    is_attempt: flag,
    /** Whether its holder knows that it has expired. */
    lost_seen: flag,
    /** The conversation that works on it, by the id that its client gave it (harness 3.2). */
    session: nullable(text),
  },
})
export type ClaimsTable = RowOf<typeof claims>

/** Paths that an agent reserves without a card (harness 5.7). An expired row counts as none. */
export const pathReservations = table({
  name: 'path_reservations',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    agent_id: text,
    /** The patterns, in order. */
    paths: json<string[]>(),
    note: nullable(text),
    /** The id that a client gave its conversation. */
    session: nullable(text),
    /** The repository to which the paths belong; null if they apply to every repository. */
    repository_id: nullable(text),
    created_at: text,
    expires_at: text,
  },
})
export type PathReservationsTable = RowOf<typeof pathReservations>

/** An overlap that an agent no longer wants to hear about (harness 5.4). */
export const overlapDismissals = table({
  name: 'overlap_dismissals',
  key: ['agent_id', 'source'],
  columns: {
    agent_id: text,
    source: text,
    at: text,
  },
})

export const comments = table({
  name: 'comments',
  part: { letter: 'c', of: ['cards'], by: 'card_id' },
  searched: 'comment',
  archived: 'comment',
  removed: 'in pieces',
  columns: {
    id: text,
    /** Counted on its card (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    card_id: id('cards'),
    content: text,
    author_id: author,
    comment_type: text,
    choices: nullable(json<NonNullable<z.output<typeof Comment>['choices']>>()),
    responses: json<z.output<typeof Comment>['responses']>({ authorsIn: ['responder_id'] }),
    allow_free_text: flag,
    created_at: text,
    updated_at: text,
  },
})
export type CommentsTable = RowOf<typeof comments>

export const attachments = table({
  name: 'attachments',
  part: { letter: 'a', of: ['cards'], by: 'card_id' },
  archived: 'attachment',
  removed: 'in pieces',
  columns: {
    id: text,
    /** Counted on its card (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    card_id: id('cards'),
    filename: text,
    original_filename: text,
    mime_type: text,
    size: whole,
    sha256: text,
    uploaded_by: author,
    created_at: text,
  },
})
export type AttachmentsTable = RowOf<typeof attachments>

/** Files to remove, whose rows are already deleted; retried at start. */
export const fileRemovals = table({
  name: 'file_removals',
  key: ['path'],
  isSmall: true,
  columns: {
    path: text,
  },
})

/** The files of attachments, on PostgreSQL only; without a size while they are uploaded. */
export const attachmentFiles = table({
  name: 'attachment_files',
  key: ['path'],
  stays: true,
  engine: 'postgres',
  columns: {
    path: text,
    size: nullable(whole),
    started_at: text,
  },
})

/** The bytes of the files, on PostgreSQL only. */
export const attachmentParts = table({
  name: 'attachment_parts',
  key: ['path', 'part'],
  stays: true,
  engine: 'postgres',
  columns: {
    path: references(text, 'attachment_files', 'path'),
    part: whole,
    bytes: buffer,
  },
})

export const seenMarks = table({
  name: 'seen_marks',
  key: ['item_id', 'agent_id'],
  columns: {
    item_id: text,
    card_id: id('cards'),
    agent_id: text,
    agent_name: text,
    seen_at: text,
  },
})
export type SeenMarksTable = RowOf<typeof seenMarks>

/** The requirements that cards are exempt from (evidence 8). */
export const cardWaivers = table({
  name: 'card_waivers',
  key: ['card_id'],
  archived: 'waiver',
  removed: 'in pieces',
  columns: {
    card_id: id('cards'),
    board_id: ofBoard,
    gates: listOf<typeof WaivedGate>(),
    reason: text,
    waived_by: author,
    waived_by_name: text,
    waived_at: text,
    /** 1 if the waiver was imported, so that it exempts from nothing (walls 5). */
    is_imported: flag,
  },
})
export type CardWaiversTable = RowOf<typeof cardWaivers>
