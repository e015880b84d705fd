import type { LineageGraph, LineageKind, LineageNode } from '../../data/lineage.ts'

/** A node of the graph with its children. */
export interface TreeNode {
  readonly node: LineageNode
  readonly parent: TreeNode | undefined
  readonly children: TreeNode[]
}

/** The kinds of node that are not records but parts of a spec, and their children. */
const partKinds: ReadonlySet<LineageKind> = new Set([
  'business_rule',
  'technical_requirement',
  'scenario',
  'api_contract',
  'decision',
  'validation',
  'change',
])

export const isPart = ({ entity_type }: Pick<LineageNode, 'entity_type'>): boolean => partKinds.has(entity_type)

/** The trees of a graph, in its order, which is depth first: a parent comes before its children. */
export function treesOf(nodes: readonly LineageNode[], withParts: boolean): TreeNode[] {
  const byId = new Map<string, TreeNode>()
  const roots: TreeNode[] = []
  for (const node of nodes) {
    if (!withParts && isPart(node)) continue
    const parent = node.parent_id === null ? undefined : byId.get(node.parent_id)
    const tree: TreeNode = { node, parent, children: [] }
    byId.set(node.id, tree)
    if (parent === undefined) roots.push(tree)
    else parent.children.push(tree)
  }
  return roots
}

/** The trees reduced to the matching nodes and their ancestors. */
export function prunedTo(trees: readonly TreeNode[], matches: (node: LineageNode) => boolean): TreeNode[] {
  const prune = (tree: TreeNode, parent: TreeNode | undefined): TreeNode | undefined => {
    const copy: TreeNode = { node: tree.node, parent, children: [] }
    copy.children.push(...tree.children.flatMap(child => prune(child, copy) ?? []))
    return copy.children.length > 0 || matches(tree.node) ? copy : undefined
  }
  return trees.flatMap(tree => prune(tree, undefined) ?? [])
}

/** Whether every word is in the reference or title of a node. */
export function matcherOf(text: string): (node: LineageNode) => boolean {
  const words = text.toLowerCase().split(/\s+/)
  return ({ ref = '', title }) => words.every(word => `${ref} ${title}`.toLowerCase().includes(word))
}

/** A node with its position: a line and a column. */
export interface PlacedNode {
  readonly node: LineageNode
  readonly line: number
  readonly column: number
  readonly depth: number
  readonly parent: PlacedNode | undefined
  /** Whether its children are shown; undefined if it has none. */
  readonly isOpen: boolean | undefined
  readonly childCount: number
  /** Its number among its siblings, from 1. */
  readonly position: number
  readonly siblings: number
}

/** The lines from a node to its children. */
export interface Fork {
  readonly from: PlacedNode
  readonly to: readonly PlacedNode[]
}

export interface Layout {
  /** In reading order; lines never go back. */
  readonly placed: readonly PlacedNode[]
  readonly forks: readonly Fork[]
  readonly lines: number
  readonly columns: number
}

interface LayoutOptions {
  readonly isOpen: (tree: TreeNode) => boolean
  /** Whether each node is on a line of its own, indented, instead of in a column for its stage. */
  readonly isNarrow: boolean
}

/** The stages of work that have nodes, in order: each is a column. */
export const stagesOf = (trees: readonly TreeNode[]): number[] => {
  const stages = new Set<number>()
  const visit = ({ node, children }: TreeNode): void => {
    stages.add(node.stage)
    for (const child of children) visit(child)
  }
  for (const tree of trees) visit(tree)
  return [...stages].sort((a, b) => a - b)
}

/**
 * Positions each visible node. In columns, a node is on the line of its first child, so that a chain of single records
 * is one line; a child is never left of its parent.
 */
