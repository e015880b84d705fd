import { runCooperatively } from '@specboard/contract'
import type { Unit } from '../../kernel/context.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { sameJson } from '../../lib/json.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { storeEvent } from '../events/store.ts'
import { artifactRef } from '../extraction/refs.ts'
import { enqueue, enqueueBugs } from '../queue/entries.ts'
import { readSource } from '../records/read-source.ts'
import { latestHash, storeSession } from '../sessions/store.ts'
import { GraphChanges, system } from '../store/changes.ts'
import { updateContradictions } from '../store/contradictions.ts'
import { type Artifact, type Plan, planOf, Vectors, yielded } from './plan.ts'
import { type ReconcileResult, reconcile } from './reconcile.ts'

/** What consolidation needs. */
export interface GraphResources {
  readonly database: ReadWrite
  readonly embedder: Embedder
  readonly clock: () => number
  readonly newId: () => string
  /** Called when the embedder fails; consolidation continues without vectors. */
  readonly onFault: (error: unknown) => void
}

/** How to consolidate one record. */
export interface Consolidation {
  readonly artifact: Artifact
  readonly sessionId: string
  /** Whether to stop when the extraction has not changed. */
  readonly compareHash: boolean
  readonly signal?: AbortSignal | undefined
  /** Whether the work is still wanted; called in the transaction that writes, and `done` at its end. */
  readonly isWanted: (db: Db) => Promise<boolean>
  readonly done: (db: Db, now: string) => Promise<void>
}

/** The outcome for a record. */
export type Outcome = 'committed' | 'unchanged' | 'unwanted'

/** How often a record that keeps changing is read before it is consolidated as read: it is queued again anyway. */
const readings = 3

/**
 * Updates the graph for one record: reads it, makes vectors, and writes everything in one transaction (knowledge-graph,
 * Pipeline). A record that changes in between is read again, a few times. However large the record, it is processed in
 * pieces, yielding to others in between (walls 3).
 */
export async function consolidate(resources: GraphResources, consolidation: Consolidation): Promise<Outcome> {
  const { database, embedder, clock, onFault } = resources
  const { artifact, signal } = consolidation
  const startedAt = new Date(clock()).toISOString()
  for (let reading = 1; ; reading++) {
    const source = await database.read(db => readSource(db, artifact.type, artifact.id))
    const read = await runCooperatively(yielded(source), yieldToEventLoop)
    const plan = await database.read(db => planOf(db, artifact, read))
    const vectors = await Vectors.of(plan, embedder, onFault, signal)
    const outcome = await database.write(
      db => commit(db, resources, consolidation, { plan, vectors, startedAt, isLast: reading >= readings }),
      { lock: artifact.boardId },
    )
    if (outcome !== 'changed') return outcome
  }
}

async function commit(
  db: Db,
  { clock, newId }: GraphResources,
  consolidation: Consolidation,
  prepared: { readonly plan: Plan; readonly vectors: Vectors; readonly startedAt: string; readonly isLast: boolean },
): Promise<Outcome | 'changed'> {
  const { artifact, sessionId, compareHash } = consolidation
  if (!(await consolidation.isWanted(db))) return 'unwanted'
  const source = await readSource(db, artifact.type, artifact.id)
  const hasChanged = !sameJson(source, prepared.plan.source)
  if (hasChanged && (!prepared.isLast || source === null)) return 'changed'
  const plan = await planOf(db, artifact, prepared.plan)
  const now = new Date(clock()).toISOString()
  if (compareHash && (await isUnchanged(db, plan))) {
    await consolidation.done(db, now)
    return 'unchanged'
  }
  const changes = await GraphChanges.begin(db, { boardId: artifact.boardId, sessionId, now })
  const reconciled = await reconcile(db, plan, changes, prepared.vectors)
  await updateContradictions(db, changes, changes.decisions)
  await changes.settle()
  const isNew = plan.source !== null && plan.hash !== (await latestHash(db, artifact))
  if (isNew || changes.recorded.length > 0)
    await recordSession(db, newId, changes, plan, reconciled, prepared.startedAt)
  await queueDependents(db, { now, newId }, plan, reconciled)
  await consolidation.done(db, now)
  return 'committed'
}

const ownedCounts = hot<{ board: string; owner: string }, { nodes: number; edges: number }>((db, param) =>
  db.selectNoFrom(eb => [
    eb
      .selectFrom('kg_nodes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('board_id', '=', param('board'))
      .where('owner_ref', '=', param('owner'))
      .where(({ or, eb }) => or([eb('revocation_reason', 'is', null), eb('revocation_reason', '<>', 'source_removed')]))
      .$asScalar()
      .$notNull()
      .as('nodes'),
    eb
      .selectFrom('kg_edges')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('board_id', '=', param('board'))
      .where('owner_ref', '=', param('owner'))
      .where('edge_type', '<>', 'contradicts')
      .$asScalar()
      .$notNull()
      .as('edges'),
  ]),
)

/** Whether the latest session had the same extraction, and all of its nodes and edges still exist. */
export async function isUnchanged(db: Db, { artifact, source, extraction, hash, stored }: Plan): Promise<boolean> {
  if (source === null) return stored.size === 0
  if ((await latestHash(db, artifact)) !== hash) return false
  const owner = artifactRef(artifact.type, artifact.id)
  const [counts] = await ownedCounts(db, { board: artifact.boardId, owner })
  const nodes = extraction.nodes.filter(({ ref }) => !ref.startsWith('tech:')).length
  return counts!.nodes === nodes && counts!.edges === extraction.edges.length
}

async function recordSession(
  db: Db,
  newId: () => string,
  changes: GraphChanges,
  { artifact, source, hash, stored }: Plan,
  { counts }: ReconcileResult,
  startedAt: string,
): Promise<void> {
  const root = [...stored.values()].find(node => node.source_artifact_ref === artifactRef(artifact.type, artifact.id))
  const title = source?.title ?? root?.title ?? ''
  const session = await storeSession(db, changes, newId, {
    artifact_id: artifact.id,
    artifact_type: artifact.type,
    agent_id: system,
    started_at: startedAt,
    summary_text: `Consolidation of ${artifact.type} '${title}'`,
    content_hash: hash,
    ...counts,
  })
  await storeEvent(
    db,
    { now: changes.now, newId },
    {
      boardId: artifact.boardId,
      type: 'consolidation_committed',
      sessionId: session.id,
      payload: {
        session_id: session.id,
        artifact_type: artifact.type,
        artifact_id: artifact.id,
        nodes_added: session.nodes_added,
        nodes_updated: session.nodes_updated,
        nodes_superseded: session.nodes_superseded,
        nodes_removed: session.nodes_removed,
        edges_added: session.edges_added,
        edges_removed: session.edges_removed,
        content_hash: session.content_hash,
      },
    },
  )
}

/** Queues the records that did not change themselves but whose extraction now yields something else. */
async function queueDependents(
  db: Db,
  unit: Unit,
  { artifact }: Plan,
  { affected, addedTargets }: ReconcileResult,
): Promise<void> {
  const event = `${artifact.type}.consolidated`
  for (const { boardId, type, id } of affected)
    await enqueue(db, unit, { boardId, type, id, source: `event:${event}`, event, priority: 'normal' })
  if (addedTargets) await enqueueBugs(db, unit, artifact.boardId, { bugsOf: 'spec', id: artifact.id, event })
}
