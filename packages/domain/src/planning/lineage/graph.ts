import type { LineageEdge, LineageKind, LineageNode, LineageRelationship } from '@specboard/contract'
import type { z } from 'zod'

export type Kind = z.infer<typeof LineageKind>
export type Relationship = z.infer<typeof LineageRelationship>
export type Node = z.output<typeof LineageNode>
export type Edge = z.output<typeof LineageEdge>

const stages: Readonly<Record<Kind, number>> = {
  ideation: 0,
  refinement: 1,
  spec: 2,
  sprint: 3,
  business_rule: 3,
  technical_requirement: 3,
  scenario: 3,
  api_contract: 3,
  decision: 3,
  task: 4,
  test: 4,
  bug: 5,
  validation: 6,
  mockup: 6,
  knowledge: 6,
  architecture: 6,
}

/** The kinds that a graph shows only with artifacts. */
export const artifactKinds: ReadonlySet<Kind> = new Set(['mockup', 'knowledge', 'architecture'])

/** The id of a node: `key` is its record's id, for entries behind the id of their owner. */
export const nodeId = (kind: Kind, key: string): string => `${kind}:${key}`

/** What a node is, beside what follows from its kind. */
interface Described extends Pick<Node, 'card_type' | 'summary'> {
  readonly entity_id: string
  readonly title: string
  readonly status?: string | null
  readonly archived: boolean
  /** Where the node's id differs from the record's. */
  readonly key?: string
}

/** Where a node hangs in the tree. */
export interface Parent {
  readonly id: string
  readonly relationship: Relationship
}

/** A graph that is being built: each node and each edge once, edges only between nodes of the graph. */
export class Graph {
  readonly #nodes = new Map<string, Node>()
  readonly #edges = new Map<string, Edge>()

  /** Adds a node with the edge from its parent, unless it is there; answers its id. */
  add(kind: Kind, { key, status = null, ...described }: Described, parent: Parent | null): string {
    const id = nodeId(kind, key ?? described.entity_id)
    if (this.#nodes.has(id)) return id
    const { entity_id, title, archived, ...further } = described
    this.#nodes.set(id, {
      id,
      entity_type: kind,
      entity_id,
      title,
      label: title,
      status,
      stage: stages[kind],
      archived,
      parent_id: parent?.id ?? null,
      ...further,
    })
    if (parent !== null) this.link(parent.id, parent.relationship, id)
    return id
  }

  /** Adds an edge; it counts once both of its ends are nodes. */
  link(source: string | undefined, relationship: Relationship, target: string | undefined): void {
    if (source === undefined || target === undefined) return
    const id = `${source}->${relationship}->${target}`
    this.#edges.set(id, { id, source, target, relationship })
  }

  /** The nodes in the order in which they were added. */
  get nodes(): Node[] {
    return [...this.#nodes.values()]
  }

  /** The edges in order of the target node, then of the source node, then by relationship. */
  get edges(): Edge[] {
    const rank = new Map([...this.#nodes.keys()].map((id, index) => [id, index]))
    const at = (id: string) => rank.get(id)!
    return [...this.#edges.values()]
      .filter(({ source, target }) => rank.has(source) && rank.has(target))
      .sort(
        (a, b) =>
          at(a.target) - at(b.target) || at(a.source) - at(b.source) || (a.relationship < b.relationship ? -1 : 1),
      )
  }
}
