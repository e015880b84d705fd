import { type SqlBool, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'

// A board and its copy may each have created one, and a later import may bring both together: the oldest counts.
const oldestStanding = hot<{ board: string }, { id: string }>((db, param) =>
  db
    .selectFrom('specs')
    .select('id')
    .where('board_id', '=', param('board'))
    .where(sql<SqlBool>`standing = 1`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)

/** The id of the spec that collects the small changes of a board; undefined if it does not exist yet (crew 6.1). */
export const findStandingSpec = async ({ db, boardId }: Pick<Context, 'db' | 'boardId'>): Promise<string | undefined> =>
  (await oldestStanding(db, { board: boardId }))[0]?.id
