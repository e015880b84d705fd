/** The Card and its nested parts (cards 1, 2). */
import { z } from 'zod'
import {
  ArchitectureDesignSummary,
  Assignee,
  actor,
  FreeObject,
  Id,
  Imported,
  Labels,
  PartRef,
  Ref,
  Rev,
  ScreenMockup,
  Text,
  Timestamp,
} from '../shared.ts'
import { RecordProof } from './record-proof.ts'
import { ChangeChecks, ChangeReview, ChangeState } from './repositories.ts'
import { BugSeverity, CardPriority, CardStatus, CardType, Claim, Overlap } from './summaries.ts'

export const CommentType = z.enum(['text', 'choice', 'multi_choice'])
export const ValidationOutcome = z.enum(['success', 'failed'])
export const ValidationRecommendation = z.enum(['approve', 'reject'])

const percent = z.int().min(0).max(100)

const checkFields = {
  test: z.string().max(500).nullable(),
  command: z.string().max(2_000).nullable(),
  result: z.enum(['passed', 'failed', 'not_run']).nullable(),
  output_snippet: z.string().max(10_000).nullable(),
  run_id: z.string().max(255).nullable(),
}

/** How a card was or will be checked, in requests: a sentence, or its parts (crew 6.3). */
export const SentCheck = z.union([
  z.string().min(1).max(2_000),
  z.object({ how: z.string().min(1).max(2_000), ...z.object(checkFields).partial().shape }),
])

/** How a card was or will be checked. */
export const Check = z.object({ how: z.string(), ...checkFields }).meta({ id: 'Check' })

/** An execution report, or a reviewer's statement instead (cards 2.2). */
export const Conclusion = z
  .object({
    text: z.string(),
    author_id: z.string(),
    created_at: Timestamp,
    completeness: percent.nullable(),
    completeness_justification: z.string(),
    drift: percent.nullable(),
    drift_justification: z.string(),
    source: z.string(),
    validation_id: Id.exactOptional(),
    check: Check.exactOptional(),
    check_tier: z.literal('claimed').exactOptional().describe('who says so: the agent'),
    imported: Imported,
  })
  .meta({ id: 'Conclusion' })

/** A link to evidence that a reviewer looked at. */
export const ValidationEvidence = z
  .object({ type: z.string().min(1).max(100), url: z.string().min(1).max(2048) })
  .meta({ id: 'ValidationEvidence' })

/** The effective thresholds of a card's validation (cards 5.1). */
export const ResolvedThresholds = z
  .object({
    required: z.boolean(),
    min_confidence: percent,
    min_completeness: percent,
    max_drift: percent,
    resolved_from: z.enum(['sprint', 'spec', 'board']),
  })
  .meta({ id: 'ResolvedThresholds' })

const validationFields = {
  id: Id,
  ref: PartRef,
  validation_id: Id,
  card_id: Id,
  board_id: Id,
  outcome: ValidationOutcome,
  verdict: z.enum(['pass', 'fail']),
  recommendation: ValidationRecommendation,
  reviewer_id: z.string(),
  evaluator_id: z.string(),
  submitted_by: z.string(),
  reviewer_name: z.string(),
  summary: z.string(),
  general_justification: z.string(),
  evidence: z.array(ValidationEvidence),
  confidence: percent.nullable(),
  confidence_justification: Text,
  completeness: percent.nullable(),
  estimated_completeness: percent.nullable(),
  completeness_justification: Text,
  drift: percent.nullable(),
  estimated_drift: percent.nullable(),
  drift_justification: Text,
  threshold_violations: z.array(z.string()),
  resolved_thresholds: ResolvedThresholds.nullable(),
  active: z.boolean(),
  ...actor,
  present: z.boolean(),
  created_at: Timestamp,
  submitted_at: Timestamp,
  imported: Imported,
}

/** A reviewer's verdict on a card (cards 2.3). */
export const TaskValidation = z.object(validationFields).meta({ id: 'TaskValidation' })

/** A card in a move or a list of dependencies. */
export const CardReference = z
  .object({ id: Id, ref: Ref, title: z.string(), status: CardStatus, card_type: CardType })
  .meta({ id: 'CardReference' })

