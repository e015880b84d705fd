import { createHash } from 'node:crypto'
import {
  type EdgeLayer,
  type EdgeType,
  edgePairs,
  type InPieces,
  type NodeType,
  type RevocationReason,
} from '@specboard/contract'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { byAscii, byCodePoint } from '../../lib/text-order.ts'

/** What identifies a node on its board. */
export interface NodeKey {
  readonly node_type: NodeType
  readonly ref: string
}

/** A node yielded by an extraction. */
export interface DraftNode extends NodeKey {
  readonly title: string
  readonly content: string
  readonly context: string
  readonly justification: string
  readonly source_confidence: number
  readonly priority_boost: number
  readonly revocation_reason: RevocationReason | null
}

/** An edge yielded by an extraction. */
export interface DraftEdge {
  readonly edge_type: EdgeType
  readonly from: NodeKey
  readonly to: NodeKey
  readonly confidence: number
  readonly layer: EdgeLayer
  readonly rule_id: string
  readonly fallback_reason: string | null
}

/** What a record yields: its own nodes, the technologies that it mentions, and the edges. */
export interface Extraction {
  readonly nodes: readonly DraftNode[]
  readonly edges: readonly DraftEdge[]
  /** The number of links in the record that lead nowhere. */
  readonly missing_links: number
}

/** The version of the rules, which is the suffix of every `rule_id`. */
const extractionVersion = 'v1'

/** The highest confidence of an edge of layer `fallback`. */
const fallbackConfidence = 0.85

/** The id of a rule. */
const ruleId = (edgeType: EdgeType, name: string): string => `${edgeType}/${name}@${extractionVersion}`

/** A key as a string that is unique on its board. */
export const keyText = ({ node_type, ref }: NodeKey): string => `${node_type} ${ref}`

const edgeText = ({ edge_type, from, to }: DraftEdge): string => `${edge_type} ${keyText(from)} ${keyText(to)}`

/**
 * Collects what an extraction yields. Of equal nodes or edges, only the first is kept.
 *
 * @example
 * const draft = new Draft()
 * const root = draft.node({ node_type: 'Entity', ref: 'spec:1' }, { title: 'Login', content: 'Login' })
 * // An edge between types that it may not connect is not added, but counted in `missing_links`.
 * draft.edge('belongs_to', root, { node_type: 'Entity', ref: 'ideation:1' }, 'spec_to_ideation')
 */
export class Draft implements Extraction {
  readonly #nodes = new Map<string, DraftNode>()
  readonly #edges = new Map<string, DraftEdge>()
  /** Why every node of the record is out of force; null when the record is in force. */
  readonly #reason: RevocationReason | null
  missing_links = 0

  constructor(reason: RevocationReason | null = null) {
    this.#reason = reason
  }

  get nodes(): readonly DraftNode[] {
    return [...this.#nodes.values()]
  }

  get edges(): readonly DraftEdge[] {
    return [...this.#edges.values()]
  }

  /** Adds a node of the record. Missing fields are empty; the confidence is that of structured fields. */
  node(
    key: NodeKey,
    fields: Partial<Omit<DraftNode, keyof NodeKey>> & { readonly title: string; readonly content: string },
  ): NodeKey {
    const node: DraftNode = {
      node_type: key.node_type,
      ref: key.ref,
      context: '',
      justification: '',
      source_confidence: 1,
      priority_boost: 0,
      ...fields,
      revocation_reason: this.#reason ?? fields.revocation_reason ?? null,
    }
    if (!this.#nodes.has(keyText(key))) this.#nodes.set(keyText(key), node)
    return key
  }

  /** Adds a node that belongs to no single record and is never out of force. */
  shared(key: NodeKey, title: string): NodeKey {
    const node = { ...key, title, content: title, context: '', justification: '', source_confidence: 1 }
    this.#nodes.set(keyText(key), { ...node, priority_boost: 0, revocation_reason: null })
    return key
  }

  /** Adds an edge; an edge between types that it may not connect is counted as a missing link instead. */
  edge(
    edge_type: EdgeType,
    from: NodeKey,
    to: NodeKey,
    name: string,
    { confidence = 1, fallback = null }: { readonly confidence?: number; readonly fallback?: string | null } = {},
  ): void {
    const pairs: readonly (readonly [NodeType, NodeType])[] = edgePairs[edge_type]
    if (!pairs.some(([a, b]) => a === from.node_type && b === to.node_type)) {
      this.missing_links++
      return
    }
    const edge: DraftEdge = {
      edge_type,
      from: { node_type: from.node_type, ref: from.ref },
      to: { node_type: to.node_type, ref: to.ref },
      confidence: fallback === null ? confidence : Math.min(confidence, fallbackConfidence),
      layer: fallback === null ? 'deterministic' : 'fallback',
      rule_id: ruleId(edge_type, name),
      fallback_reason: fallback,
    }
    if (!this.#edges.has(edgeText(edge))) this.#edges.set(edgeText(edge), edge)
  }
}

/** How many nodes or edges are hashed in one piece of work. */
const hashedAtOnce = 500

/**
 * The hash that identifies an extraction, made in pieces: SHA-256 of the canonical JSON of all nodes and edges in a fixed
 * order.
 */
export function* contentHash({ nodes, edges }: Pick<Extraction, 'nodes' | 'edges'>): InPieces<string> {
  const hash = createHash('sha256')
  const lists: readonly (readonly [name: string, sorted: () => readonly unknown[]])[] = [
    ['edges', () => sortedBy(edges, edgeText)],
    ['nodes', () => sortedBy(nodes, keyText)],
  ]
  for (const [name, sorted] of lists) {
    yield
    const items = sorted()
    yield
    hash.update(`${name === 'edges' ? '{' : ','}"${name}":[`)
    for (let from = 0; from < items.length; from += hashedAtOnce) {
      if (from > 0) hash.update(',')
      hash.update(
        items
          .slice(from, from + hashedAtOnce)
          .map(canonicalJson)
          .join(),
      )
      yield
    }
    hash.update(']')
  }
  return hash.update('}').digest('hex')
}

const ascii = /^[\0-\x7F]*$/

function sortedBy<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  const named = items.map(item => ({ item, text: textOf(item) }))
  // Most references contain only ASCII, which is compared ten times as fast.
  const order = named.every(({ text }) => ascii.test(text)) ? byAscii : byCodePoint
  return named.sort((a, b) => order(a.text, b.text)).map(({ item }) => item)
}
