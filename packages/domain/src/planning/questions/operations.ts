import { refuseArchived } from '../../kernel/archived.ts'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { sendNews } from '../../kernel/news.ts'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { parseNullable, toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { QuestionsTable } from '../../schema/tables.ts'
import { type PlanningType, recordOnPart } from '../history/record-entry.ts'
import { type AnswerInput, acceptedAnswer, checkedChoices, type QuestionInput } from './rules.ts'
import {
  countQuestions,
  deleteQuestion,
  listQuestions,
  type OwnedQuestion,
  ownedQuestionOf,
  type QuestionRow,
  questionById,
  questionOf,
} from './store.ts'

interface QuestionPath {
  readonly params: { readonly qa_id: string }
}

/**
 * Makes the four question operations of a kind of record (ideation 7); each works on the addressed record.
 *
 * @example
 * const questions = questionOperations('ideation')
 * implement(features.ideations, { list_ideation_questions: questions.list, ask_ideation_question: questions.ask, … })
 */
export function questionOperations<const Owner extends PlanningType>(owner: Owner) {
  const owned = (row: QuestionRow) => ownedQuestionOf(owner, row.owner_id, row)

  const recordQuestion = (
    ctx: Context,
    event: 'added' | 'answered' | 'deleted',
    { id, question }: Pick<QuestionsTable, 'id' | 'question'>,
    changes: ReturnType<typeof changedFields>,
  ) =>
    recordOnPart(ctx, owner, ctx.target, {
      activity: {
        action: `${owner}_question_${event}`,
        details: { [`${owner}_id`]: ctx.target.id, qa_id: id, question: excerpt(question) },
      },
      history: { action: `question_${event}`, changes, summary: `Question ${event}: ${excerpt(question)}` },
    })

  return {
    /** Lists the questions, oldest first. */
    list: async ({ query }: { readonly query: Paging }, ctx: Context): Promise<Page<OwnedQuestion<Owner>>> => {
      const parameters = { id: ctx.target.id, board_id: ctx.boardId, ...window(query) }
      return paged(
        await listQuestions(ctx.db, parameters),
        query,
        async () => (await countQuestions(ctx.db, parameters))[0]!.count,
        owned,
      )
    },

    /** @throws DomainError ARCHIVED; VALIDATION_ERROR when the choices do not fit the type */
    ask: async ({ body }: { readonly body: QuestionInput }, ctx: Context): Promise<OwnedQuestion<Owner>> => {
      refuseArchived(ctx.target)
      const { number, ref } = await nextPartRef(ctx.db, { id: ctx.target.id, board: ctx.boardId }, 'q')
      const row: QuestionsTable = {
        id: ctx.newId(),
        number,
        board_id: ctx.boardId,
        owner_type: owner,
        owner_id: ctx.target.id,
        question: body.question,
        question_type: body.question_type,
        choices: toJson(checkedChoices(body)),
        allow_free_text: body.allow_free_text ? 1 : 0,
        answer: null,
        selected: null,
        asked_by: ctx.caller.id,
        answered_by: null,
        created_at: ctx.now(),
        answered_at: null,
      }
      await insertRow(ctx.db, 'questions', row)
      await recordQuestion(ctx, 'added', row, [{ field: 'question', old: null, new: row.question }])
      return owned({ ...row, ref })
    },

    /** @throws DomainError ARCHIVED; VALIDATION_ERROR when the answer does not fit the question */
    answer: async (
      { params, body }: QuestionPath & { readonly body: AnswerInput },
      ctx: Context,
    ): Promise<OwnedQuestion<Owner>> => {
      refuseArchived(ctx.target)
      const before = await storedQuestion(ctx, params.qa_id)
      const question = questionOf(before)
      const accepted = acceptedAnswer(question, body)
      const after: QuestionRow = {
        ...before,
        answer: accepted.answer ?? before.answer,
        selected: accepted.selected === undefined ? before.selected : toJson(accepted.selected),
        answered_by: ctx.caller.id,
        answered_at: ctx.now(),
      }
      const { answer, selected, answered_by, answered_at } = after
      await updateRow(ctx.db, 'questions', after.id, { answer, selected, answered_by, answered_at })
      await recordQuestion(ctx, 'answered', after, changedFields({ ...question }, { ...accepted }))
      await sendNews(ctx, {
        to: before.asked_by,
        kind: 'answer',
        source: after.id,
        entity: { type: after.owner_type, id: after.owner_id, board_id: after.board_id },
        data: { question: after.question, answer, selected: parseNullable(selected), answered_by: ctx.caller.id },
      })
      return owned(after)
    },

    /** @throws DomainError ARCHIVED */
    delete: async ({ params }: QuestionPath, ctx: Context): Promise<undefined> => {
      refuseArchived(ctx.target)
      const row = await storedQuestion(ctx, params.qa_id)
      await deleteQuestion(ctx.db, { id: row.id })
      await recordQuestion(ctx, 'deleted', row, [{ field: 'question', old: row.question, new: null }])
    },
  }
}

async function storedQuestion(ctx: Context, id: string): Promise<QuestionRow> {
  const [row] = await questionById(ctx.db, { id })
  if (row === undefined) throw notFound('question', id)
  return row
}