/** Commits, branches and pull requests of a card (git 9). */
const CardChanges = z
  .object({
    commits: z.int().min(0),
    vanished: z.int().min(1).exactOptional().describe('commits no longer on a branch, or rewritten'),
    pull_requests: z.array(
      z.object({
        id: Id,
        number: z.int(),
        title: z.string(),
        url: z.string().nullable(),
        state: ChangeState,
        draft: z.boolean(),
        checks: ChangeChecks,
        review: ChangeReview,
      }),
    ),
    branches: z.array(z.object({ name: z.string(), state: ChangeState })),
    files_changed: z.int().nullable(),
    additions: z.int().nullable(),
    deletions: z.int().nullable(),
    merged_at: Timestamp.nullable(),
    last_at: Timestamp,
  })
  .meta({ id: 'CardChanges' })

/** What linked commits changed outside of the scope of a card (harness 4.4). */
const ScopeDrift = z
  .object({
    outside: z.array(z.string()).max(20),
    outside_total: z.int().min(0),
    commits: z.array(z.string()).max(5).describe('shas'),
  })
  .meta({ id: 'ScopeDrift' })

/** How often work on a card has failed (crew 4.6). */
export const Attempts = z
  .object({
    used: z.int().min(0),
    limit: z.int().min(0).describe('0: no limit'),
    failed: z.int().min(0).describe('failed validations'),
    lost: z.int().min(0).describe('claims that expired on a started card'),
  })
  .meta({ id: 'Attempts' })

/** The answer to a submitted validation: the record, and the card's status afterwards (cards 5.2). */
export const TaskValidationSubmitted = z
  .object({
    ...validationFields,
    card_status: CardStatus,
    routing_blocked: z
      .object({
        error: z.enum([
          'DEPENDENCIES_NOT_MET',
          'PERSON_REQUIRED',
          'REVIEWER_NOT_SEPARATE',
          'PROOF_REQUIRED',
          'CHANGE_NOT_MERGED',
          'CHECKS_NOT_GREEN',
        ]),
        gate: z.string().exactOptional(),
        details: z.array(z.object({ id: Id, ref: Ref, title: z.string(), status: CardStatus })).exactOptional(),
      })
      .exactOptional(),
    attempts: Attempts,
    next: z.string().max(60).exactOptional().describe('Who acts next'),
  })
  .meta({ id: 'TaskValidationSubmitted' })

export const Attachment = z
  .object({
    id: Id,
    ref: PartRef,
    card_id: Id,
    filename: z.string(),
    original_filename: z.string(),
    mime_type: z.string(),
    size: z.int().min(0),
    sha256: z.string(),
    uploaded_by: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'Attachment' })

/** A question on a card, in the short form with text only (cards 2.4, 10). */
export const CardQuestion = z
  .object({
    id: Id,
    ref: PartRef,
    card_id: Id,
    question: z.string(),
    answer: z.string().nullable(),
    asked_by: z.string(),
    answered_by: z.string().nullable(),
    created_at: Timestamp,
    answered_at: Timestamp.nullable(),
  })
  .meta({ id: 'CardQuestion' })

/** A choice in a comment. */
export const CommentChoice = z
  .object({ id: z.string().min(1).max(200), label: z.string().min(1).max(200) })
  .meta({ id: 'CommentChoice' })

export const Comment = z
  .object({
    id: Id,
    ref: PartRef,
    card_id: Id,
    content: z.string(),
    author_id: z.string(),
    comment_type: CommentType,
    choices: z.array(CommentChoice).nullable(),
    responses: z.array(
      z.object({
        responder_id: z.string(),
        responder_name: z.string(),
        selected: z.array(z.string()),
        free_text: z.string().nullable(),
      }),
    ),
    allow_free_text: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
    imported: Imported,
  })
  .meta({ id: 'Comment' })

/** Knowledge stored on a card itself (cards 2.5). */
export const CardKnowledge = z
  .object({
    id: z.string(),
    ref: PartRef,
    title: z.string(),
    description: Text,
    content: z.string(),
    mime_type: z.string(),
    source: z.string(),
    author_id: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'CardKnowledge' })

/** The maximum size of a checkpoint's data, bytes of JSON. */
const checkpointDataBytes = 2_048

