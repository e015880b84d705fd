import type { Json } from '@specboard/storage'
import type { NotNull } from 'kysely'
import { maxSteps } from '../../kernel/product-cost.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { turning } from '../../schema/in-pieces.ts'
import { contradiction, type Statement } from '../text/polarity.ts'
import { readGraphBoard } from './boards.ts'
import type { GraphChanges, NewEdge } from './changes.ts'
import { edgeIdOf } from './ids.ts'
import { among, edgesOfTypeAt } from './rows.ts'

/** A decision in force, with the fields that are compared. */
interface Live extends Statement {
  readonly id: string
  readonly created_at: string
  readonly owner_ref: string
}

interface LiveRow {
  readonly id: string
  readonly created_at: string
  readonly owner_ref: string | null
  readonly polarity: 1 | -1
  readonly core: Json<string[]>
}

const liveDecisions = hot<{ board: string; polarity: number }, LiveRow>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select(['id', 'created_at', 'owner_ref', 'polarity', 'core'])
    .where('board_id', '=', param('board'))
    .where('polarity', '=', param('polarity') as 1)
    .where('revocation_reason', 'is', null)
    .where('superseded_by', 'is', null)
    .$narrowType<{ polarity: NotNull; core: NotNull }>(),
)

const liveAmong = hot<{ ids: string }, LiveRow>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select(['id', 'created_at', 'owner_ref', 'polarity', 'core'])
    .where(among('id', param('ids')))
    .where('polarity', 'is not', null)
    .where('revocation_reason', 'is', null)
    .where('superseded_by', 'is', null)
    .$narrowType<{ polarity: NotNull; core: NotNull }>(),
)

const liveOf = (row: LiveRow): Live => ({
  ...row,
  core: parseJson(row.core),
  owner_ref: row.owner_ref ?? '',
})

/**
 * Indexes decisions by the terms of their subject, so that each is compared only with those that share a term. All are
 * in force, so no chain of supersession can connect two of them.
 */
function byTerm(decisions: readonly Live[]): (core: readonly string[]) => Iterable<Live> {
  const index = new Map<string, Live[]>()
  for (const decision of decisions)
    for (const term of decision.core) {
      const sharing = index.get(term)
      if (sharing === undefined) index.set(term, [decision])
      else sharing.push(decision)
    }
  return function* (core) {
    const visited = new Set<Live>()
    for (const term of core)
      for (const decision of index.get(term) ?? []) {
        if (visited.has(decision)) continue
        visited.add(decision)
        yield decision
      }
  }
}

/** Maximum number of contradictions that are created for the decisions of a record at once. */
const maxContradictions = 20_000

/** Pairs of decisions compared before yielding to other work. */
const comparedAtOnce = 2_000

/** Whether one decision was created after another; if at the same time, the one with the larger id is the later. */
const isLater = (a: Live, b: Live): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at

function edgeBetween(a: Live, b: Live, confidence: number): NewEdge {
  const [from, to] = isLater(a, b) ? [a, b] : [b, a]
  return {
    id: edgeIdOf('contradicts', from.id, to.id),
    edge_type: 'contradicts',
    from_id: from.id,
    to_id: to.id,
    confidence,
    layer: 'fallback',
    rule_id: 'contradicts/polarity@v1',
    fallback_reason: 'opposite_polarity',
    owner_ref: from.owner_ref,
  }
}

/**
 * The contradiction edges that decisions should have. Their number is a product of what callers sent, so after a number
 * of comparisons, or of edges, the remaining decisions get none (walls 3, rule 4).
 */
async function wantedEdges(db: Db, board: string, ids: ReadonlySet<string>): Promise<Map<string, NewEdge>> {
  const edges = new Map<string, NewEdge>()
  const step = turning(db, comparedAtOnce)
  let compared = 0
  const changed = (await liveAmong(db, { ids: JSON.stringify([...ids]) })).map(liveOf)
  for (const [polarity, decisions] of Map.groupBy(changed, decision => decision.polarity)) {
    const sharing = byTerm((await liveDecisions(db, { board, polarity: -polarity })).map(liveOf))
    for (const decision of decisions)
      for (const other of sharing(decision.core)) {
        if (++compared > maxSteps || edges.size >= maxContradictions) return edges
        await step()
        const confidence = contradiction(decision, other)
        if (confidence === null) continue
        const edge = edgeBetween(decision, other, confidence)
        edges.set(edge.id, edge)
      }
  }
  return edges
}

/** Updates the contradictions of decisions (knowledge-graph 6.3); does nothing if the board has switched them off. */
export async function updateContradictions(db: Db, changes: GraphChanges, ids: ReadonlySet<string>): Promise<void> {
  const { contradiction_detection } = await readGraphBoard(db, changes.boardId)
  if (ids.size === 0 || contradiction_detection === 0) return
  const desired = await wantedEdges(db, changes.boardId, ids)
  for (const edge of await edgesOfTypeAt(db, 'contradicts', [...ids])) {
    const same = desired.get(edge.id)
    if (same?.confidence === edge.confidence) desired.delete(edge.id)
    else await changes.removeEdge(edge)
  }
  for (const edge of desired.values()) await changes.addEdge(edge)
}
