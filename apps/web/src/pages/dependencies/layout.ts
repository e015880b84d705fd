import { Graph, layout } from '@dagrejs/dagre'
import { type Network, reachedFrom } from './network.ts'

/** px */
export const nodeSize = { width: 224, height: 60 }
const gap = { beside: 16, between: 56 }

interface Point {
  readonly x: number
  readonly y: number
}

/** A line from a card to one that waits for it. */
export interface PlacedLink {
  readonly from: string
  readonly to: string
  readonly points: readonly Point[]
}

export interface NetworkLayout {
  /** The upper left corner of each card. */
  readonly places: ReadonlyMap<string, Point>
  readonly links: readonly PlacedLink[]
  readonly width: number
  readonly height: number
}

/** Places each card left of those that wait for it; connected cards form groups, the largest group first. */
export function layoutOf(network: Network): NetworkLayout {
  const places = new Map<string, Point>()
  const links: PlacedLink[] = []
  let [width, height] = [0, 0]
  for (const group of groupsOf(network)) {
    const part = partOf(network, group)
    const top = height === 0 ? 0 : height + gap.beside
    for (const [id, { x, y }] of part.places) places.set(id, { x, y: y + top })
    for (const link of part.links) links.push({ ...link, points: link.points.map(({ x, y }) => ({ x, y: y + top })) })
    width = Math.max(width, part.width)
    height = top + part.height
  }
  return { places, links, width, height }
}

/** The groups of connected cards, the largest first. */
function groupsOf({ cards }: Network): readonly (readonly string[])[] {
  const visited = new Set<string>()
  const groups: string[][] = []
  for (const start of cards.keys()) {
    if (visited.has(start)) continue
    const group = reachedFrom(start, id => {
      const { waitsFor, waiting } = cards.get(id)!
      return [...waitsFor, ...waiting]
    })
    for (const id of group) visited.add(id)
    groups.push([...group])
  }
  return groups.toSorted((a, b) => b.length - a.length)
}

function partOf({ cards }: Network, ids: readonly string[]): NetworkLayout {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: gap.beside, ranksep: gap.between })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const id of ids) graph.setNode(id, { ...nodeSize })
  for (const to of ids) for (const from of cards.get(to)!.waitsFor) graph.setEdge(from, to)
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number }
  return {
    places: new Map(
      ids.map(id => {
        const { x, y } = graph.node(id) as Point
        return [id, { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }]
      }),
    ),
    links: graph.edges().map(({ v: from, w: to }: { readonly v: string; readonly w: string }) => ({
      from,
      to,
      points: (graph.edge(from, to) as { readonly points: readonly Point[] }).points
        .with(0, besideOf(graph.node(from), 1))
        .with(-1, besideOf(graph.node(to), -1)),
    })),
    width,
    height,
  }
}

/** The middle of the side of a card at which its lines begin or end. */
const besideOf = ({ x, y }: Point, side: 1 | -1): Point => ({ x: x + (side * nodeSize.width) / 2, y })

/** The path of a line, curved where it changes height. */
export function pathOf([first, ...others]: readonly Point[]): string {
  if (first === undefined) return ''
  let [before, path] = [first, `M${first.x} ${first.y}`]
  for (const point of others) {
    const bend = (point.x - before.x) / 2
    path += `C${before.x + bend} ${before.y} ${point.x - bend} ${point.y} ${point.x} ${point.y}`
    before = point
  }
  return path
}