/** A note by the holder of a card on its progress, so that anybody can continue (crew 5.4). */
export const CheckpointInput = z
  .object({
    text: z.string().min(1).max(4_000),
    data: FreeObject.nullable()
      .refine(data => data === null || new TextEncoder().encode(JSON.stringify(data)).length <= checkpointDataBytes, {
        error: `must have at most ${checkpointDataBytes} bytes of JSON`,
      })
      .default(null)
      .describe('≤ 2 KiB'),
  })
  .meta({ id: 'CheckpointInput' })

/** A checkpoint as it is stored on its card. */
export const StoredCheckpoint = z.object({
  text: z.string(),
  data: FreeObject.nullable(),
  agent_id: z.string(),
  agent_name: z.string(),
  at: Timestamp,
})

export const Checkpoint = z.object({ card_id: Id, ...StoredCheckpoint.shape }).meta({ id: 'Checkpoint' })

/** A change that somebody else made to the requirements of a card (crew 4.7). */
export const RequirementChange = z
  .object({
    field: z.string(),
    item: z.string().nullable().describe('id, or a text'),
    by: Id.describe('agent'),
    at: Timestamp,
  })
  .meta({ id: 'RequirementChange' })

const fields = {
  id: Id,
  ref: Ref,
  board_id: Id,
  title: z.string(),
  description: Text,
  details: Text,
  card_type: CardType,
  type: CardType,
  status: CardStatus,
  priority: CardPriority,
  position: z.int().min(0),
  spec_id: Id.nullable(),
  sprint_id: Id.nullable(),
  assignee_id: Assignee,
  due_date: Timestamp.nullable(),
  labels: Labels,
  paths: z.array(z.string()).describe('its scope: patterns of files'),
  test_scenario_ids: z.array(z.string()),
  screen_mockups: z.array(ScreenMockup),
  knowledge_bases: z.array(CardKnowledge),
  origin_task_id: Id.nullable(),
  severity: BugSeverity.nullable(),
  expected_behavior: Text,
  observed_behavior: Text,
  steps_to_reproduce: Text,
  action_plan: Text,
  regression_test: Text,
  check: Check.nullable().describe('how it will be checked'),
  linked_test_task_ids: z.array(Id),
  imported: Imported,
  rev: Rev,
  conclusions: z.array(Conclusion),
  validations: z.array(TaskValidation),
  dependencies: z.array(Id),
  architecture_designs: z.array(ArchitectureDesignSummary),
  attachments: z.array(Attachment),
  qa_items: z.array(CardQuestion),
  comments: z.array(Comment),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  moved_at: Timestamp,
  moved_by: z.string(),
  archived: z.boolean(),
  pre_archive_status: z.string().nullable(),
  /** The live claim. */
  claim: Claim.nullable(),
  /** Those of its claim, or of a claim by the caller. */
  overlaps: z.array(Overlap).nullable().describe('who works on its paths'),
  changes: CardChanges.nullable().describe('null without a linked change'),
  scope_drift: ScopeDrift.nullable().describe('null without paths, or without commits of known paths'),
  proof: RecordProof.nullable().describe('null where nothing but claims exists'),
  /** The last one, until the card is done or cancelled. */
  checkpoint: Checkpoint.nullable(),
  changed_since_claimed: z.array(RequirementChange).exactOptional().describe('changes not read yet; absent if none'),
  attempts: Attempts,
}

/** A card with everything on it (cards 2.1). */
export const Card = z.object(fields).meta({ id: 'Card' })

/** A card after a move, with its former status (cards 4.1). */
export const MovedCard = z.object({ ...fields, from_status: CardStatus }).meta({ id: 'MovedCard' })

/** An entry of a board's activity (cards 2.6). */
export const ActivityEntry = z
  .object({
    id: Id,
    board_id: Id,
    card_id: Id.nullable(),
    ref: Ref.nullable(),
    action: z.string(),
    ...actor,
    actor_id: z.string(),
    actor_name: z.string(),
    details: z.record(z.string(), z.unknown()).nullable(),
    created_at: Timestamp,
    imported: Imported,
  })
  .meta({ id: 'ActivityEntry' })