export function layoutOf(trees: readonly TreeNode[], { isOpen, isNarrow }: LayoutOptions): Layout {
  const columnOfStage = new Map(stagesOf(trees).map((stage, column) => [stage, column]))
  const placed: PlacedNode[] = []
  const forks: Fork[] = []
  let lines = 0
  let columns = 0

  /**
   * Places a tree from a line on.
   * @returns its root
   */
  function put(
    tree: TreeNode,
    parent: PlacedNode | undefined,
    line: number,
    position: number,
    siblings: number,
  ): PlacedNode {
    const depth = parent === undefined ? 0 : parent.depth + 1
    const column = isNarrow ? depth : Math.max(columnOfStage.get(tree.node.stage)!, (parent?.column ?? -1) + 1)
    const { children } = tree
    const isShown = children.length > 0 && isOpen(tree)
    const own: PlacedNode = {
      node: tree.node,
      line,
      column,
      depth,
      parent,
      isOpen: children.length === 0 ? undefined : isShown,
      childCount: children.length,
      position,
      siblings,
    }
    placed.push(own)
    lines = Math.max(lines, line + 1)
    columns = Math.max(columns, column + 1)
    if (isShown) {
      const to = children.map((child, index) =>
        put(child, own, index === 0 && !isNarrow ? line : lines, index + 1, children.length),
      )
      forks.push({ from: own, to })
    }
    return own
  }

  trees.forEach((tree, index) => {
    put(tree, undefined, lines, index + 1, trees.length)
  })
  return { placed, forks, lines, columns }
}

/** The relations of a node besides its position in the tree, by type. */
export interface Relations {
  readonly how: Relation
  readonly nodes: readonly LineageNode[]
}

/** A relation, named from either end. */
export type Relation =
  | 'waitsFor'
  | 'holdsUp'
  | 'implements'
  | 'implementedBy'
  | 'verifies'
  | 'verifiedBy'
  | 'guards'
  | 'guardedBy'
  | 'scopes'
  | 'scopedBy'
  | 'supersedes'
  | 'supersededBy'

/** The names of edges outside the tree: from their source, and from their target. */
const relations: Readonly<
  Partial<Record<LineageGraph['edges'][number]['relationship'], readonly [Relation, Relation]>>
> = {
  depends_on: ['waitsFor', 'holdsUp'],
  implements: ['implements', 'implementedBy'],
  verifies: ['verifies', 'verifiedBy'],
  regression_test: ['guards', 'guardedBy'],
  scopes: ['scopes', 'scopedBy'],
  supersedes: ['supersedes', 'supersededBy'],
}

/** The relations by which a change of one node affects another. */
const leadsOn: ReadonlySet<Relation> = new Set(['holdsUp', 'implementedBy', 'verifiedBy', 'scopedBy'])

/** Finds the relatives of a node, in one graph. */
export interface Relatives {
  relatedTo(id: string): Relations[]
  /** From the root to the node itself. */
  pathTo(id: string): LineageNode[]
  /** What a change of the node affects: its descendants, what covers it, what waits for it, and so on. */
  downstreamOf(id: string): LineageNode[]
}

export function relativesIn({ nodes, edges }: Pick<LineageGraph, 'nodes' | 'edges'>): Relatives {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const children = Map.groupBy(nodes, node => node.parent_id)
  const related = new Map<string, Map<Relation, LineageNode[]>>()
  const add = (id: string, how: Relation, other: string): void => {
    const node = byId.get(other)
    if (node === undefined) return
    const ways = related.get(id) ?? new Map<Relation, LineageNode[]>()
    const others = ways.get(how) ?? []
    others.push(node)
    related.set(id, ways.set(how, others))
  }
  for (const { source, target, relationship } of edges) {
    const pair = relations[relationship]
    if (pair === undefined) continue
    add(source, pair[0], target)
    add(target, pair[1], source)
  }
  const relatedTo = (id: string) => [...(related.get(id) ?? [])].map(([how, found]) => ({ how, nodes: found }))
  return {
    relatedTo,
    pathTo(id) {
      const path: LineageNode[] = []
      for (let node = byId.get(id); node !== undefined; node = byId.get(node.parent_id ?? '')) path.unshift(node)
      return path
    },
    downstreamOf(id) {
      const reached = new Set([id])
      const found: LineageNode[] = []
      for (const from of reached) {
        const next = relatedTo(from).flatMap(({ how, nodes: others }) => (leadsOn.has(how) ? others : []))
        for (const node of [...(children.get(from) ?? []), ...next]) {
          if (reached.has(node.id)) continue
          reached.add(node.id)
          found.push(node)
        }
      }
      return found
    },
  }
}
