import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { turning } from '../../schema/in-pieces.ts'
import { embeddedText } from '../embedding/embedder.ts'
import { type DraftEdge, type DraftNode, keyText } from '../extraction/draft.ts'
import { artifactOf, artifactRef } from '../extraction/refs.ts'
import { boostStep } from '../scores.ts'
import type { GraphChanges, NewEdge, NodeChange } from '../store/changes.ts'
import { edgeIdOf, nodeIdOf } from '../store/ids.ts'
import { type EdgeRow, edgesAt, edgesOwnedBy, type NodeRow, nodesByIds } from '../store/rows.ts'
import { type Artifact, contentChange, type Marks, marksOf, type Plan, type Vectors } from './plan.ts'

/** What a reconciliation counts; additions and removals are counted from the recorded changes. */
interface Counts {
  nodes_updated: number
  nodes_superseded: number
  missing_links: number
}

/** The result of a reconciliation. */
export interface ReconcileResult {
  readonly counts: Counts
  /** Other records that lost edges to removed nodes: they must be extracted again. */
  readonly affected: readonly Artifact[]
  /** Whether nodes were added that bugs may refer to. */
  readonly addedTargets: boolean
}

/** Number of ids of nodes and edges, which are hashes, that are computed before yielding to other work. */
const idsAtOnce = 1_000

const importedBoosts = hot<{ board: string; type: string; ref: string }, { created_at: string }>((db, param) =>
  db
    .selectFrom('graph_actions')
    .select('created_at')
    .where('board_id', '=', param('board'))
    .where('record_ref', '=', param('ref'))
    .where('action', '=', 'boost')
    .where('node_type', '=', param('type'))
    .orderBy('created_at'),
)

/** Updates what is stored for a record to match its extraction (knowledge-graph 3.8). */
export async function reconcile(db: Db, plan: Plan, changes: GraphChanges, vectors: Vectors): Promise<ReconcileResult> {
  return new Reconciliation(db, plan, changes, vectors).run()
}

class Reconciliation {
  readonly #db: Db
  readonly #plan: Plan
  readonly #changes: GraphChanges
  readonly #vectors: Vectors
  readonly #owner: string
  /** The ids of all nodes that the extraction refers to, by key. */
  readonly #ids: Map<string, string>
  readonly #affected = new Map<string, Artifact>()
  readonly #counts: Counts
  #addedTargets = false

  constructor(db: Db, plan: Plan, changes: GraphChanges, vectors: Vectors) {
    this.#db = db
    this.#plan = plan
    this.#changes = changes
    this.#vectors = vectors
    this.#owner = artifactRef(plan.artifact.type, plan.artifact.id)
    this.#ids = new Map(plan.storedIds)
    this.#counts = { nodes_updated: 0, nodes_superseded: 0, missing_links: plan.extraction.missing_links }
  }

