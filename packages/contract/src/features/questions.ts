/** Questions and answers, one shape for ideations, refinements and specs (ideation 1.5, 7). */
import { z } from 'zod'
import { list } from '../limits.ts'
import type { PermissionRule } from '../permission-rules.ts'
import type { Permission } from '../permissions.ts'
import { Id, PartRef, Timestamp } from '../shared.ts'

export const QuestionType = z.enum(['text', 'choice', 'single_choice', 'multi_choice'])

export const Choice = z.object({ id: z.string(), label: z.string() }).meta({ id: 'Choice' })

/** Body of the ask operations. */
export const QuestionAsk = z
  .object({
    question: z.string().min(1),
    question_type: QuestionType.default('text'),
    choices: list(Choice).nullable().default(null),
    allow_free_text: z.boolean().default(false),
  })
  .meta({ id: 'QuestionAsk' })

/** Body of the answer operations. */
export const QuestionAnswer = z
  .object({
    answer: z.string().nullable().default(null),
    selected: list(z.string()).nullable().default(null),
  })
  .meta({ id: 'QuestionAnswer' })

/** The fields of a question besides its owner's id. */
export const questionFields = {
  id: Id,
  ref: PartRef,
  question: z.string(),
  question_type: QuestionType,
  choices: z.array(Choice).nullable(),
  allow_free_text: z.boolean(),
  answer: z.string().nullable(),
  selected: z.array(z.string()).nullable(),
  asked_by: z.string(),
  answered_by: z.string().nullable(),
  created_at: Timestamp,
  answered_at: Timestamp.nullable(),
}

/** The questions of a record in a snapshot, oldest first; null if it has none. */
export const QuestionSnapshot = z
  .array(
    z
      .object({
        question: z.string(),
        question_type: QuestionType,
        choices: z.array(Choice).nullable(),
        answer: z.string().nullable(),
        selected: z.array(z.string()).nullable(),
        asked_by: z.string(),
        answered_by: z.string().nullable(),
      })
      .meta({ id: 'QuestionSnapshot' }),
  )
  .nullable()

/** Permission rule of the ask operations: a choice question has its own child; then the record's read permission. */
export const asking = (read: Permission): PermissionRule => ({
  permissions: ({ body }) => [(body.question_type ?? 'text') === 'text' ? 'QA_CREATE' : 'QA_CREATE_CHOICE', read],
  guards: [
    { permission: 'QA_CREATE', part: 'a text' },
    { permission: 'QA_CREATE_CHOICE', part: 'a choice' },
    { permission: read },
  ],
})
