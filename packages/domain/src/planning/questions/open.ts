import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../kernel/access/access.ts'

/** A row with the number of its record's unanswered questions. */
export interface OpenQuestions {
  readonly open_questions: number
}

/** The number of a record's unanswered questions, as a column (board 6). */
export const openQuestions = (owner: string): RawBuilder<number> =>
  sql<number>`(select count(*) from questions q where q.owner_id = ${sql.ref(owner)} and q.answered_at is null)`

/** The number as answered: 0 for a caller that may not read questions. */
export const readableCount = ({ open_questions }: OpenQuestions, access: Access): number =>
  access.allows('QA_READ') ? open_questions : 0
