/** Cards and their parts. */
import {
  BugSeverity,
  CardPriority,
  CardStatus,
  CardType,
  Check,
  Comment,
  CommentChoice,
  CommentType,
  Conclusion,
  PathPatterns,
  ResolvedThresholds,
  StoredCheckpoint,
  ValidationEvidence,
  ValidationOutcome,
  ValidationRecommendation,
} from '@specboard/contract'
import { z } from 'zod'
import { attachments, cardDependencies, cards, comments, taskValidations } from '../../schema/tables/delivery.ts'
import {
  archiving,
  author,
  authored,
  column,
  labels,
  lateFlag,
  lateText,
  list,
  mockupList,
  texts,
  titled,
} from './columns.ts'
import { kind } from './kind.ts'

const {
  id,
  nullableId,
  text,
  nullableText,
  nullableWhole,
  count,
  ordinal,
  part,
  rev,
  attempts,
  attemptLimit,
  time,
  nullableTime,
} = column

export const card = kind(cards, {
  together: [archiving, ['spec_id', 'sprint_id', 'test_scenario_ids']],
  columns: {
    id,
    number: ordinal,
    spec_id: nullableId,
    sprint_id: nullableId,
    title: titled,
    description: nullableText,
    details: nullableText,
    card_type: CardType,
    status: CardStatus,
    priority: CardPriority,
    position: count,
    assignee_id: nullableText,
    due_date: nullableTime,
    labels,
    test_scenario_ids: texts,
    screen_mockups: mockupList,
    origin_task_id: nullableId,
    severity: BugSeverity.nullable(),
    expected_behavior: nullableText,
    observed_behavior: nullableText,
    steps_to_reproduce: nullableText,
    action_plan: nullableText,
    regression_test: lateText,
    planned_check: { schema: Check.nullable().optional(), absent: null },
    paths: { schema: PathPatterns.optional(), absent: [] },
    linked_test_task_ids: texts,
    rev,
    conclusions: { schema: list(Conclusion), form: 'judgements' },
    imported: lateFlag,
    failed_attempts: attempts,
    lost_attempts: attempts,
    attempt_limit: attemptLimit,
    checkpoint: { schema: StoredCheckpoint.nullable().optional(), absent: null },
    moved_at: time,
    moved_by: author,
    archived: z.boolean(),
    pre_archive_status: nullableText,
    ...authored,
  },
})

export const comment = kind(comments, {
  columns: {
    id,
    number: part,
    card_id: id,
    content: text,
    author_id: author,
    comment_type: CommentType,
    choices: list(CommentChoice).nullable(),
    responses: Comment.shape.responses,
    allow_free_text: z.boolean(),
    created_at: time,
    updated_at: time,
  },
})

/** The name of a stored file: no folder, no hidden file. */
const storedName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/)

export const attachment = kind(attachments, {
  columns: {
    id,
    number: part,
    card_id: id,
    filename: storedName,
    original_filename: z.string().min(1).max(255),
    mime_type: z.string().max(100),
    size: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    uploaded_by: author,
    created_at: time,
  },
})

const scored = (name: string) => ({ [name]: nullableWhole, [`${name}_justification`]: nullableText })

export const taskValidation = kind(taskValidations, {
  columns: {
    id,
    number: part,
    card_id: id,
    outcome: ValidationOutcome,
    recommendation: ValidationRecommendation,
    reviewer_id: author,
    reviewer_name: text,
    submitted_by: author,
    summary: text,
    evidence: list(ValidationEvidence),
    ...scored('confidence'),
    ...scored('completeness'),
    ...scored('drift'),
    threshold_violations: texts,
    resolved_thresholds: ResolvedThresholds.nullable(),
    created_at: time,
  },
})

export const dependency = kind(cardDependencies, {
  columns: { id, card_id: id, depends_on_id: id, created_at: time },
})
