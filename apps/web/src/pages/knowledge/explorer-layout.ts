import type { GraphEdge, GraphNode } from '../../data/knowledge.ts'
import { byName } from '../../messages/format.ts'

/** The side of a node: sources of edges to the centre are on its left, targets of its edges on its right. */
export type Side = 'left' | 'middle' | 'right'

/** A node with its position, and the edge by which it was reached. */
export interface PlacedNode {
  readonly node: GraphNode
  readonly side: Side
  /** Steps from the centre. */
  readonly level: number
  readonly line: number
  readonly via: GraphEdge | undefined
  readonly parent: PlacedNode | undefined
  readonly isOpen: boolean
}

export interface ExplorerLayout {
  readonly placed: readonly PlacedNode[]
  /** Edges between shown nodes, other than those by which they were reached. */
  readonly others: readonly (readonly [from: PlacedNode, to: PlacedNode, edge: GraphEdge])[]
  readonly lines: number
  /** The number of levels on the left and on the right. */
  readonly left: number
  readonly right: number
}

interface LayoutOptions {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: readonly GraphEdge[]
  readonly center: string
  readonly isOpen: (id: string) => boolean
  /** Whether a node is shown at all; the centre and the nodes of the path always are. */
  readonly isShown: (node: GraphNode) => boolean
  /** The edges of a path from the centre, which is shown whether its nodes are open or not. */
  readonly path?: ReadonlySet<string>
}

interface Branch {
  readonly node: GraphNode
  readonly via: GraphEdge
  readonly branches: Branch[]
}

const otherEnd = ({ source, target }: GraphEdge, id: string): string => (source === id ? target : source)

/**
 * Lays out the neighbours of open nodes, nearest first, with a path above everything else; each node has one position.
 */
export function explorerLayout({
  nodes,
  edges,
  center,
  isOpen,
  isShown,
  path = new Set(),
}: LayoutOptions): ExplorerLayout {
  const middle = nodes.get(center)
  if (middle === undefined) return { placed: [], others: [], lines: 0, left: 0, right: 0 }
  const edgesOf = (id: string) => edges.filter(edge => edge.source === id || edge.target === id)
  const reached = new Set([center])

  function branchesOf(id: string, matches: (edge: GraphEdge) => boolean): Branch[] {
    return edgesOf(id)
      .filter(matches)
      .flatMap((via): Branch[] => {
        const node = nodes.get(otherEnd(via, id))
        if (node === undefined || reached.has(node.id) || !(path.has(via.id) || isShown(node))) return []
        reached.add(node.id)
        return [{ node, via, branches: [] }]
      })
      .toSorted(
        (a, b) =>
          Number(path.has(b.via.id)) - Number(path.has(a.via.id)) ||
          a.via.edge_type.localeCompare(b.via.edge_type) ||
          byName(a.node.title, b.node.title),
      )
  }
  /** Breadth first, so that a node is as near to the centre as possible. */
  function grow(level: readonly Branch[]): void {
    if (level.length === 0) return
    for (const { node, branches } of level)
      branches.push(...branchesOf(node.id, isOpen(node.id) ? () => true : edge => path.has(edge.id)))
    grow(level.flatMap(({ branches }) => branches))
  }
  const right = branchesOf(center, edge => edge.source === center)
  const left = branchesOf(center, edge => edge.target === center)
  grow([...right, ...left])

  const root: PlacedNode = {
    node: middle,
    side: 'middle',
    level: 0,
    line: 0,
    via: undefined,
    parent: undefined,
    isOpen: true,
  }
  const placed = [root]
  function arrange(branches: readonly Branch[], parent: PlacedNode, side: 'left' | 'right', from: number): void {
    let line = from
    for (const branch of branches) {
      const own: PlacedNode = {
        node: branch.node,
        side,
        level: parent.level + 1,
        line,
        via: branch.via,
        parent,
        isOpen: isOpen(branch.node.id),
      }
      placed.push(own)
      arrange(branch.branches, own, side, line)
      line += linesOf([branch])
    }
  }
  arrange(left, root, 'left', 0)
  arrange(right, root, 'right', 0)
  const at = new Map(placed.map(place => [place.node.id, place]))
  const ways = new Set(placed.map(({ via }) => via?.id))
  const deepest = (side: Side) => Math.max(0, ...placed.filter(place => place.side === side).map(({ level }) => level))
  return {
    placed,
    others: edges.flatMap(edge => {
      const [from, to] = [at.get(edge.source), at.get(edge.target)]
      return ways.has(edge.id) || from === undefined || to === undefined ? [] : [[from, to, edge] as const]
    }),
    lines: Math.max(1, linesOf(left), linesOf(right)),
    left: deepest('left'),
    right: deepest('right'),
  }
}

/** How many lines a branch occupies: as many as its children need, but at least one. */
const linesOf = (branches: readonly Branch[]): number =>
  branches.reduce((sum, { branches: next }) => sum + Math.max(1, linesOf(next)), 0)
