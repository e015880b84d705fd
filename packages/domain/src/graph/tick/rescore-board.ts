import type { Db, ReadWrite } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { raiseRevision } from '../store/boards.ts'
import { rescore } from '../store/rescore.ts'

/** How many nodes one unit of work recomputes. */
const batch = 200

interface DueNode {
  readonly id: string
}

const dueNodes = hot<
  { board: string; after: string; stale: string; old: string | null; all: 0 | 1; limit: number },
  DueNode
>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select('id')
    .where('board_id', '=', param('board'))
    .where('id', '>', param('after'))
    .where(eb =>
      eb.or([
        eb(eb.val(param('all')), '=', 1),
        eb('last_recomputed_at', 'is', null),
        eb('last_recomputed_at', '<', param('stale')),
        eb('created_at', '<', param('old') as string),
      ]),
    )
    .orderBy('id')
    .limit(param('limit')),
)

/**
 * Recomputes the relevance of a board's nodes that are due, in batches; returns how many.
 * @param run gives the time; its `onFault` is called for a batch that fails, and the other batches continue
 */
export async function rescoreBoard(
  database: ReadWrite,
  boardId: string,
  due: { readonly stale: string; readonly old: string | null; readonly all: boolean },
  run: { readonly clock: () => number; readonly onFault: (error: unknown) => void },
): Promise<number> {
  let after = ''
  let count = 0
  for (;;) {
    const page = { board: boardId, after, stale: due.stale, old: due.old, all: due.all ? 1 : 0, limit: batch } as const
    const ids = (await database.read(db => dueNodes(db, page))).map(({ id }) => id)
    if (ids.length === 0) return count
    after = ids.at(-1)!
    try {
      const recompute = async (db: Db) => {
        const { revision } = await raiseRevision(db, boardId)
        return rescore(db, ids, new Date(run.clock()).toISOString(), revision)
      }
      count += await database.write(recompute, { lock: boardId })
    } catch (error) {
      run.onFault(error)
    }
  }
}
