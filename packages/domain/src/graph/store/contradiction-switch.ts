import type { Db } from '../../schema/database.ts'
import { writeGraphBoard } from './boards.ts'
import { GraphChanges } from './changes.ts'
import { updateContradictions } from './contradictions.ts'
import type { EdgeRow } from './rows.ts'

/**
 * Switches the detection of contradictions on a board on or off: off removes their edges, on checks all decisions
 * (knowledge-graph 10).
 */
export async function switchContradictions(
  db: Db,
  unit: { readonly boardId: string; readonly sessionId: string; readonly now: string },
  on: boolean,
): Promise<void> {
  const { boardId } = unit
  await writeGraphBoard(db, boardId, { contradiction_detection: on ? 1 : 0 })
  const changes = await GraphChanges.begin(db, unit)
  if (on) {
    const decisions = await db
      .selectFrom('kg_nodes')
      .select('id')
      .where('board_id', '=', boardId)
      .where('node_type', '=', 'Decision')
      .execute()
    await updateContradictions(db, changes, new Set(decisions.map(({ id }) => id)))
  } else {
    const edges = await db
      .selectFrom('kg_edges')
      .selectAll()
      .where('board_id', '=', boardId)
      .where('edge_type', '=', 'contradicts')
      .execute()
    for (const edge of edges as EdgeRow[]) await changes.removeEdge(edge)
  }
  await changes.settle()
}