  async run(): Promise<ReconcileResult> {
    const { extraction, stubs, stored } = this.#plan
    for (const { node, owner } of stubs)
      await this.#add(node, owner, marksOf(null, node.revocation_reason, null, this.#changes.now))
    const edges = await edgesOwnedBy(this.#db, this.#changes.boardId, this.#owner)
    const fresh = extraction.nodes.filter(draft => !this.#ids.has(keyText(draft)))
    const step = turning(this.#db, idsAtOnce)
    for (const draft of fresh) {
      await step()
      this.#ids.set(keyText(draft), nodeIdOf(this.#changes.boardId, draft))
    }
    const desired = await this.#wantedEdges(step)
    const supersededBy = await this.#winners(desired)
    for (const draft of extraction.nodes) await this.#node(draft, supersededBy)
    await this.#edges(edges, desired)
    const yielded = new Set(extraction.nodes.map(keyText))
    for (const [key, node] of stored) if (!yielded.has(key)) await this.#gone(node)
    await this.#sweepTechnologies()
    return { counts: this.#counts, affected: [...this.#affected.values()], addedTargets: this.#addedTargets }
  }

  async #node(draft: DraftNode, supersededBy: ReadonlyMap<string, string>): Promise<void> {
    const key = keyText(draft)
    const stored = this.#plan.stored.get(key)
    const marks = marksOf(
      stored ?? null,
      draft.revocation_reason,
      supersededBy.get(this.#ids.get(key)!) ?? null,
      this.#changes.now,
    )
    if (stored !== undefined) await this.#update(stored, draft, marks)
    else if (!this.#plan.storedIds.has(key))
      await this.#add(draft, draft.ref.startsWith('tech:') ? null : this.#owner, marks)
  }

  async #add(draft: DraftNode, owner: string | null, marks: Marks): Promise<void> {
    const { ref, revocation_reason, ...fields } = draft
    const id = nodeIdOf(this.#changes.boardId, draft)
    this.#ids.set(keyText(draft), id)
    await this.#changes.addNode(
      { id, ...fields, ...marks, source_artifact_ref: ref, owner_ref: owner },
      this.#vectors.for(draft),
    )
    await this.#boostAgain(id, draft)
    if (marks.superseded_by !== null) this.#counts.nodes_superseded++
    if (draft.node_type === 'TestScenario' || draft.node_type === 'Constraint') this.#addedTargets = true
  }

  /** Restores the boosts that agents gave the node on the board that it was imported from (exchange 1). */
  async #boostAgain(id: string, { node_type, ref }: DraftNode): Promise<void> {
    const boosts = await importedBoosts(this.#db, { board: this.#changes.boardId, type: node_type, ref })
    if (boosts.length === 0) return
    const [node] = await nodesByIds(this.#db, [id])
    const boosted_at = boosts.at(-1)!.created_at
    await this.#changes.updateNode(node!, { manual_boost: boosts.length * boostStep, boosted_at })
  }

  async #update(stored: NodeRow, draft: DraftNode, marks: Marks): Promise<void> {
    const content = contentChange(stored, draft)
    const changedMarks = Object.fromEntries(
      Object.entries(marks).filter(([name, value]) => stored[name as keyof Marks] !== value),
    ) as Partial<Marks>
    const texts = ['title', 'content', 'context', 'justification'].some(name => Object.hasOwn(content, name))
    const change: NodeChange = { ...content, ...changedMarks, ...(texts && { updated_at: this.#changes.now }) }
    if (Object.keys(change).length === 0) return
    const newText = embeddedText(stored) !== embeddedText(draft)
    await this.#changes.updateNode(stored, change, newText ? this.#vectors.for(draft) : undefined)
    const newlySuperseded = changedMarks.superseded_by != null
    if (newlySuperseded) this.#counts.nodes_superseded++
    if (!newlySuperseded || Object.keys(content).length > 0) this.#counts.nodes_updated++
  }

  /** Removes a node that is no longer yielded; a decision is kept, out of force, while its record exists. */
  async #gone(node: NodeRow): Promise<void> {
    if (node.node_type === 'Decision' && this.#plan.source !== null) {
      if (node.revocation_reason === 'source_removed') return
      await this.#changes.updateNode(node, {
        revocation_reason: 'source_removed',
        superseded_by: null,
        superseded_at: this.#changes.now,
      })
      this.#counts.nodes_updated++
      return
    }
    await this.#remove(node)
  }

  async #remove(node: NodeRow): Promise<void> {
    for (const edge of await this.#changes.removeNode(node)) {
      const artifact = artifactOf(edge.owner_ref)
      if (artifact !== null && edge.owner_ref !== this.#owner && edge.edge_type !== 'contradicts')
        this.#affected.set(edge.owner_ref, { boardId: this.#changes.boardId, ...artifact })
    }
  }

  /** The edges that the extraction yields between existing nodes; the others are counted as missing links. */
  async #wantedEdges(step: () => Promise<void> | undefined): Promise<Map<string, NewEdge>> {
    const desired = new Map<string, NewEdge>()
    for (const draft of this.#plan.extraction.edges) {
      await step()
      const from = this.#ids.get(keyText(draft.from))
      const to = this.#ids.get(keyText(draft.to))
      if (from === undefined || to === undefined) this.#counts.missing_links++
      else desired.set(edgeIdOf(draft.edge_type, from, to), this.#edge(draft, from, to))
    }
    return desired
  }

  #edge(
    { edge_type, confidence, layer, rule_id, fallback_reason }: DraftEdge,
    from_id: string,
    to_id: string,
  ): NewEdge {
    const id = edgeIdOf(edge_type, from_id, to_id)
    return { id, edge_type, from_id, to_id, confidence, layer, rule_id, fallback_reason, owner_ref: this.#owner }
  }

  async #edges(stored: readonly EdgeRow[], desired: Map<string, NewEdge>): Promise<void> {
    for (const edge of stored) {
      const same = desired.get(edge.id)
      if (same !== undefined && same.rule_id === edge.rule_id && same.confidence === edge.confidence)
        desired.delete(edge.id)
      else await this.#changes.removeEdge(edge)
    }
    for (const edge of desired.values()) await this.#changes.addEdge(edge)
  }

  /** The decision that superseded each decision: of several, the one created last (knowledge-graph 6.1). */
  async #winners(desired: ReadonlyMap<string, NewEdge>): Promise<Map<string, string>> {
    const edges = [...desired.values()].filter(({ edge_type }) => edge_type === 'supersedes')
    const rows = await nodesByIds(this.#db, [...new Set(edges.map(({ from_id }) => from_id))])
    const createdAt = new Map(rows.map(({ id, created_at }) => [id, created_at]))
    const madeAt = (id: string) => createdAt.get(id) ?? this.#changes.now
    const winners = new Map<string, string>()
    for (const { from_id, to_id } of edges) {
      const current = winners.get(to_id)
      if (current === undefined || madeAt(from_id) >= madeAt(current)) winners.set(to_id, from_id)
    }
    return winners
  }

  /** Removes technologies that nothing mentions any more. */
  async #sweepTechnologies(): Promise<void> {
    const cut = this.#changes.recorded.flatMap(({ kind, before, after }) =>
      kind === 'edge' && after === null && before?.edge_type === 'mentions' ? [before.to_id] : [],
    )
    for (const node of await nodesByIds(this.#db, [...new Set(cut)]))
      if ((await edgesAt(this.#db, node.id)).length === 0) await this.#remove(node)
  }
}
