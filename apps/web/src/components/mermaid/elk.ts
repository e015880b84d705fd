import { Graph, layout } from '@dagrejs/dagre'

interface Point {
  readonly x: number
  readonly y: number
}

interface Size {
  width: number
  height: number
}

/** A node of ELK's JSON, as far as beautiful-mermaid fills it in; positions are relative to the containing node. */
export interface ElkNode extends Partial<Size> {
  readonly id: string
  readonly layoutOptions?: Readonly<Record<string, string>>
  readonly children?: readonly ElkNode[]
  readonly edges?: readonly ElkEdge[]
  x?: number
  y?: number
}

interface ElkEdge {
  readonly id: string
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly labels?: readonly (Size & { x?: number; y?: number })[]
  sections?: readonly { readonly startPoint: Point; readonly endPoint: Point; readonly bendPoints: readonly Point[] }[]
}

/** A box by its corners. */
interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const directions: Readonly<Record<string, string>> = { DOWN: 'TB', UP: 'BT', RIGHT: 'LR', LEFT: 'RL' }

const directionOf = (options: Readonly<Record<string, string>>): string =>
  directions[options['elk.direction'] ?? 'DOWN'] ?? 'TB'

/** The padding of a group; its title is at the top. */
const groupPadding = { left: 16, top: 44, right: 16, bottom: 16 }
const padding = 24
/** The distance between lines that turn between the same two rows, and the maximum number of such lines with a lane. */
const lane = { width: 5, count: 5 }

const isGroup = ({ children = [] }: ElkNode): boolean => children.length > 0

const leafOf = (node: ElkNode): ElkNode => (isGroup(node) ? leafOf(node.children![0]!) : node)

/** The edges within a group that only lead from its border to a node. */
const isWithinBorder = ({ id }: ElkEdge): boolean => id.endsWith('_internal')

const around = (boxes: readonly Box[], by: Box): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)) - by.left,
  top: Math.min(...boxes.map(({ top }) => top)) - by.top,
  right: Math.max(...boxes.map(({ right }) => right)) + by.right,
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + by.bottom,
})

const turned = ({ x, y }: Point): Point => ({ x: y, y: x })

const turnedBox = ({ left, top, right, bottom }: Box): Box => ({ left: top, top: left, right: bottom, bottom: right })

/**
 * A line from one box to another, downwards or upwards, through given points, in straight segments with right angles.
 */
function downPath(from: Box, to: Box, by: readonly Point[], offset: number): Point[] {
  const startX = (from.left + from.right) / 2
  const endX = (to.left + to.right) / 2
  const isDown = from.bottom <= to.top
  const start = { x: startX, y: isDown ? from.bottom : from.top }
  const end = { x: endX, y: isDown ? to.top : to.bottom }
  const path: Point[] = [start]
  for (const next of [...by, end]) {
    const last = path.at(-1)!
    if (Math.abs(last.x - next.x) > 1) {
      const y = (last.y + next.y) / 2 + offset
      path.push({ x: last.x, y }, { x: next.x, y })
    }
    path.push(next)
  }
  return path
}

/** A line from a box to itself. */
const loopAt = ({ right, top, bottom }: Box): Point[] => {
  const [upper, lower] = [(2 * top + bottom) / 3, (top + 2 * bottom) / 3]
  return [
    { x: right, y: upper },
    { x: right + padding, y: upper },
    { x: right + padding, y: lower },
    { x: right, y: lower },
  ]
}

/** An edge that is drawn, with its source and target nodes. */
interface Line {
  readonly edge: ElkEdge
  readonly source: string
  readonly target: string
}

/** All nodes below one, containers before their content. */
const nodesBelow = ({ children = [] }: ElkNode): ElkNode[] => children.flatMap(child => [child, ...nodesBelow(child)])

/** The lines of a graph. No line may lead to a group itself: such a line leads to the first node in it. */
function linesOf(root: ElkNode): Line[] {
  const nodes = nodesBelow(root)
  const leaves = new Map(nodes.map(node => [node.id, leafOf(node).id]))
  const edges = [root, ...nodes].flatMap(({ edges: own = [] }) => own)
  for (const { sources, targets } of edges.filter(isWithinBorder)) {
    const [source = '', target = ''] = [sources[0], targets[0]]
    if (leaves.has(source)) leaves.set(target, leaves.get(source)!)
    else leaves.set(source, leaves.get(target) ?? target)
  }
  return edges.flatMap(edge => {
    const [source, target] = [leaves.get(edge.sources[0]!), leaves.get(edge.targets[0]!)]
    return isWithinBorder(edge) || source === undefined || target === undefined ? [] : [{ edge, source, target }]
  })
}

