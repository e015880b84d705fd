import type { OperationName, Permission } from '@specboard/contract'
import { sql } from 'kysely'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseNullable } from '../../../lib/json.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { NumberedTable, OwnerType, QuestionsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'

/** A kind of record that has questions. */
interface QuestionSource {
  readonly about: OwnerType
  readonly table: NumberedTable
  readonly read: Permission
  readonly answer: OperationName
}

const questionSources: readonly QuestionSource[] = [
  { about: 'ideation', table: 'ideations', read: 'IDEATIONS_READ', answer: 'answer_ideation_question' },
  { about: 'refinement', table: 'refinements', read: 'REFINEMENTS_READ', answer: 'answer_refinement_question' },
  { about: 'spec', table: 'specs', read: 'SPECS_READ', answer: 'answer_spec_question' },
  { about: 'card', table: 'cards', read: 'CARDS_READ', answer: 'answer_card_question' },
]

const byIds = hot<Selection, QuestionsTable>((db, param) =>
  db.selectFrom('questions').selectAll().where(isAsked('questions', param)),
)

/** Others' unanswered questions, for whoever may answer them. */
function questionsOn({ about, table, read, answer }: QuestionSource): Source {
  const open = hot<{ boards: string; agent: string }, WaitingItem>(
    (_, param) =>
      sql<WaitingItem>`select ${foundColumns('q', { source: 'q.id', record: 'q.owner_id', since: sql`q.created_at` })}
        from questions q join ${sql.table(table)} r on r.id = q.owner_id and ${sameBoard('r', 'q')}
        where ${onBoards('q', param('boards'))} and q.answered_at is null and q.owner_type = ${sql.lit(about)}
          and q.asked_by <> ${param('agent')} and r.archived = 0`,
  )
  return {
    kind: 'question',
    about,
    isOpen: access => access.allows('QA_READ') && access.allows(read) && mayCall(access, { operation: answer }),
    find: (ctx, boards) => open(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id }),
    show: async (ctx, page) => {
      const rows = await byIds(ctx.db, sourcesOf(page))
      return new Map(
        rows.map(row => [
          row.id,
          {
            actor_id: row.asked_by,
            data: {
              question: row.question,
              question_type: row.question_type,
              choices: parseNullable(row.choices),
              allow_free_text: row.allow_free_text === 1,
            },
            operation: answer,
            arguments: about === 'card' ? { qa_id: row.id } : { [`${about}_id`]: row.owner_id, qa_id: row.id },
          },
        ]),
      )
    },
  }
}

/** Unanswered questions (ideation 7, cards 10). */
export const questions: readonly Source[] = questionSources.map(questionsOn)
