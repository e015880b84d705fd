import { type ArtifactType, artifactTypes, atOnce, type InPieces, type RevocationReason } from '@specboard/contract'
import type { Db } from '../../schema/database.ts'
import { type Embedder, embeddedText } from '../embedding/embedder.ts'
import { contentHash, type DraftNode, type Extraction, keyText, type NodeKey } from '../extraction/draft.ts'
import { extracting, rootOf } from '../extraction/extract.ts'
import { artifactOf, artifactRef } from '../extraction/refs.ts'
import type { ArtifactSource } from '../extraction/sources.ts'
import { readSource } from '../records/read-source.ts'
import type { NodeVector } from '../store/changes.ts'
import { type NodeRow, nodesOfRefs, nodesOwnedBy } from '../store/rows.ts'

/** A record of a board. */
export interface Artifact {
  readonly boardId: string
  readonly type: ArtifactType
  readonly id: string
}

/** What a record yields, and what is stored for it. */
export interface Plan {
  readonly artifact: Artifact
  /** Null when the record no longer exists: all of its nodes are removed. */
  readonly source: ArtifactSource | null
  readonly extraction: Extraction
  /** Null for a record that no longer exists. */
  readonly hash: string | null
  /** The stored nodes of the record, by key. */
  readonly stored: ReadonlyMap<string, NodeRow>
  /** The ids of the stored nodes that the extraction refers to, by key. */
  readonly storedIds: ReadonlyMap<string, string>
  /** Root nodes of other records that must be stored first, with their owners. */
  readonly stubs: readonly { readonly node: DraftNode; readonly owner: string }[]
}

const nothing: Extraction = { nodes: [], edges: [], missing_links: 0 }

const keyOf = (row: Pick<NodeRow, 'node_type' | 'source_artifact_ref'>): string =>
  keyText({ node_type: row.node_type, ref: row.source_artifact_ref })

/** A record that was read, and what it yields. */
export type ReadRecord = Pick<Plan, 'source' | 'extraction' | 'hash'>

/** What a record yields, with its hash, computed in pieces. */
export function* yielded(source: ArtifactSource | null): InPieces<ReadRecord> {
  if (source === null) return { source, extraction: nothing, hash: null }
  const extraction = yield* extracting(source)
  return { source, extraction, hash: yield* contentHash(extraction) }
}

/** Reads a record and what is stored for it. */
export async function planFor(db: Db, artifact: Artifact): Promise<Plan> {
  const source = await readSource(db, artifact.type, artifact.id)
  return planOf(db, artifact, atOnce(yielded(source)))
}

/** Reads what is stored for a record that has already been read and extracted. */
export async function planOf(db: Db, artifact: Artifact, { source, extraction, hash }: ReadRecord): Promise<Plan> {
  const { boardId, type, id } = artifact
  const rows = await nodesOwnedBy(db, boardId, artifactRef(type, id))
  const refs = new Set([
    ...extraction.nodes.map(({ ref }) => ref),
    ...extraction.edges.flatMap(({ from, to }) => [from.ref, to.ref]),
  ])
  const storedIds = new Map((await nodesOfRefs(db, boardId, [...refs])).map(row => [keyOf(row), row.id]))
  return {
    artifact,
    source,
    extraction,
    hash,
    stored: new Map(rows.map(row => [keyOf(row), row])),
    storedIds,
    stubs: await readStubs(db, artifact, extraction, storedIds),
  }
}

const isRoot = ({ ref }: NodeKey): boolean =>
  artifactTypes.some(type => ref.startsWith(`${type}:`)) && ref.split(':').length === 2

/** The root nodes of other records that edges point to and that are not stored yet (knowledge-graph 3.8). */
async function readStubs(
  db: Db,
  { type, id }: Artifact,
  { edges }: Extraction,
  storedIds: ReadonlyMap<string, string>,
): Promise<Plan['stubs']> {
  const own = artifactRef(type, id)
  const absent = new Map(
    edges
      .map(({ to }) => to)
      .filter(to => isRoot(to) && to.ref !== own && !storedIds.has(keyText(to)))
      .map(to => [keyText(to), to]),
  )
  const stubs: { node: DraftNode; owner: string }[] = []
  for (const { ref } of absent.values()) {
    const named = artifactOf(ref)!
    const source = await readSource(db, named.type, named.id)
    if (source !== null) stubs.push({ node: rootOf(source), owner: ref })
  }
  return stubs
}

/** The columns of a node that come from its extraction. */
const extractedColumns = [
  'title',
  'content',
  'context',
  'justification',
  'source_confidence',
  'priority_boost',
] as const

/** The columns in which the extraction of a node differs from the stored node, apart from the marks. */
export function contentChange(
  stored: NodeRow,
  draft: DraftNode,
): Partial<Pick<NodeRow, (typeof extractedColumns)[number]>> {
  return Object.fromEntries(
    extractedColumns.filter(name => stored[name] !== draft[name]).map(name => [name, draft[name]]),
  )
}

/** The marks of a node that is out of force: what superseded it, since when, and the reason. */
export type Marks = Pick<NodeRow, 'superseded_by' | 'superseded_at' | 'revocation_reason'>

/** The marks that a node should have; the time is kept while its cause stays the same (knowledge-graph 3.8, 6.1). */
export function marksOf(
  stored: Marks | null,
  reason: RevocationReason | null,
  supersededBy: string | null,
  now: string,
): Marks {
  const holdsOn =
    supersededBy === null
      ? stored?.revocation_reason === reason && stored?.superseded_by === null
      : stored?.superseded_by === supersededBy
  const dated = supersededBy !== null || reason === 'source_cancelled' || reason === 'source_removed'
  return {
    superseded_by: supersededBy,
    superseded_at: dated ? ((holdsOn ? stored?.superseded_at : null) ?? now) : null,
    revocation_reason: reason,
  }
}

const differs = (stored: NodeRow | undefined, draft: DraftNode) =>
  stored === undefined || embeddedText(stored) !== embeddedText(draft)

/**
 * The vectors of the nodes that a plan adds or whose text it changes, made before the transaction. If the embedder
 * fails there are none: the nodes are stored without vectors and embedded later.
 */
export class Vectors {
  readonly #byText: ReadonlyMap<string, Float32Array>
  readonly #model: string

  private constructor(model: string, byText: ReadonlyMap<string, Float32Array>) {
    this.#model = model
    this.#byText = byText
  }

  /** @param onFault called when the embedder fails */
  static async of(
    plan: Plan,
    embedder: Embedder,
    onFault: (error: unknown) => void,
    signal?: AbortSignal,
  ): Promise<Vectors> {
    const drafts = [
      ...plan.extraction.nodes.filter(draft => {
        const key = keyText(draft)
        return plan.stored.has(key) ? differs(plan.stored.get(key), draft) : !plan.storedIds.has(key)
      }),
      ...plan.stubs.map(({ node }) => node),
    ]
    const texts = [...new Set(drafts.map(embeddedText))]
    if (texts.length === 0) return new Vectors(embedder.model, new Map())
    try {
      const vectors = await embedder.embed(texts, signal)
      return new Vectors(embedder.model, new Map(texts.map((text, index) => [text, vectors[index]!])))
    } catch (error) {
      signal?.throwIfAborted()
      onFault(error)
      return new Vectors(embedder.model, new Map())
    }
  }

  /** The vector of a node; null if it could not be made. */
  for(node: { readonly title: string; readonly content: string }): NodeVector {
    const vector = this.#byText.get(embeddedText(node))
    return vector === undefined ? null : { model: this.#model, vector }
  }
}