/** The nodes and lines as dagre arranges them, in coordinates of the whole picture. */
function arranged({ layoutOptions: options = {}, children: top = [] }: ElkNode, lines: readonly Line[]): Graph {
  const spacing = top.some(isGroup) ? 2 : 1
  const graph = new Graph({ compound: true, multigraph: true })
  graph.setGraph({
    rankdir: directionOf(options),
    nodesep: spacing * Number(options['elk.spacing.nodeNode'] ?? 24),
    ranksep: spacing * Number(options['elk.layered.spacing.nodeNodeBetweenLayers'] ?? 40),
  })
  const add = (node: ElkNode, parent?: string) => {
    graph.setNode(node.id, isGroup(node) ? {} : { width: node.width ?? 0, height: node.height ?? 0 })
    if (parent !== undefined) graph.setParent(node.id, parent)
    for (const child of node.children ?? []) add(child, node.id)
  }
  for (const node of top) add(node)
  for (const { edge, source, target } of lines) {
    const { width = 0, height = 0 } = edge.labels?.[0] ?? {}
    graph.setEdge(source, target, { width, height, labelpos: 'c' }, edge.id)
  }
  layout(graph)
  return graph
}

/** The boxes of all nodes; that of a group encloses its content. */
function boxesOf(root: ElkNode, graph: Graph): Map<string, Box> {
  const boxes = new Map<string, Box>()
  const boxOf = (node: ElkNode): Box => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(node.id)
    const box = isGroup(node)
      ? around(node.children!.map(boxOf), groupPadding)
      : { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 }
    boxes.set(node.id, box)
    return box
  }
  for (const node of root.children ?? []) boxOf(node)
  return boxes
}

/** The points of an edge, and the centre of its label. */
interface Path {
  readonly points: readonly Point[]
  readonly label: Point
}

/** The paths of lines between boxes, by edge id. */
function pathsOf(
  lines: readonly Line[],
  graph: Graph,
  boxes: ReadonlyMap<string, Box>,
  isSideways: boolean,
): Map<string, Path> {
  const pathOf = ({ edge, source, target }: Line, index: number): Path => {
    const [from, to] = [boxes.get(source)!, boxes.get(target)!]
    const { points = [], x = 0, y = 0 } = graph.edge(source, target, edge.id)
    const label = { x, y }
    if (source === target) return { points: loopAt(from), label }
    const inner = points.slice(1, -1)
    // Where nothing is in between, the line turns once.
    const by = inner.length === 1 && edge.labels === undefined ? [] : inner
    const offset = ((index % lane.count) - (lane.count - 1) / 2) * lane.width
    if (!isSideways) return { points: downPath(from, to, by, offset), label }
    return { points: downPath(turnedBox(from), turnedBox(to), by.map(turned), offset).map(turned), label }
  }
  return new Map(lines.map((line, index) => [line.edge.id, pathOf(line, index)]))
}

/** Sets the positions of the nodes within a node, each relative to its container. */
function place(node: ElkNode, origin: Point, boxes: ReadonlyMap<string, Box>, paths: ReadonlyMap<string, Path>): void {
  const within = ({ x, y }: Point): Point => ({ x: x - origin.x, y: y - origin.y })
  for (const child of node.children ?? []) {
    const { left, top, right, bottom } = boxes.get(child.id)!
    Object.assign(child, { ...within({ x: left, y: top }), width: right - left, height: bottom - top })
    place(child, { x: left, y: top }, boxes, paths)
  }
  for (const edge of node.edges ?? []) {
    const path = paths.get(edge.id)
    if (path === undefined) continue
    const points = path.points.map(within)
    edge.sections = [{ startPoint: points[0]!, endPoint: points.at(-1)!, bendPoints: points.slice(1, -1) }]
    const { x, y } = within(path.label)
    for (const label of edge.labels ?? []) Object.assign(label, { x: x - label.width / 2, y: y - label.height / 2 })
  }
}

/** Gives each node its position and size, and each edge its path. */
export function laidOut(root: ElkNode): ElkNode {
  const lines = linesOf(root)
  const graph = arranged(root, lines)
  const boxes = boxesOf(root, graph)
  const direction = directionOf(root.layoutOptions ?? {})
  const paths = pathsOf(lines, graph, boxes, direction === 'LR' || direction === 'RL')
  const bends = [...paths.values()].flatMap(({ points }) => points)
  const dots = bends.map(({ x, y }) => ({ left: x, top: y, right: x, bottom: y }))
  const all = around([...boxes.values(), ...dots], { left: padding, top: padding, right: padding, bottom: padding })
  place(root, { x: all.left, y: all.top }, boxes, paths)
  return Object.assign(root, { width: all.right - all.left, height: all.bottom - all.top })
}

interface Message<Content> {
  readonly data: Content
}

/** Runs each job synchronously. */
class Dispatcher {
  onmessage: ((answer: Message<{ readonly data: ElkNode }>) => void) | null = null
  readonly dispatcher = {
    saveDispatch: ({ data: { graph } }: Message<{ readonly graph: ElkNode }>): void =>
      this.onmessage?.({ data: { data: laidOut(graph) } }),
  }
}

/**
 * Replaces `elkjs`, which beautiful-mermaid uses to arrange graphs: that library is licensed under the EPL and is 1.6
 * MB in size. This class supports the only call that beautiful-mermaid makes.
 */
export default class Elk {
  readonly worker = { worker: new Dispatcher() }
}
