import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { type Measures, relevance } from '../scores.ts'

interface MeasuredNode extends Measures {
  readonly id: string
}

/** The value used for an edge with unknown confidence. */
const unknownConfidence = 0.5

const measured = hot<{ ids: string }, MeasuredNode>(
  (_, param) =>
    sql<MeasuredNode>`select n.id, n.source_confidence, n.query_hits, n.last_queried_at, n.priority_boost, n.manual_boost,
        n.boosted_at, n.revocation_reason,
        (select count(*) from kg_edges e where e.from_id = n.id and ${sameBoard('e', 'n')})
          + (select count(*) from kg_edges e where e.to_id = n.id and ${sameBoard('e', 'n')}) as degree,
        (select coalesce(sum(coalesce(e.confidence, ${sql.lit(unknownConfidence)})), 0.0) from kg_edges e
          where e.to_id = n.id and e.edge_type = 'contradicts') as contradictions
      from kg_nodes n where ${dialect.inList(sql.ref('n.id'), param('ids'))}`,
)

const store = hot<{ id: string; score: number; degree: number; now: string; revision: number }, never>((db, param) =>
  db
    .updateTable('kg_nodes')
    .set({
      relevance_score: param('score'),
      degree: param('degree'),
      last_recomputed_at: param('now'),
      revision: param('revision'),
    })
    .where('id', '=', param('id')),
)

/** Recomputes the relevance and degree of nodes; returns how many were found. */
export async function rescore(db: Db, ids: readonly string[], now: string, revision: number): Promise<number> {
  const counts = await inPieces(db, ids, async piece => {
    const nodes = await measured(db, { ids: JSON.stringify(piece) })
    for (const node of nodes)
      await store(db, { id: node.id, score: relevance(node, now), degree: node.degree, now, revision })
    return nodes.length
  })
  return counts.reduce((sum, count) => sum + count, 0)
}
