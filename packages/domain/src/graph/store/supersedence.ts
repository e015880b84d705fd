import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { KgNodesTable } from '../../schema/tables.ts'

type ChainNode = Pick<KgNodesTable, 'id' | 'title' | 'created_at' | 'superseded_by' | 'superseded_at'>

/** Maximum number of older decisions shown in a chain. */
const maxChainLength = 10

const fields = ['id', 'title', 'created_at', 'superseded_by', 'superseded_at'] as const

const byId = hot<{ id: string }, ChainNode>((db, param) =>
  db.selectFrom('kg_nodes').select(fields).where('id', '=', param('id')),
)

const olderThan = hot<{ id: string }, ChainNode>((db, param) =>
  db
    .selectFrom('kg_nodes as n')
    .innerJoin('kg_edges as e', 'e.to_id', 'n.id')
    .where(sameBoard('e', 'n'))
    .select(['n.id', 'n.title', 'n.created_at', 'n.superseded_by', 'n.superseded_at'])
    .where('e.from_id', '=', param('id'))
    .where('e.edge_type', '=', 'supersedes')
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc'),
)

/** The decisions that a decision replaced, nearest first, at most ten. */
async function olderChain(db: Db, id: string): Promise<ChainNode[]> {
  const chain: ChainNode[] = []
  const visited = new Set([id])
  let level = [id]
  while (level.length > 0 && chain.length < maxChainLength) {
    const next: ChainNode[] = []
    for (const newer of level)
      for (const older of await olderThan(db, { id: newer }))
        if (!visited.has(older.id)) {
          visited.add(older.id)
          next.push(older)
        }
    chain.push(...next)
    level = next.map(node => node.id)
  }
  return chain.slice(0, maxChainLength)
}

/** The decisions that replaced a decision, up to the one in force. */
async function newerChain(db: Db, supersededBy: string | null): Promise<ChainNode[]> {
  const chain: ChainNode[] = []
  const visited = new Set<string>()
  for (let next = supersededBy; next !== null && !visited.has(next); ) {
    visited.add(next)
    const [node] = await byId(db, { id: next })
    if (node === undefined) break
    chain.push(node)
    next = node.superseded_by
  }
  return chain
}

/** What a decision replaced and what replaced it (knowledge-graph 6.2). */
export async function readSupersedence(db: Db, decision: Pick<KgNodesTable, 'id' | 'superseded_by'>) {
  const chain = await olderChain(db, decision.id)
  const newer = await newerChain(db, decision.superseded_by)
  return { chain, depth: chain.length, current_active: newer.at(-1)?.id ?? decision.id, newer }
}
