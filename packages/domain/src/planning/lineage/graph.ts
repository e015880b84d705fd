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
  change: 6,
}

/** The kinds of node that a graph has only with artifacts. */
export const artifactKinds: ReadonlySet<Kind> = new Set(['mockup', 'knowledge', 'architecture'])

/** The id of a node. `key` is the id of its record; for entries, prefixed with the id of their owner. */
export const nodeId = (kind: Kind, key: string): string => `${kind}:${key}`

/** The fields of a node that do not follow from its kind. */
interface NodeDescription extends Pick<Node, 'ref' | 'card_type' | 'summary'> {
  readonly entity_id: string
  readonly title: string
  readonly status?: string | null
  readonly archived: boolean
  /** The key of the node's id, where it differs from the record's id. */
  readonly key?: string
}

/** The parent of a node, and the relationship to it. */
export interface Parent {
  readonly id: string
  readonly relationship: Relationship
}

/** A graph under construction. It has each node and edge once, and edges only between its nodes. */
export class Graph {
  readonly #nodes = new Map<string, Node>()
  readonly #edges = new Map<string, Edge>()

  /** Adds a node, unless the graph already has it, and the edge from its parent; returns its id. */
  add(kind: Kind, { key, status = null, ...described }: NodeDescription, parent: Parent | null): string {
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

  /** Adds an edge; it becomes part of the graph once both of its ends are. */
  link(source: string | undefined, relationship: Relationship, target: string | undefined): void {
    if (source === undefined || target === undefined) return
    const id = `${source}->${relationship}->${target}`
    this.#edges.set(id, { id, source, target, relationship })
  }

  /** The nodes in the order in which they were added. */
  get nodes(): Node[] {
    return [...this.#nodes.values()]
  }

  /** The edges, ordered by target node, then source node, then relationship. */
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
