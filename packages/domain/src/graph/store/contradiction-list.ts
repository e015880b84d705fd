import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { rounded } from '../scores.ts'

/** Two decisions that contradict each other; `a` is the later one. */
export interface Contradiction {
  readonly id_a: string
  readonly title_a: string
  readonly id_b: string
  readonly title_b: string
  readonly confidence: number
}

const listed = hot<{ board: string; node: string; limit: number; offset: number }, Contradiction>(
  (_, param) =>
    sql<Contradiction>`select a.id as id_a, a.title as title_a, b.id as id_b, b.title as title_b, e.confidence
      from kg_edges e join kg_nodes a on a.id = e.from_id and ${sameBoard('a', 'e')} join kg_nodes b on b.id = e.to_id and ${sameBoard('b', 'e')}
      where e.board_id = ${param('board')} and e.edge_type = 'contradicts'
        and (${param('node')} = '' or e.from_id = ${param('node')} or e.to_id = ${param('node')})
      order by e.confidence desc, e.created_at desc, e.id desc
      limit ${param('limit')} offset ${param('offset')}`,
)

const counted = hot<{ board: string; node: string }, { count: number }>(
  (_, param) =>
    sql<{ count: number }>`select count(*) as count from kg_edges e
      where e.board_id = ${param('board')} and e.edge_type = 'contradicts'
        and (${param('node')} = '' or e.from_id = ${param('node')} or e.to_id = ${param('node')})`,
)

/**
 * The pairs of contradicting decisions of a board, highest confidence first; optionally only the pairs with a given
 * node.
 */
export async function readContradictions(
  db: Db,
  board: string,
  { node = '', limit, offset = 0 }: { readonly node?: string; readonly limit: number; readonly offset?: number },
): Promise<{ readonly contradictions: Contradiction[]; readonly total: number }> {
  const rows = await listed(db, { board, node, limit, offset })
  const [all] = await counted(db, { board, node })
  return {
    contradictions: rows.map(row => ({ ...row, confidence: rounded(row.confidence) })),
    total: all!.count,
  }
}
