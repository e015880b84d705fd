import { sql } from 'kysely'
import { countRefused, refusedOf } from '../../../delivery/git/repositories.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import type { RepositoriesTable } from '../../../schema/tables.ts'
import { idsOf, onBoards, type Source } from '../source.ts'

/** The number of bad signatures in a day that is worth reporting. */
const worthTelling = 5

const refused = hot<{ boards: string }, RepositoriesTable>(
  (_, param) => sql<RepositoriesTable>`select * from repositories r
    where ${onBoards('r', param('boards'))} and r.refusals <> '[]'`,
)

/** Repositories whose forge signs with a wrong secret, or that somebody else sends events to (git 9). */
export const refusedEvents: Source = {
  kind: 'forge_refused',
  about: 'repository',
  isOpen: access => mayCall(access, { operation: 'rotate_repository_secret' }),
  find: async (ctx, boards) =>
    (await refused(ctx.db, { boards: idsOf(boards) }))
      .filter(row => countRefused(row, ctx.now()) >= worthTelling)
      .map(row => {
        // An hour that was counted by an earlier version lacks the time of its first event.
        const times = refusedOf(row, ctx.now()).map(({ hour, first = hour }) => first)
        return { source: row.id, record: row.id, board: row.board_id, since: times.toSorted()[0]! }
      }),
  show: async (ctx, page) => {
    const boards = JSON.stringify([...new Set(page.map(({ board }) => board))])
    return new Map(
      (await refused(ctx.db, { boards })).map(row => [
        row.id,
        {
          actor_id: null,
          data: { refused_count: countRefused(row, ctx.now()), last_delivery_at: row.last_delivery_at },
          operation: 'rotate_repository_secret',
          arguments: { repository_id: row.id },
        },
      ]),
    )
  },
}
