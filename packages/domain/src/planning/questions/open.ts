import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../kernel/access/access.ts'
import { sameBoard } from '../../schema/same-board.ts'

/** A row with the number of its record's unanswered questions. */
export interface OpenQuestions {
  readonly open_questions: number
}

/** The number of a record's unanswered questions, as a column of a query over its table or an alias of it (board 6). */
export const openQuestions = (record: string): RawBuilder<number> =>
  sql<number>`(select count(*) from questions q
    where q.owner_id = ${sql.ref(`${record}.id`)} and ${sameBoard('q', record)} and q.answered_at is null)`

/** The number as answered: 0 for a caller that may not read questions. */
export const readableCount = ({ open_questions }: OpenQuestions, access: Access): number =>
  access.allows('QA_READ') ? open_questions : 0
